#include "workload/stream.hpp"

#include <algorithm>
#include <array>
#include <chrono>
#include <optional>

#include <fmt/format.h>
#include <kinjo/error.hpp>

#include "base/text.hpp"
#include "workload/memory_use.hpp"

namespace kinjo {

namespace {

constexpr std::array kOperations = {StreamOperation::copy, StreamOperation::scale,
                                    StreamOperation::add, StreamOperation::triad};

double time_once(Stream& stream, StreamOperation operation) {
  const auto start = std::chrono::steady_clock::now();
  stream.run(operation);
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

/// What an element costs in operations, over the bytes that STREAM counts for it.
double flops_per_byte(StreamOperation operation) {
  constexpr double kFlops[] = {0, 1, 1, 2};  // copy, scale, add, triad
  return kFlops[static_cast<std::size_t>(operation)] /
         static_cast<double>(stream_bytes_per_element(operation));
}

}  // namespace

StreamSubject::StreamSubject(const StreamSettings& settings) : settings_(settings) {
  for (StreamOperation operation : kOperations) {
    metrics_.push_back({.name = to_string(operation),
                        .unit = "GB/s",
                        .flops_per_byte = flops_per_byte(operation)});
  }
}

Values StreamSubject::parameters() const {
  return {{"elements", static_cast<std::int64_t>(settings_.elements)},
          {"pages", to_string(settings_.pages)},
          {"bind", to_string(settings_.bind)}};
}

std::optional<Sample> StreamSubject::run(const Configuration& configuration) {
  const auto start = std::chrono::steady_clock::now();
  const Mapping& mapping = configuration.mapping;
  Team team(mapping, {.bind = settings_.bind, .caller = Caller::joins});
  Stream stream(team, settings_.elements, settings_.pages, settings_.stores);
  Sample sample;
  sample.values.resize(kOperations.size());
  for (int pass = 0; pass <= kStreamPasses; ++pass) {
    for (std::size_t o = 0; o < kOperations.size(); ++o) {
      const double seconds = time_once(stream, kOperations[o]);
      const double bytes = static_cast<double>(stream_bytes_per_element(kOperations[o])) *
                           static_cast<double>(settings_.elements);
      double& best = sample.values[o];
      if (pass > 0) best = std::max(best, bytes / seconds / 1e9);
    }
  }
  sample.fault = stream.verify().value_or("");
  sample.result = {{"stores", stream.streams() ? "streaming" : "cached"}};
  add_memory_values(sample, stream.placement(), stream.pages(), stream.audit(), mapping.binds());
  sample.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  return sample;
}

std::size_t parse_stream_elements(const std::string& text) {
  if (const auto count = detail::parse_count(text)) return *count;
  throw Error(
      Errc::invalid_argument,
      fmt::format("'{}' elements: expected a number from 1 to 2^62, such as 16M or 2^24", text));
}

StreamSize settle_stream_size(const Topology& machine, std::size_t elements) {
  constexpr std::size_t kArrayBytes = 3 * sizeof(double);
  const auto [most, available] = room_for(kArrayBytes);
  if (elements > most) {
    throw Error(Errc::out_of_memory,
                fmt::format("three arrays of {} doubles do not fit: expected at most {} elements, "
                            "60 % of the {} that are available",
                            elements, most, detail::format_bytes(available)));
  }
  const std::size_t rule = stream_elements(machine);
  StreamSize size{.elements = elements ? elements : std::min(rule, most)};
  size.bytes = size.elements * kArrayBytes;
  if (size.elements < rule) {
    size.remark = fmt::format("less than STREAM's rule asks ({} elements, four times the caches){}",
                              rule, elements ? "" : ": memory is short");
  }
  return size;
}

std::vector<Record> run_stream(const StreamRequest& request, const ProgressSink& progress) {
  StreamSubject subject(request.settings);
  std::vector<Configuration> configurations;
  for (const Mapping& mapping : request.configurations) configurations.push_back({mapping});
  auto records = run_rounds(subject, configurations, request.rounds, progress);
  for (Record& record : records) {
    record.parameters.push_back({"rounds", static_cast<std::int64_t>(request.rounds)});
  }
  return records;
}

}  // namespace kinjo
