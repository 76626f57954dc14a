#include "workload/registry.hpp"

#include <fmt/format.h>
#include <kinjo/error.hpp>

#include "base/text.hpp"
#include "workload/stream.hpp"

namespace kinjo {

namespace {

/// The entry of a small dictionary; throws `Error` that lists its names.
template <class T>
T choose(const std::string& what, const std::string& name,
         std::initializer_list<std::pair<const char*, T>> choices) {
  std::string names;
  for (const auto& [text, value] : choices) {
    if (name == text) return value;
    names += fmt::format("{}{}", names.empty() ? "" : ", ", text);
  }
  throw Error(Errc::invalid_argument,
              fmt::format("unknown {} '{}': expected one of {}", what, name, names));
}

constexpr const char* kStreamParameters = "elements, pages, stores";

std::unique_ptr<Subject> make_stream(const Topology& machine, const WorkloadOptions& options) {
  StreamSettings settings{.bind = options.bind};
  for (const auto& [name, value] : options.parameters) {
    if (name == "elements") {
      const auto number = detail::parse_number<std::size_t>(value);
      if (!number || *number == 0) {
        throw Error(Errc::invalid_argument,
                    fmt::format("'{}' elements: expected a positive number", value));
      }
      settings.elements = *number;
    } else if (name == "pages") {
      settings.pages = choose<Pages>(
          name, value,
          {{"normal", Pages::normal}, {"transparent", Pages::transparent}, {"huge", Pages::huge}});
    } else if (name == "stores") {
      settings.stores = choose<StreamStores>(name, value,
                                             {{"automatic", StreamStores::automatic},
                                              {"cached", StreamStores::cached},
                                              {"streaming", StreamStores::streaming}});
    } else {
      throw Error(Errc::invalid_argument, fmt::format("stream has no parameter '{}': expected {}",
                                                      name, kStreamParameters));
    }
  }
  settings.elements = settle_stream_size(machine, settings.elements).elements;
  return std::make_unique<StreamSubject>(settings);
}

constexpr Workload kWorkloads[] = {
    {"stream", "memory bandwidth (STREAM)", kStreamParameters, make_stream},
};

}  // namespace

std::span<const Workload> workloads() { return kWorkloads; }

const Workload& find_workload(const std::string& name) {
  std::string names;
  for (const Workload& workload : kWorkloads) {
    if (name == workload.name) return workload;
    names += fmt::format("{}{}", names.empty() ? "" : ", ", workload.name);
  }
  throw Error(
      Errc::invalid_argument,
      fmt::format("unknown workload '{}': expected {}, or a command after --", name, names));
}

}  // namespace kinjo
