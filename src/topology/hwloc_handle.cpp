#include "topology/hwloc_handle.hpp"

#include <sys/stat.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <optional>

#include <fmt/format.h>
#include <kinjo/detail/environment.hpp>
#include <kinjo/error.hpp>

#include "base/text.hpp"
#include "topology/synthetic_check.hpp"
#include "topology/tree_check.hpp"
#include "topology/xml_check.hpp"

namespace kinjo::detail {

namespace {

constexpr std::string_view kSynthetic = "synthetic:";
constexpr std::size_t kXmlLimit = 64 << 20;

/// hwloc takes some of its options from the environment alone, at `init` and `load`. One thread at
/// a time sets them here, and every variable is as it was afterwards. One that is right already is
/// left alone, so that a program whose threads read the environment can set it beforehand.
class ScopedVariable {
 public:
  ScopedVariable(const char* name, const std::string& value) : name_(name) {
    if (const char* old = std::getenv(name)) before_ = old;
    changed_ = before_ != value;
    if (changed_) setenv(name, value.c_str(), 1);
  }
  ~ScopedVariable() {
    if (!changed_) return;
    if (before_) {
      setenv(name_, before_->c_str(), 1);
    } else {
      unsetenv(name_);
    }
  }
  ScopedVariable(const ScopedVariable&) = delete;
  ScopedVariable& operator=(const ScopedVariable&) = delete;

 private:
  const char* name_;
  std::optional<std::string> before_;
  bool changed_ = false;
};

HwlocHandle make_handle() {
  // What its plugins find (screens, OpenCL) is of no use here; with them come a dozen libraries.
  const ScopedVariable plugins("HWLOC_PLUGINS_PATH", "");
  hwloc_topology_t raw = nullptr;
  if (hwloc_topology_init(&raw) != 0) {
    throw Error(Errc::system, "cannot discover the machine: hwloc_topology_init failed");
  }
  HwlocHandle handle(raw);
  hwloc_topology_set_flags(raw, HWLOC_TOPOLOGY_FLAG_INCLUDE_DISALLOWED);
  hwloc_topology_set_icache_types_filter(raw, HWLOC_TYPE_FILTER_KEEP_ALL);
  return handle;
}

/// Loads quietly: hwloc would write its doubts about the firmware to standard error, and a library
/// does not print.
bool load(const HwlocHandle& handle) {
  const ScopedVariable hide("HWLOC_HIDE_ERRORS", "2");
  return hwloc_topology_load(handle.get()) == 0;
}

/// The component that asks CPUs themselves, by CPUID.
void leave_out_x86(const HwlocHandle& handle) {
  hwloc_topology_set_components(handle.get(), HWLOC_TOPOLOGY_COMPONENTS_FLAG_BLACKLIST, "x86");
}

bool has_cores_and_caches(const HwlocHandle& handle) {
  return hwloc_get_nbobjs_by_type(handle.get(), HWLOC_OBJ_CORE) > 0 &&
         hwloc_get_nbobjs_by_type(handle.get(), HWLOC_OBJ_L1CACHE) > 0;
}

[[noreturn]] void reject(const std::string& input, const std::string& fault) {
  throw Error(Errc::bad_input, fmt::format("cannot read the machine '{}': {}", input, fault));
}

HwlocHandle load_synthetic(const std::string& input) {
  const std::string text(trim(std::string_view(input).substr(kSynthetic.size())));
  if (const auto fault = find_synthetic_fault(text)) reject(input, *fault);
  auto handle = make_handle();
  if (text.empty() || hwloc_topology_set_synthetic(handle.get(), text.c_str()) != 0 ||
      !load(handle)) {
    reject(input,
           "not a description that hwloc accepts: expected levels with counts, e.g. "
           "synthetic:pack:2 numa:1 core:4 pu:2");
  }
  return handle;
}

HwlocHandle load_xml(const std::string& input) {
  auto text = read_small_file(input, kXmlLimit);
  if (!text) reject(input, std::strerror(errno));
  if (const auto fault = find_xml_fault(*text)) reject(input, *fault);
  // With its plugins installed hwloc would parse by libxml, which accepts other files; the check
  // above and what is accepted hold for hwloc's own parser.
  const ScopedVariable parser("HWLOC_LIBXML", "0");
  auto handle = make_handle();
  // hwloc wants the terminating NUL counted.
  const int bytes = static_cast<int>(text->size()) + 1;
  if (hwloc_topology_set_xmlbuffer(handle.get(), text->c_str(), bytes) != 0 || !load(handle)) {
    reject(input,
           "well-formed XML, but not a machine that hwloc accepts: expected the output of "
           "lstopo FILE.xml");
  }
  return handle;
}

HwlocHandle load_directory(const std::string& input) {
  if (const auto fault = find_tree_fault(input)) reject(input, *fault);
  const ScopedVariable root("HWLOC_FSROOT", input);
  auto handle = make_handle();
  leave_out_x86(handle);  // it would ask the CPU that runs this, not the one described
  if (!load(handle)) reject(input, "hwloc found no machine in it");
  return handle;
}

/// hwloc's own variables make it describe another machine wherever nobody asked for one.
void need_this_system(const HwlocHandle& handle) {
  if (hwloc_topology_is_thissystem(handle.get())) return;
  for (const char* variable : {"HWLOC_XMLFILE", "HWLOC_SYNTHETIC", "HWLOC_FSROOT",
                               "HWLOC_CPUID_PATH", "HWLOC_THISSYSTEM", "HWLOC_COMPONENTS"}) {
    if (!is_set(variable)) continue;
    throw Error(Errc::bad_input,
                fmt::format("{}: hwloc describes another machine than this one by it: expected it "
                            "unset (a description is an input: `--input`, `Topology::from`)",
                            variable));
  }
  throw Error(Errc::system, "cannot discover the machine: hwloc describes another one");
}

}  // namespace

HwlocHandle load_this_machine() {
  if (const auto fault = find_node_fault("")) {  // hwloc would abort
    throw Error(Errc::system, fmt::format("cannot discover the machine: /{}", *fault));
  }
  // The x86 component binds the caller to one CPU after the other, a quarter of a millisecond each,
  // and finds what Linux has told already; unless /sys is hidden.
  auto handle = make_handle();
  leave_out_x86(handle);
  if (load(handle) && has_cores_and_caches(handle)) {
    need_this_system(handle);
    return handle;
  }
  handle = make_handle();
  if (!load(handle)) throw Error(Errc::system, "cannot discover the machine: hwloc failed");
  need_this_system(handle);
  return handle;
}

HwlocHandle load_description(const std::string& input) {
  if (input.starts_with(kSynthetic)) return load_synthetic(input);
  struct stat status {};
  if (stat(input.c_str(), &status) != 0) {
    throw Error(Errc::not_found,
                fmt::format("cannot read the machine '{}': {}; expected an hwloc XML file, a "
                            "directory with sys and proc, or synthetic:…",
                            input, std::strerror(errno)));
  }
  return S_ISDIR(status.st_mode) ? load_directory(input) : load_xml(input);
}

}  // namespace kinjo::detail
