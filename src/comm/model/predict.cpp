/// Times by LogGP (kinjo/comm_model.hpp): what a cell does in a step, and what it waits for, put
/// together as the programs of comm/apps are. Rounds that are as deep as a tree of cells take
/// ⌈log2 cells⌉ messages one after the other.
#include <algorithm>
#include <bit>
#include <cmath>

#include <fmt/format.h>
#include <kinjo/comm.hpp>
#include <kinjo/comm_model.hpp>
#include <kinjo/error.hpp>

namespace kinjo::comm {

namespace {

constexpr double kFlagBytes = 8;
constexpr double kValueBytes = 16;  // and its flag

/// ⌈log2 cells⌉
int rounds(int cells) { return static_cast<int>(std::bit_width(static_cast<unsigned>(cells) - 1)); }

/// From the moment a message leaves until its last byte is there.
double flight(const LogGp& p, double bytes) { return (bytes - 1) * p.gap_per_byte_s + p.latency_s; }

/// How long a message keeps its sender.
double send_work(const LogGp& p, double bytes) {
  return p.overhead_s + bytes * p.overhead_per_byte_s;
}

/// Rounds in which nobody sends before he has received, and g is kept between two messages.
double rounds_seconds(const LogGp& p, int count, double bytes) {
  return count * std::max(one_way_seconds(p, bytes), p.gap_s);
}

void check(double size, int cells, const char* what) {
  if (cells >= 1 && std::isfinite(size) && size >= cells) return;
  throw Error(
      Errc::invalid_argument,
      fmt::format("{} of size {} on {} cells: expected at least one cell, and a row for each", what,
                  size, cells));
}

void check_positive(double value, const char* what) {
  if (std::isfinite(value) && value > 0) return;
  throw Error(Errc::invalid_argument,
              fmt::format("{} of {}: expected a positive one", what, value));
}

double gemm_step(const LogGp& p, const GemmCase& gemm, int cells, double bytes, double multiply) {
  const double o = p.overhead_s, s = send_work(p, bytes);
  switch (gemm.form) {
    case Form::put:
      return std::max(s + std::max(multiply, p.gap_s - o) + barrier_seconds(p, cells),
                      s + flight(p, bytes)) +
             o;
    case Form::get:
      return std::max(o + s + multiply, o + p.latency_s + s + flight(p, bytes)) + o;
    case Form::send: {
      const double copy = o + bytes * gemm.copy_seconds_per_byte;
      return copy + std::max(multiply, flight(p, bytes)) + copy;
    }
    case Form::direct:
      break;
  }
  throw Error(Errc::not_supported,
              "the model has no direct loads: cells of other machines cannot be reached by them");
}

Prediction finish(int cells, double seconds, double alone, double computing) {
  return {cells, seconds, alone / (seconds * cells), 1 - computing / seconds};
}

}  // namespace

double one_way_seconds(const LogGp& p, double bytes) {
  return send_work(p, bytes) + flight(p, bytes) + p.overhead_s;
}

double barrier_seconds(const LogGp& p, int cells) {
  return rounds_seconds(p, rounds(cells), kFlagBytes);
}

double all_reduce_seconds(const LogGp& p, int cells, Reduction reduction) {
  if (cells == 1) return 0;
  if (reduction == Reduction::doubling ||
      (reduction == Reduction::kinjo && cells > kTellAllCells)) {
    const bool even = std::has_single_bit(static_cast<unsigned>(cells));
    return rounds_seconds(p, even ? rounds(cells) : rounds(cells) + 1, kValueBytes);
  }
  const double s = send_work(p, kValueBytes);
  return s + (cells - 2) * std::max(s, p.gap_s) + flight(p, kValueBytes) +
         (cells - 1) * p.overhead_s;
}

Prediction predict_gemm(const LogGp& network, const GemmCase& gemm, int cells) {
  check(gemm.size, cells, "a multiply");
  check_positive(gemm.flops_per_second, "a rate");
  const double n = gemm.size, rows = std::ceil(n / cells);
  const double bytes = 8 * n * rows;
  const double multiply = 2 * n * rows * rows / gemm.flops_per_second;
  double seconds = multiply + (cells - 1) * gemm_step(network, gemm, cells, bytes, multiply);
  if (gemm.form == Form::put) seconds += barrier_seconds(network, cells);
  return finish(cells, seconds, 2 * n * n * n / gemm.flops_per_second, cells * multiply);
}

Prediction predict_scg(const LogGp& network, const ScgCase& scg, int cells) {
  check(scg.size, cells, "SCG");
  check_positive(scg.seconds_per_point, "a time for a point");
  const double n = scg.size, bytes = 8 * n;
  const double s = send_work(network, bytes);
  double halo = 0;
  if (cells == 2) halo = one_way_seconds(network, bytes);
  if (cells > 2) {
    halo = s + std::max(s, network.gap_s + (bytes - 1) * network.gap_per_byte_s) +
           flight(network, bytes) + network.overhead_s;
  }
  const double computing = std::ceil(n / cells) * n * scg.seconds_per_point;
  const double seconds = computing + halo + 2 * all_reduce_seconds(network, cells, scg.reduction);
  return finish(cells, seconds, n * n * scg.seconds_per_point, computing);
}

}  // namespace kinjo::comm
