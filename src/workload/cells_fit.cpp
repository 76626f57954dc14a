#include "workload/cells_fit.hpp"

#include <cmath>
#include <limits>

#include <fmt/format.h>
#include <kinjo/error.hpp>
#include <nlohmann/json.hpp>

#include "base/input_file.hpp"
#include "base/text.hpp"

namespace kinjo {

namespace {

using Json = nlohmann::json;

/// One file, whose faults name it.
class PingpongFile {
 public:
  PingpongFile(std::string name, std::string way) : name_(std::move(name)), way_(std::move(way)) {}

  comm::MessageTimes read(std::string_view text) {
    const Json json = Json::parse(text, nullptr, false);
    if (json.is_discarded()) fault("the whole", "expected JSON");
    const Json& schema = member(json, "schema", "the whole");
    if (schema != "kinjo-records/1") fault("schema", "expected \"kinjo-records/1\"");
    const Json& records = member(json, "records", "the whole");
    if (!records.is_array()) fault("records", "expected a list");
    for (std::size_t i = 0; i < records.size(); ++i) {
      take(records[i], fmt::format("records[{}]", i));
    }
    if (times_.one_way.empty()) {
      fault("records",
            fmt::format("expected records of a ping-pong by '{}'", detail::printable(way_)));
    }
    return std::move(times_);
  }

 private:
  [[noreturn]] void fault(const std::string& where, const std::string& what) const {
    throw Error(Errc::bad_input, fmt::format("cannot read the records '{}': {}: {}",
                                             detail::printable(name_), where, what));
  }
  const Json& member(const Json& json, const char* name, const std::string& where) const {
    if (!json.is_object()) fault(where, "expected an object");
    const auto found = json.find(name);
    if (found == json.end()) fault(where, fmt::format("expected a member '{}'", name));
    return *found;
  }
  double positive(const Json& json, const std::string& where) const {
    if (!json.is_number()) fault(where, "expected a number");
    const double value = json.get<double>();
    if (!std::isfinite(value) || value <= 0) fault(where, "expected a positive number");
    return value;
  }

  /// What is too short for the clock is left out, as what was not measured.
  void take_overhead(const Json& metrics, const char* name, double bytes, const std::string& where,
                     std::vector<comm::MessageTime>& times) const {
    if (!metrics.contains(name)) return;
    const std::string at = fmt::format("{}.metrics.{}", where, name);
    const Json& value = member(metrics[name], "value", at);
    if (value == 0) return;
    const double seconds = positive(value, at + ".value") * 1e-9;
    if (!(seconds > 0)) fault(at + ".value", "expected a larger number");
    times.push_back({bytes, seconds});
  }

  /// Records of other programs and ways are passed over.
  void take(const Json& record, const std::string& where) {
    const Json& parameters = member(record, "parameters", where);
    if (!parameters.is_object()) fault(where + ".parameters", "expected an object");
    if (parameters.value("app", Json()) != "pingpong" || parameters.value("way", Json()) != way_) {
      return;
    }
    const Json& metrics = member(record, "metrics", where);
    const std::string size_at = where + ".parameters.size";
    const double bytes = positive(member(parameters, "size", where + ".parameters"), size_at);
    if (bytes < 1) fault(size_at, "expected a byte at least");
    // A GET's latency is that of its whole round trip.
    const double ways = way_ == "get" ? 2 : 1;
    const std::string latency_at = where + ".metrics.latency_ns";
    const Json& latency = member(metrics, "latency_ns", where + ".metrics");
    const double nanoseconds =
        positive(member(latency, "value", latency_at), latency_at + ".value");
    const double seconds = nanoseconds * 1e-9 / ways;
    if (!(seconds > 0)) fault(latency_at + ".value", "expected a positive number");
    times_.one_way.push_back({bytes, seconds});
    take_overhead(metrics, "send_overhead_ns", bytes, where, times_.overhead);
    take_overhead(metrics, "receive_overhead_ns", bytes, where, times_.receive_overhead);
    if (bytes >= smallest_ || !metrics.contains("bandwidth")) return;
    const std::string bandwidth_at = where + ".metrics.bandwidth";
    const double rate =
        positive(member(metrics["bandwidth"], "value", bandwidth_at), bandwidth_at + ".value");
    const double interval = bytes / rate * 1e-9;
    if (!std::isfinite(interval)) fault(bandwidth_at + ".value", "expected a larger number");
    smallest_ = bytes;
    times_.interval_s = interval;
  }

  std::string name_, way_;
  comm::MessageTimes times_;
  double smallest_ = std::numeric_limits<double>::infinity();
};

}  // namespace

comm::MessageTimes parse_pingpong(std::string_view text, const std::string& name,
                                  const std::string& way) {
  return PingpongFile(name, way).read(text);
}

comm::MessageTimes read_pingpong(const std::string& path, const std::string& way) {
  const detail::InputFile file = detail::open_input(path);
  return parse_pingpong(detail::read_start(file.handle.get(), path, file.size()), path, way);
}

}  // namespace kinjo
