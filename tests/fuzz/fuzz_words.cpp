/// Any text behind an option or in a variable: an `Error`, or what the option allows.
///
/// The first byte chooses who reads the rest: `a` the first of the readers below, and so on.
#include <algorithm>
#include <array>
#include <cctype>
#include <cstdlib>
#include <string>

#include <kinjo/binding.hpp>
#include <kinjo/error.hpp>
#include <kinjo/network.hpp>
#include <kinjo/sdp_generators.hpp>

#include "base/text.hpp"
#include "fuzz/target.hpp"
#include "launch/launch.hpp"
#include "launch/ranks.hpp"
#include "memory/memory_choice.hpp"
#include "topology/sysfs_reader.hpp"
#include "tune/reading.hpp"
#include "tune/suite.hpp"
#include "workload/blas1_size.hpp"
#include "workload/cells_settings.hpp"
#include "workload/fft_size.hpp"
#include "workload/gemm_size.hpp"

namespace {

using namespace kinjo;

/// `text` as the value of every variable that a launcher sets.
void read_ranks(const std::string& text) {
  const auto everywhere = [&](const char*) { return text.c_str(); };
  if (const auto rank = detail::launched_rank(everywhere); rank->rank.rank >= rank->rank.size) {
    std::abort();
  }
}

void read_metric(const std::string& text) {
  const std::size_t end = std::min(text.find('\n'), text.size());
  const auto pattern = detail::parse_metric_pattern(text.substr(0, end));
  const std::string output = text.substr(end);
  const auto value = detail::find_metric_value(pattern, output);
  if (value && !(*value > 0)) std::abort();
  if (detail::digest_output(output, pattern) != detail::digest_output(output, pattern)) {
    std::abort();
  }
}

/// Rules are made, so only small ones are tried.
bool is_small(const std::string& text) {
  std::size_t digits = 0;
  return std::ranges::all_of(text, [&](unsigned char c) {
    digits = std::isdigit(c) ? digits + 1 : 0;
    return digits <= 1;
  });
}

void read_network_rule(const std::string& text) {
  if (!is_small(text)) return;
  const auto made = paths::network_by_rule(text);
  for (const paths::Edge& e : made.network.edges) {
    if (e.from >= made.network.vertices || e.to >= made.network.vertices) std::abort();
  }
}

void read_sdp_rule(const std::string& text) {
  if (is_small(text) && sdp::problem_by_rule(text).constraints() == 0) std::abort();
}

void read_fft_size(const std::string& text) {
  const FftSize size = parse_fft_size(text);
  if (to_string(parse_fft_size(to_string(size))) != to_string(size)) std::abort();
}

void read_gemm_shape(const std::string& text) {
  const GemmShape shape = parse_gemm_shape(text);
  if (to_string(parse_gemm_shape(to_string(shape))) != to_string(shape)) std::abort();
}

using Reader = void (*)(const std::string& text);
constexpr std::array<Reader, 18> kReaders = {
    [](const std::string& text) { parse_blas1_size(text); },
    read_fft_size,
    read_gemm_shape,
    [](const std::string& text) { parse_cells_sizes(text); },
    [](const std::string& text) { parse_form(text); },
    [](const std::string& text) { parse_suite(text); },
    [](const std::string& text) { detail::parse_ranks(text, [](const char*) { return nullptr; }); },
    read_ranks,
    [](const std::string& text) { detail::slurm_tasks(text, 3, "SLURM_TASKS_PER_NODE"); },
    [](const std::string& text) { detail::parse_mask(text, "cpumap"); },
    [](const std::string& text) { detail::parse_openmp(text); },
    [](const std::string& text) { detail::parse_memory(text, Topology::this_machine()); },
    read_metric,
    [](const std::string& text) { detail::parse_bytes(text); },
    [](const std::string& text) { parse_bind_level(text); },
    [](const std::string& text) { Topology::from("synthetic:" + text.substr(0, 40)); },
    read_network_rule,
    read_sdp_rule,
};

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size == 0 || data[0] < 'a' || data[0] >= 'a' + kReaders.size()) return 0;
  try {
    kReaders[data[0] - 'a']({reinterpret_cast<const char*>(data) + 1, size - 1});
  } catch (const kinjo::Error&) {
  }
  return 0;
}
