#include "fft_files.hpp"

#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <string_view>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <kinjo/error.hpp>
#include <kinjo/memory.hpp>
#include <nlohmann/json.hpp>

#include "base/text.hpp"
#include "base/whole_file.hpp"
#include "fft/file_transform.hpp"
#include "fft_wisdom.hpp"
#include "measure/sampling.hpp"
#include "progress.hpp"
#include "report/json.hpp"
#include "tune/signals.hpp"

namespace kinjo::cli {

namespace {

using fft::Scale;
using fft::detail::Check;
using fft::detail::Direction;
using fft::detail::FileRequest;
using fft::detail::FileTransform;

/// One of `--axes`; nothing if it is no whole number.
std::optional<long> axis_of(std::string_view text) { return detail::parse_number<long>(text); }

CLI::Validator list_of_axes() {
  const auto refuse = [](const std::string& text) -> std::string {
    for (const std::string_view part : detail::split(text, ',')) {
      if (axis_of(part)) continue;
      return fmt::format("'{}': expected whole numbers, such as 0,2 or -1",
                         detail::printable(text));
    }
    return {};
  };
  return CLI::Validator(refuse, "");
}

std::vector<long> axes_of(const std::string& list) {
  std::vector<long> axes;
  if (list.empty()) return axes;
  for (const std::string_view part : detail::split(list, ',')) {
    axes.push_back(axis_of(part).value());
  }
  return axes;
}

FileRequest request_of(const FftFilesOptions& options) {
  FileRequest request{.input = options.input,
                      .output = options.output,
                      .direction = options.inverse ? Direction::backward : Direction::forward,
                      .real = options.real,
                      .axes = axes_of(options.axes),
                      .length = options.length};
  if (options.length != 0 && !(options.real && options.inverse)) {
    throw Error(Errc::invalid_argument, "--length is for --inverse --real: expected both");
  }
  if (options.norm == "ortho") request.forward = request.backward = Scale::by_root_n;
  if (options.norm == "forward") {
    request.forward = Scale::by_n;
    request.backward = Scale::one;
  }
  return request;
}

std::string shape_text(const FileTransform::Shape& shape) {
  return fmt::format("{}", fmt::join(shape, " × "));
}

std::string title(const FileTransform& transform) {
  return fmt::format("{} of {} to {} of {}", shape_text(transform.in_shape()),
                     to_string(transform.in_type()), shape_text(transform.out_shape()),
                     to_string(transform.out_type()));
}

void check_memory(const FileTransform& transform, bool verified, std::size_t threads) {
  const std::uint64_t bytes = transform.memory_bytes(verified, threads),
                      available = available_memory_bytes();
  note(fmt::format("fft: {}: up to {} of memory, reads {} and writes {}", title(transform),
                   detail::format_bytes(bytes), detail::format_bytes(transform.in_bytes()),
                   detail::format_bytes(transform.out_bytes())));
  if (available == 0 || bytes <= available) return;
  throw Error(Errc::out_of_memory,
              fmt::format("the transform takes {} of memory: expected at most the {} that are "
                          "available",
                          detail::format_bytes(bytes), detail::format_bytes(available)));
}

/// What was measured of the transform; no cuts where nothing was, which is told.
fft::Wisdom::Cuts known_cuts(const FftFilesOptions& options, const FileTransform& transform,
                             const Topology& machine, const Mapping& mapping) {
  if (options.wisdom.empty()) return {};
  const fft::Wisdom wisdom = read_wisdom(options.wisdom, Absent::refused);
  const auto key =
      transform.wisdom_key(fft::wisdom_place(machine, mapping, {}, transform.arrays()));
  if (!key) {
    note(
        "fft: wisdom has no plans of some axes alone, nor of real numbers along several: the plan "
        "is chosen without");
    return {};
  }
  const auto cuts = wisdom.find(*key);
  if (!cuts) {
    note(
        fmt::format("fft: '{}' has no plan of this transform on this machine, with these threads "
                    "and this policy: the plan is chosen without",
                    detail::printable(options.wisdom)));
  }
  return cuts.value_or(fft::Wisdom::Cuts());
}

/// Seconds of the stages.
struct Stages {
  double load = 0, transform = 0, verify = 0, store = 0;
};

template <class F>
double time_of(const F& f) {
  const double start = now_seconds();
  f();
  return now_seconds() - start;
}

double mflops(const FileTransform& transform, const FftFilesOptions& options, double seconds) {
  const double n = std::max(transform.transform_points(), 2.0);
  return (options.real ? 2.5 : 5) * transform.points() * std::log2(n) / seconds / 1e6;
}

void print_text(const FileTransform& transform, const FftFilesOptions& options, std::size_t threads,
                const Stages& stages, const std::optional<Check>& check) {
  print(
      fmt::format("{}: {}\n  read in {:.2f} s, transformed in {:.3f} s ({:.0f} MFLOP/s, {} "
                  "thread{}), written in {:.2f} s\n",
                  detail::printable(options.output), title(transform), stages.load,
                  stages.transform, mflops(transform, options, stages.transform), threads,
                  threads == 1 ? "" : "s", stages.store));
  if (!check) return;
  print(
      fmt::format("  verified: relative error {:.2g}, by {} elements and {} columns; bound {:.2g}; "
                  "in {:.2f} s\n",
                  std::max(check->error, check->column_error), check->elements, check->columns,
                  check->bound, stages.verify));
}

Json json_of(const FileTransform& transform, const FftFilesOptions& options, std::size_t threads,
             const Stages& stages, const std::optional<Check>& check) {
  Json json = Json::object();
  json["schema"] = "kinjo-fft-file/1";
  json["in_shape"] = transform.in_shape();
  json["in_type"] = to_string(transform.in_type());
  json["out_shape"] = transform.out_shape();
  json["out_type"] = to_string(transform.out_type());
  json["threads"] = threads;
  json["memory_bytes"] = transform.memory_bytes(options.verify, threads);
  json["read_seconds"] = stages.load;
  json["transform_seconds"] = stages.transform;
  json["write_seconds"] = stages.store;
  json["mflops"] = mflops(transform, options, stages.transform);
  if (check) {
    json["error"] = std::max(check->error, check->column_error);
    json["error_bound"] = check->bound;
    json["verified"] = true;
    json["verify_seconds"] = stages.verify;
  }
  return json;
}

/// Pieces of reading and writing on a bar; false when somebody asked to stop. While it is
/// transformed there are no pieces, and nothing on the disk: then an interruption ends the program.
class Pace {
 public:
  Pace(const FileTransform& transform, detail::Signals& signals)
      : in_(transform.in_bytes()), out_(transform.out_bytes()), signals_(signals) {}

  bool stopped() { return signals_.interrupted() != 0; }
  FileTransform::GoOn reading() {
    return [this](std::uint64_t done) { return show(done, "reading"); };
  }
  void transforming() { show(in_, "transforming"); }
  FileTransform::GoOn writing() {
    return [this](std::uint64_t done) { return show(in_ + done, "writing"); };
  }

 private:
  bool show(std::uint64_t done, const char* what) {
    constexpr std::uint64_t kMiB = 1 << 20;
    bar_.show({static_cast<std::size_t>(done / kMiB),
               static_cast<std::size_t>(std::max<std::uint64_t>((in_ + out_) / kMiB, 1)), what});
    return !stopped();
  }
  std::uint64_t in_, out_;
  detail::Signals& signals_;
  ProgressBar bar_;
};

/// What a run came to.
struct Done {
  Stages stages;
  std::optional<Check> check;
  bool whole = false;  ///< nobody asked to stop

  bool good() const { return !check || check->passed(); }
};

/// Reads, transforms, checks, and writes what is right.
Done make(FileTransform& transform, Team& team, const fft::Wisdom::Cuts& cuts, bool verified,
          detail::Signals& signals) {
  Done done;
  Pace pace(transform, signals);
  done.stages.load = time_of([&] { done.whole = transform.load(pace.reading()); });
  if (!done.whole) return done;
  pace.transforming();
  {
    const detail::Signals::Ending ending(signals);
    done.stages.transform = time_of([&] { transform.transform(&team, cuts); });
    if (verified) done.stages.verify = time_of([&] { done.check = transform.verify(); });
  }
  if (done.good()) {
    done.stages.store = time_of([&] { done.whole = transform.store(pace.writing()); });
  }
  return done;
}

}  // namespace

void FftFilesOptions::add_to(CLI::App& command) {
  command.add_option("IN", input, "an array of real or complex numbers, a .npy file")
      ->type_name("FILE");
  command.add_flag("--inverse", inverse, "transform back");
  command.add_option("--axes", axes, "axes to transform, from 0 on, or from the end if negative")
      ->check(list_of_axes())
      ->type_name("LIST");
  command.add_option("--norm", norm, "which direction is scaled: backward, ortho or forward")
      ->check(CLI::IsMember({"backward", "ortho", "forward"}))
      ->capture_default_str();
  command.add_option("--length", length, "numbers along the halved axis, for --inverse --real")
      ->check(whole_number(1))
      ->type_name("N");
}

int run_fft_files(const FftFilesOptions& options) {
  detail::Signals signals;
  const Topology& machine = Topology::this_machine();
  const Mapping mapping = options.placement.mapping(machine);
  const BindLevel bind = parse_bind_level(options.bind);
  FileTransform transform(request_of(options));
  check_apart({{"--output", options.output}, {"--wisdom", options.wisdom}});
  const fft::Wisdom::Cuts cuts = known_cuts(options, transform, machine, mapping);
  detail::check_writable(options.output);
  check_memory(transform, options.verify, mapping.size());
  Team team(mapping, {.bind = bind});
  const Done done = make(transform, team, cuts, options.verify, signals);
  if (!done.whole) {
    note("interrupted; nothing is written");
    return 128 + signals.interrupted();
  }
  if (!done.good()) {
    note(fmt::format("verification failed: {}; '{}' is left as it was", done.check->fault,
                     detail::printable(options.output)));
    return kBadResult;
  }
  // Behind the array nothing else should stand.
  if (detail::descriptor_named(options.output) == STDOUT_FILENO) return kDone;
  if (options.format == Format::text) {
    print_text(transform, options, mapping.size(), done.stages, done.check);
  } else {
    const Json json = json_of(transform, options, mapping.size(), done.stages, done.check);
    print(options.format == Format::json ? json_text(json) : json_csv(json));
  }
  return kDone;
}

}  // namespace kinjo::cli
