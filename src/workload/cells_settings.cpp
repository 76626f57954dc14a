#include "workload/cells_settings.hpp"

#include <fmt/format.h>

#include "base/text.hpp"
#include "workload/choose.hpp"

namespace kinjo {

namespace {

std::size_t parse_rounds(const std::string& value) {
  const auto number = detail::parse_number<std::size_t>(value);
  if (!number || *number == 0 || *number > 10'000) {
    throw Error(
        Errc::invalid_argument,
        fmt::format("'{}' rounds: expected a number from 1 to 10000", detail::printable(value)));
  }
  return *number;
}

}  // namespace

comm::Form parse_form(const std::string& name) {
  return choose<comm::Form>("form", name,
                            {{"put", comm::Form::put},
                             {"get", comm::Form::get},
                             {"send", comm::Form::send},
                             {"direct", comm::Form::direct}});
}

int parse_ahead(const std::string& value) {
  const auto number = detail::parse_number<int>(value);
  if (!number || *number < 1) {
    throw Error(Errc::invalid_argument, fmt::format("'{}' cells ahead: expected a number from 1",
                                                    detail::printable(value)));
  }
  return *number;
}

std::vector<std::size_t> parse_cells_sizes(const std::string& text) {
  std::vector<std::size_t> sizes;
  for (const std::string_view part : detail::split(text, ',')) {
    const auto number = detail::parse_count(part);
    if (!number) {
      throw Error(
          Errc::invalid_argument,
          fmt::format("'{}' as a size: expected a number from 1 to 2^62, such as 1000 or 64K",
                      detail::printable(part)));
    }
    sizes.push_back(*number);
  }
  return sizes;
}

std::vector<std::size_t> default_cells_sizes(CellsApp app) {
  switch (app) {
    case CellsApp::pingpong:
      return {8, 64, 1024, 16384, 262144, 1048576};
    case CellsApp::gemm:
      return {2048};
    case CellsApp::scg:
      break;
  }
  return {512};
}

void set_cells(CellsSettings& settings, const std::string& name, const std::string& value) {
  if (name == "app") {
    settings.app = choose<CellsApp>(
        name, value,
        {{"pingpong", CellsApp::pingpong}, {"gemm", CellsApp::gemm}, {"scg", CellsApp::scg}});
  } else if (name == "size") {
    settings.sizes = parse_cells_sizes(value);
  } else if (name == "form") {
    settings.forms = {parse_form(value)};
  } else if (name == "ahead") {
    settings.ahead = parse_ahead(value);
  } else if (name == "transport") {
    settings.transport = choose<CellsTransport>(
        name, value,
        {{"threads", CellsTransport::threads}, {"processes", CellsTransport::processes}});
  } else if (name == "rounds") {
    settings.rounds = parse_rounds(value);
  } else {
    throw Error(Errc::invalid_argument,
                fmt::format("cells has no parameter '{}': expected {}", name, kCellsParameters));
  }
}

}  // namespace kinjo
