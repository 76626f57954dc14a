#include "gemm_files.hpp"

#include <sys/resource.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <limits>
#include <new>
#include <optional>
#include <vector>

#include <fmt/format.h>
#include <kinjo/error.hpp>
#include <kinjo/memory.hpp>
#include <nlohmann/json.hpp>

#include "base/text.hpp"
#include "gemm/files/multiply_files.hpp"
#include "gemm/files/verify_files.hpp"
#include "progress.hpp"
#include "report/json.hpp"
#include "tune/signals.hpp"

namespace kinjo::cli {

namespace {

using gemm::FilesProduct;
using gemm::FilesRequest;
using gemm::FilesResult;
using gemm::StoredMatrix;
using gemm::Verification;

double now_seconds() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

/// User and system time of all threads.
double cpu_seconds() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  const auto seconds = [](const timeval& t) {
    return static_cast<double>(t.tv_sec) + 1e-6 * static_cast<double>(t.tv_usec);
  };
  return seconds(usage.ru_utime) + seconds(usage.ru_stime);
}

std::uint64_t limit_of(const GemmFilesOptions& options) {
  return options.memory_limit.empty() ? available_memory_bytes()
                                      : parse_memory_limit(options.memory_limit);
}

FilesRequest request_of(const GemmFilesOptions& options) {
  const auto transposed = [](bool is) {
    return is ? StoredMatrix::Transposed::yes : StoredMatrix::Transposed::no;
  };
  FilesRequest request;
  request.a = options.a;
  request.b = options.b;
  request.c = options.output;
  request.transpose_a = transposed(options.transpose_a);
  request.transpose_b = transposed(options.transpose_b);
  request.alpha = options.alpha;
  request.order = options.order == "C" ? detail::NpyOrder::c : detail::NpyOrder::fortran;
  request.plan = options.plan;
  request.memory_limit = limit_of(options);
  request.touch = options.no_touch ? gemm::Touch::when_needed : gemm::Touch::ahead;
  request.access = options.io == "direct" ? gemm::Access::direct : gemm::Access::cached;
  request.resume = options.resume;
  return request;
}

/// What a run's parts cost on this machine.
struct Rates {
  double flops, bytes;                ///< in a second
  double run_seconds;                 ///< of beginning a run of bytes
  double step_seconds, sync_seconds;  ///< of a step with nothing to do; of bringing it to the disk
};

/// The least seconds of a few products m × n × k.
template <class T>
double product_seconds(Team& team, std::size_t m, std::size_t n, std::size_t k) {
  const std::vector<T> a(m * k, T{1}), b(k * n, T{1});
  std::vector<T> c(m * n);
  double least = std::numeric_limits<double>::infinity();
  for (int i = 0; i < 3; ++i) {
    const double start = now_seconds();
    gemm::multiply(team, T{1}, gemm::View<const T>(a.data(), m, k),
                   gemm::View<const T>(b.data(), k, n), T{0}, gemm::View<T>(c.data(), m, n));
    least = std::min(least, now_seconds() - start);
  }
  return least;
}

double product_seconds(Team& team, std::size_t element_bytes, std::size_t m, std::size_t n,
                       std::size_t k) {
  return element_bytes == 4 ? product_seconds<float>(team, m, n, k)
                            : product_seconds<double>(team, m, n, k);
}

/// Seconds for each of some runs of bytes spread over a file, which several tasks read; in a short
/// file they are the same again and again.
double read_seconds(const StoredMatrix& matrix, std::size_t runs, std::uint64_t most_bytes) {
  constexpr std::size_t kTasks = 4;
  const std::uint64_t size = matrix.layout().end();
  const std::uint64_t bytes = std::min(size, most_bytes);
  const std::uint64_t room = bytes + 3 * gemm::kDirectBlock;  // and of whole blocks
  const std::uint64_t slot = room - room % gemm::kDirectBlock;
  Buffer buffer = alloc(kTasks * slot);
  const auto read = [&](std::size_t task) {
    for (std::size_t run = task; run < runs; run += kTasks) {
      const std::uint64_t at = (size - bytes) / runs * run;
      matrix.read(at - at % gemm::kDirectBlock, bytes,
                  static_cast<char*>(buffer.data()) + task * slot + gemm::kDirectBlock);
    }
  };
  gemm::TouchTasks tasks(kTasks);
  tasks.join(tasks.start({0, kTasks, [](std::size_t) {}, {}, {}}));  // its threads have begun
  const double start = now_seconds();
  tasks.join(tasks.start({0, kTasks, read, {}, {}}));
  return (now_seconds() - start) / static_cast<double>(runs);
}

Rates probe(const FilesProduct& product, Team& team) {
  constexpr std::size_t kSize = 256;  // stays in the caches
  const std::size_t element = product.problem().element_bytes;
  const double whole = read_seconds(product.a(), 4, gemm::kLongestRun);
  const auto bytes = std::min<std::uint64_t>(product.a().layout().end(), gemm::kLongestRun);
  return {2.0 * kSize * kSize * kSize / product_seconds(team, element, kSize, kSize, kSize),
          static_cast<double>(bytes) / whole, read_seconds(product.a(), 64, gemm::kDirectBlock),
          product_seconds(team, element, 1, 1, 1), product.sync_seconds().value_or(0)};
}

double expected_seconds(const FilesProduct& product, Team& team) {
  const gemm::Problem& p = product.problem();
  const gemm::StorageChoice& s = product.storage();
  const Rates rates = probe(product, team);
  const auto steps = static_cast<double>(product.steps());
  const double work = 2.0 * static_cast<double>(p.m) * static_cast<double>(p.n) *
                          static_cast<double>(p.k) / rates.flops +
                      steps * rates.step_seconds;
  const double moving = (s.read_bytes + s.written_bytes) / rates.bytes + s.runs * rates.run_seconds;
  const double open = s.moved() > 0 ? (s.first_bytes + s.last_bytes) / s.moved() * moving : 0;
  // A panel and its record reach the disk one after the other.
  const double syncs = 2 * static_cast<double>(product.panels()) * rates.sync_seconds;
  const double all = std::max({work, moving - open, syncs}) + open;
  return all * static_cast<double>(product.steps() - product.steps_done()) / steps;
}

std::string bytes_text(double bytes) {
  return detail::format_bytes(static_cast<std::uint64_t>(std::min(bytes, 0x1p63)));
}

std::string shape_text(const FilesProduct& product) {
  const gemm::Problem& p = product.problem();
  return fmt::format("{} × {} × {} of {}", p.m, p.n, p.k, detail::to_string(product.a().type()));
}

void say_needs(const FilesProduct& product, std::uint64_t limit, double seconds) {
  const gemm::StorageChoice& s = product.storage();
  note(fmt::format("gemm: {} by {}", shape_text(product), product.plan().to_string()));
  note(fmt::format(
      "gemm: up to {} of memory (limit {}), reads {} and writes {} in {} step{}{}: "
      "about {:.0f} s",
      bytes_text(static_cast<double>(product.memory_bytes())), detail::format_bytes(limit),
      bytes_text(s.read_bytes), bytes_text(s.written_bytes), product.steps(),
      product.steps() == 1 ? "" : "s",
      product.steps_done() == 0 ? "" : fmt::format(", {} of them done", product.steps_done()),
      seconds));
}

/// A limit that is given may be more than there is. Where a control group has less, the system ends
/// the run and nobody says why.
void warn_of_memory(const FilesProduct& product) {
  const std::uint64_t available = available_memory_bytes();
  if (available == 0 || product.memory_bytes() <= available) return;
  note(
      fmt::format("gemm: only {} of memory are available (a control group's limit, or other "
                  "programs): the system may end this run without a word; a --memory-limit below "
                  "that avoids it",
                  detail::format_bytes(available)));
}

/// What a run came to.
struct Measured {
  double seconds, cpu_seconds;
  std::size_t threads;
  std::optional<Verification> verification;
};

/// S3 section 3.1: the time by which the elapsed time exceeds the CPU time, for each page moved.
double page_seconds(const FilesResult& result, const Measured& m) {
  const double pages = static_cast<double>(result.read_bytes + result.written_bytes) /
                       static_cast<double>(gemm::kDirectBlock);
  const double lost = m.seconds - m.cpu_seconds / static_cast<double>(m.threads);
  return pages > 0 ? std::max(lost, 0.0) / pages : 0;
}

double cpu_rate(const FilesResult& result, const Measured& m) {
  return result.flops * static_cast<double>(m.threads) / m.cpu_seconds / 1e9;
}

std::string verified_text(const Verification& v) {
  if (!v.is_tested()) {
    return fmt::format(
        "  not verified: {} of {} rows and {} of {} columns could be tested, as the rest is not "
        "finite\n",
        v.rows_tested, v.rows, v.columns_tested, v.columns);
  }
  const std::size_t apart = v.columns - v.columns_tested;
  return fmt::format(
      "  verified: {} of {} rows{}, off by {:.2g} of their bound at most, and {} elements, "
      "by {:.2g}\n",
      v.rows_tested, v.rows,
      apart == 0 ? "" : fmt::format(" but for {} of {} columns", apart, v.columns), v.worst_row,
      v.elements, v.worst_element);
}

void print_text(const FilesProduct& product, const FilesResult& result, const Measured& m,
                const std::string& output) {
  const double moved = static_cast<double>(result.read_bytes + result.written_bytes);
  print(fmt::format(
      "{}: {}\n"
      "  {:.2f} s: {:.1f} GFLOP/s by elapsed time, {:.1f} by CPU time, {} thread{}\n"
      "  {} read, {} written: {:.2f} GB/s; {:.2f} s waited for data; {:.2f} µs for each page of {} "
      "moved\n",
      detail::printable(output), shape_text(product), m.seconds, result.flops / m.seconds / 1e9,
      cpu_rate(result, m), m.threads, m.threads == 1 ? "" : "s",
      detail::format_bytes(result.read_bytes), detail::format_bytes(result.written_bytes),
      moved / m.seconds / 1e9, result.waited_seconds, 1e6 * page_seconds(result, m),
      detail::format_bytes(gemm::kDirectBlock)));
  if (m.verification) print(verified_text(*m.verification));
}

Json json_of(const FilesProduct& product, const FilesResult& result, const Measured& m) {
  const gemm::Problem& p = product.problem();
  Json json = Json::object();
  json["schema"] = "kinjo-gemm-files/1";
  json["m"] = p.m;
  json["n"] = p.n;
  json["k"] = p.k;
  json["type"] = detail::to_string(product.a().type());
  json["plan"] = product.plan().to_string();
  json["threads"] = m.threads;
  json["memory_bytes"] = product.memory_bytes();
  json["planned_read_bytes"] = static_cast<std::uint64_t>(product.storage().read_bytes);
  json["planned_runs"] = static_cast<std::uint64_t>(std::llround(product.storage().runs));
  json["read_bytes"] = result.read_bytes;
  json["written_bytes"] = result.written_bytes;
  json["seconds"] = m.seconds;
  json["cpu_seconds"] = m.cpu_seconds;
  json["waited_seconds"] = result.waited_seconds;
  json["gflops"] = result.flops / m.seconds / 1e9;
  json["cpu_gflops"] = cpu_rate(result, m);
  json["page_microseconds"] = 1e6 * page_seconds(result, m);
  if (m.verification) {
    json["verified"] = m.verification->is_tested();
    json["rows_tested"] = m.verification->rows_tested;
    json["columns_tested"] = m.verification->columns_tested;
  }
  return json;
}

/// What is left of a run that did not end; nothing to say if it touched nothing.
std::string kept_text(const FilesProduct& product) {
  using Left = gemm::OutputFile::Left;
  const std::string part = detail::printable(product.part_path());
  const Left left = product.left();
  if (left == Left::untouched) return "";
  if (left == Left::nothing) return "; nothing is kept";
  if (left == Left::lost)
    return fmt::format("; nothing is kept, since somebody removed, replaced or cut off '{}'", part);
  if (!product.is_input_unchanged()) {
    return fmt::format(
        "; the inputs changed, so that nothing can go on: delete '{}' and its "
        "journal",
        part);
  }
  return fmt::format("; go on by --resume: '{}' and its journal are kept", part);
}

/// Does parts of the work. What is kept is told with their failure, also where there is no memory
/// to tell it with: the words are made beforehand.
class Keeping {
 public:
  explicit Keeping(const FilesProduct& product)
      : product_(product),
        words_(fmt::format("kinjo: go on by --resume: '{}' and its journal are kept\n",
                           detail::printable(product.part_path()))) {}

  template <class Part>
  auto operator()(Part part) const {
    try {
      try {
        return part();
      } catch (const Error& error) {
        throw Error(error.code(), error.what() + kept_text(product_));
      }
    } catch (const std::bad_alloc&) {
      if (product_.left() == gemm::OutputFile::Left::part) std::fputs(words_.c_str(), stderr);
      throw;
    }
  }

 private:
  const FilesProduct& product_;
  std::string words_;
};

/// Nothing is written yet, and a signal ends the program where it comes.
void settle(std::optional<FilesProduct>& product, const FilesRequest& request,
            const Mapping& mapping, const detail::Signals& signals) {
  const detail::Signals::Ending ending(signals);
  product.emplace(request, mapping.size(),
                  std::vector<int>(mapping.nodes().begin(), mapping.nodes().end()));
}

void announce(const FilesProduct& product, Team& team, const GemmFilesOptions& options,
              std::uint64_t limit, const detail::Signals& signals) {
  const detail::Signals::Ending ending(signals);
  say_needs(product, limit, expected_seconds(product, team));
  if (!options.memory_limit.empty()) warn_of_memory(product);
}

FilesResult multiply(FilesProduct& product, const Keeping& keeping, Team& team,
                     detail::Signals& signals) {
  ProgressBar bar;
  bar.restart();
  // How long the rest takes is told from this run's steps alone.
  const std::size_t before = product.steps_done();
  const auto left = static_cast<double>(product.steps() - before);
  const auto progress = [&](std::size_t done) {
    const double share = left > 0 ? static_cast<double>(done - before) / left : 1;
    bar.show({done, product.steps(), "steps", share});
    return signals.interrupted() == 0;
  };
  return keeping([&] { return product.run(team, progress); });
}

Verification verify(const FilesProduct& product, detail::Signals& signals) {
  constexpr std::size_t kEnough = std::size_t{256} << 20;
  constexpr int kMiB = 20;  // as a shift
  ProgressBar bar;
  const auto progress = [&](std::uint64_t done, std::uint64_t total) {
    bar.show({done >> kMiB, total >> kMiB, "MiB verified",
              static_cast<double>(done) / static_cast<double>(total)});
    return signals.interrupted() == 0;
  };
  return gemm::verify_files(product.alpha(), product.a(), product.b(),
                            StoredMatrix(product.part_path()), std::min(product.budget(), kEnough),
                            progress);
}

}  // namespace

void GemmFilesOptions::add_to(CLI::App& command) {
  command.add_option("A", a, "the left matrix, a .npy file")->type_name("FILE");
  command.add_option("B", b, "the right matrix, a .npy file")->type_name("FILE");
  command
      .add_option("--memory-limit", memory_limit,
                  "most memory to use, such as 2G; default: what the system and the control groups "
                  "leave")
      ->check([](const std::string& text) {
        return std::string(text.empty() ? "'': expected bytes, such as 512M or 2G" : "");
      })
      ->type_name("BYTES");
  command.add_option("--alpha", alpha, "the product is multiplied by this")
      ->check(any_number())
      ->capture_default_str();
  command.add_flag("--transpose-a", transpose_a, "multiply the transposed left matrix");
  command.add_flag("--transpose-b", transpose_b, "multiply the transposed right matrix");
  command.add_option("--order", order, "C or F (Fortran) order of the product")
      ->check(CLI::IsMember({"C", "F"}))
      ->capture_default_str();
  command
      .add_option("--io", io, "direct (past the page cache, where the file system can) or cached")
      ->check(CLI::IsMember({"direct", "cached"}))
      ->capture_default_str();
  command.add_flag("--no-touch", no_touch, "read and write only while nothing is multiplied");
  command.add_flag("--resume", resume, "go on where an interrupted run ended");
}

int run_gemm_files(const GemmFilesOptions& options) {
  detail::Signals signals;
  const Topology& machine = Topology::this_machine();
  const Mapping mapping = options.placement.mapping(machine);
  const BindLevel bind = parse_bind_level(options.bind);
  const FilesRequest request = request_of(options);
  std::optional<FilesProduct> settled;
  settle(settled, request, mapping, signals);
  FilesProduct& product = *settled;
  Team team(mapping, {.bind = bind});  // its threads leave signals to us
  announce(product, team, options, request.memory_limit, signals);
  const Keeping keeping(product);
  const double start = now_seconds(), cpu_start = cpu_seconds();
  const FilesResult result = multiply(product, keeping, team, signals);
  if (result.interrupted) {
    note(fmt::format("interrupted after {} of {} panels of the product{}", result.finished,
                     result.panels, kept_text(product)));
    return 128 + signals.interrupted();
  }
  Measured measured{now_seconds() - start, cpu_seconds() - cpu_start, mapping.size(), {}};
  if (options.verify) {
    const Verification v = keeping([&] { return verify(product, signals); });
    if (v.interrupted) {
      note(fmt::format("interrupted while the product was verified{}", kept_text(product)));
      return 128 + signals.interrupted();
    }
    if (!v.fault.empty()) {
      note(fmt::format("verification failed: {}; '{}' is left as it was, and the product in '{}'",
                       v.fault, detail::printable(options.output),
                       detail::printable(product.part_path())));
      return kBadResult;
    }
    measured.verification = v;
  }
  keeping([&] { product.commit(); });
  if (options.format == Format::text) {
    print_text(product, result, measured, options.output);
  } else {
    const Json json = json_of(product, result, measured);
    print(options.format == Format::json ? json_text(json) : json_csv(json));
  }
  return kDone;
}

}  // namespace kinjo::cli
