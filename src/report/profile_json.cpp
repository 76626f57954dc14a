/// One list of members for each kind of object serves both directions: `members(writer, object)`
/// makes JSON of it, `members(reader, object)` fills it in and checks it.
#include "report/profile_json.hpp"

#include <algorithm>
#include <limits>
#include <optional>
#include <type_traits>
#include <vector>

#include <fmt/format.h>
#include <kinjo/error.hpp>

#include "base/text.hpp"

namespace kinjo {

namespace {

constexpr const char* kSchema = "kinjo-profile/1";

class Writer {
 public:
  static constexpr bool kWrites = true;

  template <class T>
  void member(const char* name, const T& value) {
    json_[name] = to_json(value);
  }
  template <class T>
  void member(const char* name, const std::optional<T>& value) {
    if (value) member(name, *value);
  }
  /// A word that is left out where it is empty.
  void remark(const char* name, const std::string& text) {
    if (!text.empty()) json_[name] = text;
  }
  template <class T>
  static Json to_json(const T& value) {
    if constexpr (std::is_arithmetic_v<T> || std::is_same_v<T, std::string>) {
      return value;
    } else {
      Writer writer;
      members(writer, value);
      return std::move(writer.json_);
    }
  }
  template <class T>
  static Json to_json(const std::vector<T>& list) {
    Json json = Json::array();
    for (const T& item : list) json.push_back(to_json(item));
    return json;
  }
  static Json to_json(const CpuSet& cpus) {
    Json json = Json::array();
    for (int cpu : cpus) json.push_back(cpu);
    return json;
  }

 private:
  Json json_ = Json::object();
};

/// An object that is being read, and how it is reached from the top.
class Reader {
 public:
  static constexpr bool kWrites = false;

  Reader(const Json& json, const std::string& file, std::string path)
      : json_(json), file_(file), path_(std::move(path)) {
    if (!json.is_object()) fail("an object", json);
  }

  template <class T>
  void member(const char* name, T& value) {
    const auto found = json_.find(name);
    if (found == json_.end()) fault(below(name), "expected, and not there");
    read(*found, below(name), value);
  }
  template <class T>
  void member(const char* name, std::optional<T>& value) {
    const auto found = json_.find(name);
    value.reset();
    if (found != json_.end() && !found->is_null()) read(*found, below(name), value.emplace());
  }
  void remark(const char* name, std::string& text) {
    std::optional<std::string> found;
    member(name, found);
    text = found.value_or("");
  }
  /// Refuses the whole object: what is expected of it.
  [[noreturn]] void expected(const std::string& what) const { fault(path_, "expected " + what); }

 private:
  std::string below(const char* name) const { return path_.empty() ? name : path_ + '.' + name; }

  [[noreturn]] void fault(const std::string& path, const std::string& what) const {
    throw Error(Errc::bad_input,
                fmt::format("cannot read the profile '{}': {}: {}", file_, path, what));
  }
  [[noreturn]] void fail(const std::string& what, const Json& found,
                         const std::string& path = {}) const {
    const std::string where = path.empty() ? path_ : path;
    fault(where.empty() ? "the whole" : where,
          fmt::format("expected {}, not {}", what,
                      found.is_number() ? found.dump() : std::string(found.type_name())));
  }

  void read(const Json& json, const std::string& path, double& value) const {
    if (!json.is_number()) fail("a number", json, path);
    value = json.get<double>();
  }
  void read(const Json& json, const std::string& path, bool& value) const {
    if (!json.is_boolean()) fail("true or false", json, path);
    value = json.get<bool>();
  }
  void read(const Json& json, const std::string& path, std::string& value) const {
    if (!json.is_string()) fail("a string", json, path);
    value = json.get<std::string>();
  }
  void read(const Json& json, const std::string& path, int& value) const {
    value = integer(json, path, -1, detail::kMaxIndex);
  }
  void read(const Json& json, const std::string& path, std::uint64_t& value) const {
    if (!json.is_number_unsigned()) fail("an integer from 0", json, path);
    value = json.get<std::uint64_t>();
  }
  void read(const Json& json, const std::string& path, CpuSet& cpus) const {
    if (!json.is_array()) fail("a list", json, path);
    cpus = {};
    for (const Json& cpu : json) cpus.insert(integer(cpu, path, 0, detail::kMaxIndex));
  }
  template <class T>
  void read(const Json& json, const std::string& path, std::vector<T>& list) const {
    if (!json.is_array()) fail("a list", json, path);
    list.clear();
    for (const Json& item : json) {
      T value;
      read(item, fmt::format("{}[{}]", path, list.size()), value);
      list.push_back(std::move(value));
    }
  }
  template <class T>
  requires std::is_class_v<T>
  void read(const Json& json, const std::string& path, T& object) const {
    Reader reader(json, file_, path);
    members(reader, object);
  }

  int integer(const Json& json, const std::string& path, int least, int most) const {
    if (!json.is_number_integer() || json.get<double>() < least || json.get<double>() > most) {
      fail(fmt::format("an integer from {} to {}", least, most), json, path);
    }
    return json.get<int>();
  }

  const Json& json_;
  const std::string& file_;
  std::string path_;
};

/// `const T` for a writer, `T` for a reader.
template <class Archive, class T>
using Of = std::conditional_t<Archive::kWrites, const T, T>;

template <class Archive>
void members(Archive& archive, Of<Archive, Figure>& figure) {
  auto& s = figure.summary;
  archive.member("value", s.median);
  archive.member("unit", figure.unit);
  archive.member("count", s.count);
  archive.member("min", s.min);
  archive.member("max", s.max);
  archive.member("low", s.low);
  archive.member("high", s.high);
  archive.remark("warning", figure.warning);
  if constexpr (!Archive::kWrites) {
    const bool ordered =
        s.min <= s.low && s.low <= s.median && s.median <= s.high && s.high <= s.max;
    if (!ordered || s.count == 0) {
      archive.expected("a count from 1 and min, low, value, high and max in ascending order");
    }
  }
}

template <class Archive>
void members(Archive& archive, Of<Archive, OperationLatency>& latency) {
  archive.member("operation", latency.operation);
  archive.member("form", latency.form);
  archive.member("cycles", latency.cycles);
}

template <class Archive>
void members(Archive& archive, Of<Archive, ClockProfile>& clock) {
  archive.member("counter", clock.counter);
  archive.member("invariant", clock.invariant);
  archive.member("disagreement_ns", clock.disagreement_ns);
  archive.member("agrees", clock.agrees);
  archive.member("frequency_hz", clock.frequency_hz);
  archive.member("frequency_error_ppm", clock.frequency_error_ppm);
  archive.member("read_ns", clock.read_ns);
  archive.member("latencies", clock.latencies);
  archive.member("core_frequency_hz", clock.core_frequency_hz);
  archive.member("peak_gflops_one", clock.peak_gflops_one);
  archive.member("peak_gflops_all", clock.peak_gflops_all);
}

template <class Archive>
void members(Archive& archive, Of<Archive, Bandwidth>& bandwidth) {
  archive.member("read", bandwidth.read);
  archive.member("write", bandwidth.write);
  archive.member("copy", bandwidth.copy);
}

template <class Archive>
void members(Archive& archive, Of<Archive, CacheProfile>& cache) {
  archive.member("level", cache.level);
  archive.member("size_bytes", cache.size_bytes);
  archive.member("working_set_bytes", cache.working_set_bytes);
  archive.member("cpus", cache.cpus);
  archive.member("latency_ns", cache.latency_ns);
  archive.member("one_thread", cache.one_thread);
  archive.member("all_threads", cache.all_threads);
}

template <class Archive>
void members(Archive& archive, Of<Archive, NodePairProfile>& pair) {
  archive.member("cpu_node", pair.cpu_node);
  archive.member("memory_node", pair.memory_node);
  archive.member("latency_ns", pair.latency_ns);
  archive.member("one_thread", pair.one_thread);
  archive.member("all_threads", pair.all_threads);
  archive.member("first_touch", pair.first_touch);
  archive.member("second_pass", pair.second_pass);
  archive.member("distance", pair.distance);
  archive.member("hmat_latency_ns", pair.hmat_latency_ns);
  archive.member("hmat_write_latency_ns", pair.hmat_write_latency_ns);
  archive.member("hmat_read_mb_s", pair.hmat_read_mb_s);
  archive.member("hmat_write_mb_s", pair.hmat_write_mb_s);
}

template <class Archive>
void members(Archive& archive, Of<Archive, LoadedPoint>& point) {
  archive.member("delay_cycles", point.delay_cycles);
  archive.member("bandwidth", point.bandwidth);
  archive.member("latency_ns", point.latency_ns);
}

template <class Archive>
void members(Archive& archive, Of<Archive, ScalingPoint>& point) {
  archive.member("policy", point.policy);
  archive.member("threads", point.threads);
  archive.member("bandwidth", point.bandwidth);
}

template <class Archive>
void members(Archive& archive, Of<Archive, NodesProfile>& nodes) {
  archive.member("pages", nodes.pages);
  archive.member("buffer_bytes", nodes.buffer_bytes);
  archive.member("largest_buffer_bytes", nodes.largest_buffer_bytes);
  archive.member("pairs", nodes.pairs);
  archive.member("all_nodes_local", nodes.all_nodes_local);
  archive.member("loaded", nodes.loaded);
  archive.member("scaling", nodes.scaling);
  archive.member("contradictions", nodes.contradictions);
  archive.member("notes", nodes.notes);
}

template <class Archive>
void members(Archive& archive, Of<Archive, MachineProfile>& profile) {
  archive.member("machine", profile.machine);
  archive.member("model", profile.model);
  archive.member("cpus", profile.cpus);
  archive.member("allowed_cpus", profile.allowed_cpus);
  archive.member("measured", profile.measured);
  archive.member("warnings", profile.warnings);
  archive.member("clock", profile.clock);
  archive.member("caches", profile.caches);
  archive.member("nodes", profile.nodes);
}

Json parse_json(std::string_view text, const std::string& file) {
  try {
    return Json::parse(text);
  } catch (const Json::parse_error& error) {
    const auto end = text.begin() + static_cast<std::ptrdiff_t>(std::min(error.byte, text.size()));
    throw Error(Errc::bad_input, fmt::format("cannot read the profile '{}': line {}: expected JSON",
                                             file, 1 + std::count(text.begin(), end, '\n')));
  } catch (const Json::exception&) {  // a number that no double holds
    throw Error(Errc::bad_input,
                fmt::format("cannot read the profile '{}': a number is out of range", file));
  }
}

}  // namespace

Json profile_json(const MachineProfile& profile) {
  Json json = {{"schema", kSchema}};
  json.update(Writer::to_json(profile));
  return json;
}

MachineProfile parse_profile(std::string_view text, const std::string& name) {
  const std::string file = detail::printable(name);
  const Json json = parse_json(text, file);
  Reader reader(json, file, "");
  std::string schema;
  reader.member("schema", schema);
  if (schema != kSchema) {
    throw Error(Errc::bad_input,
                fmt::format("cannot read the profile '{}': schema: expected {}, not '{}'", file,
                            kSchema, detail::printable(schema)));
  }
  MachineProfile profile;
  members(reader, profile);
  return profile;
}

}  // namespace kinjo
