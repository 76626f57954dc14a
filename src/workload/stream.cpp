#include "workload/stream.hpp"

#include <algorithm>
#include <array>
#include <chrono>
#include <optional>

#include <fmt/format.h>
#include <kinjo/error.hpp>

#include "base/text.hpp"

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

Record empty_record(const StreamRequest& request, const Mapping& mapping) {
  Record record{.workload = "stream",
                .parameters = {{"elements", static_cast<std::int64_t>(request.elements)},
                               {"rounds", static_cast<std::int64_t>(request.rounds)},
                               {"pages", to_string(request.pages)},
                               {"bind", to_string(request.bind)}},
                .policy = mapping.policy().name(),
                .threads = mapping.size()};
  for (StreamOperation operation : kOperations) {
    record.metrics.push_back({.name = to_string(operation),
                              .unit = "GB/s",
                              .flops_per_byte = flops_per_byte(operation)});
  }
  return record;
}

/// What a round says besides its times; `wrong` gets the number of pages that lie elsewhere than
/// asked.
Values round_result(const Stream& stream, bool binds, std::size_t& wrong) {
  const ArrayAudit audit = stream.audit();
  wrong = binds ? audit.pages() - audit.as_asked() : 0;
  Values result = {{"stores", stream.streams() ? "streaming" : "cached"},
                   {"placement", to_string(stream.placement().rung)},
                   {"pages", static_cast<std::int64_t>(audit.pages())}};
  if (binds) {
    result.push_back({"pages_as_asked", static_cast<std::int64_t>(audit.as_asked())});
  }
  result.push_back({"pages_where", audit.total().to_string()});
  if (!stream.pages().message.empty()) {
    result.push_back({"pages_message", stream.pages().message});
  }
  if (!stream.placement().message.empty()) {
    result.push_back({"placement_message", stream.placement().message});
  }
  return result;
}

/// A configuration on its way through the rounds. Of what the rounds say besides their times, the
/// worst is kept: the first fault, and the round with the most pages elsewhere than asked.
struct Series {
  Record record;
  std::size_t wrong_pages = 0;
  std::optional<std::string> fault;
};

void run_once(const StreamRequest& request, const Mapping& mapping, Series& series) {
  Record& record = series.record;
  Team team(mapping, {.bind = request.bind});
  Stream stream(team, request.elements, request.pages, request.stores);
  std::array<double, kOperations.size()> best{};
  for (int pass = 0; pass <= kStreamPasses; ++pass) {
    for (std::size_t o = 0; o < kOperations.size(); ++o) {
      const double seconds = time_once(stream, kOperations[o]);
      const double bytes = static_cast<double>(stream_bytes_per_element(kOperations[o])) *
                           static_cast<double>(request.elements);
      if (pass > 0) best[o] = std::max(best[o], bytes / seconds / 1e9);
    }
  }
  for (std::size_t o = 0; o < best.size(); ++o) record.metrics[o].samples.push_back(best[o]);
  const auto fault = stream.verify();
  record.verified = record.verified.value_or(true) && !fault;
  if (!series.fault) series.fault = fault;
  std::size_t wrong = 0;
  Values result = round_result(stream, mapping.binds(), wrong);
  if (!record.result.empty() && wrong <= series.wrong_pages) return;
  series.wrong_pages = wrong;
  record.result = std::move(result);
}

}  // namespace

StreamSize settle_stream_size(const Topology& machine, std::size_t elements) {
  constexpr std::size_t kArrayBytes = 3 * sizeof(double);
  constexpr double kShare = 0.6;  // the rest is for the system and for others
  const std::size_t available = available_memory_bytes();
  const auto most =
      available == 0
          ? SIZE_MAX / kArrayBytes
          : static_cast<std::size_t>(kShare * static_cast<double>(available)) / kArrayBytes;
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
  std::vector<Series> all;
  for (const Mapping& mapping : request.configurations) {
    all.push_back({.record = empty_record(request, mapping)});
  }
  const std::size_t count = all.size();
  for (std::size_t step = 0; step < request.rounds * count; ++step) {
    const std::size_t round = step / count;
    const std::size_t c = (step + round) % count;
    const Mapping& mapping = request.configurations[c];
    if (progress) {
      progress({step, request.rounds * count,
                fmt::format("{}, {} thread{}", mapping.policy().name(), mapping.size(),
                            mapping.size() == 1 ? "" : "s")});
    }
    run_once(request, mapping, all[c]);
  }
  std::vector<Record> records;
  for (Series& series : all) {
    if (series.fault) series.record.result.push_back({"fault", *series.fault});
    records.push_back(std::move(series.record));
  }
  return records;
}

}  // namespace kinjo
