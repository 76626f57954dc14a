/// The matrix multiply and SCG on cells whose messages are followed one by one: what LogGP says of
/// a single message, and nothing about whole programs. Every cell has a clock of its own.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <vector>

#include <kinjo/comm_model.hpp>

namespace kinjo::comm::test {

/// Clocks of cells, and messages between them by LogGP. A short message does not wait for a long
/// one that has left before it.
class Clocks {
 public:
  Clocks(const LogGp& network, int cells)
      : network_(network),
        now_(static_cast<std::size_t>(cells)),
        next_short_(now_.size()),
        next_long_(now_.size()) {}

  std::size_t cells() const { return now_.size(); }
  void work(std::size_t cell, double seconds) { now_[cell] += seconds; }
  /// Sends at the cell's time; when its last byte arrives.
  double send(std::size_t from, double bytes) {
    return send(from, bytes, network_.overhead_per_byte_s);
  }
  double send(std::size_t from, double bytes, double work_per_byte) {
    now_[from] += network_.overhead_s + bytes * work_per_byte;
    const bool is_long = bytes > 16;
    const double leaves = std::max(now_[from], is_long ? next_long_[from] : next_short_[from]);
    now_[from] = leaves;
    const double line = (bytes - 1) * network_.gap_per_byte_s;
    next_short_[from] = leaves + network_.gap_s;
    next_long_[from] = leaves + network_.gap_s + line;
    return leaves + line + network_.latency_s;
  }
  void receive(std::size_t cell, double arrival, double bytes = 0, double copy = 0) {
    now_[cell] = std::max(now_[cell], arrival) + network_.overhead_s + bytes * copy;
  }
  /// Everyone tells everyone, and waits for all in the order of cells.
  void tell_all(double bytes) {
    std::vector<double> arrivals(cells() * cells());
    for (std::size_t c = 0; c < cells(); ++c) {
      for (std::size_t i = 1; i < cells(); ++i) {
        const std::size_t to = (c + i) % cells();
        arrivals[to * cells() + c] = send(c, bytes);
      }
    }
    for (std::size_t c = 0; c < cells(); ++c) {
      for (std::size_t from = 0; from < cells(); ++from) {
        if (from != c) receive(c, arrivals[c * cells() + from]);
      }
    }
  }
  double end() const { return *std::max_element(now_.begin(), now_.end()); }

  /// In round r everybody tells the one 2^r further, and waits to be told.
  void dissemination(double bytes) {
    std::vector<double> arrivals(cells());
    for (std::size_t distance = 1; distance < cells(); distance *= 2) {
      for (std::size_t c = 0; c < cells(); ++c) arrivals[(c + distance) % cells()] = send(c, bytes);
      for (std::size_t c = 0; c < cells(); ++c) receive(c, arrivals[c]);
    }
  }

 private:
  const LogGp& network_;
  std::vector<double> now_, next_short_, next_long_;
};

inline double simulate_gemm(const LogGp& network, const GemmCase& gemm, int count) {
  Clocks clocks(network, count);
  const std::size_t cells = clocks.cells();
  const double rows = std::ceil(gemm.size / count), bytes = 8 * gemm.size * rows;
  const bool copies = gemm.form == Form::send;
  const double copy = copies ? gemm.copy_seconds_per_byte : 0;
  std::vector<double> arrivals(cells);
  for (std::size_t d = 0; d < cells; ++d) {
    const bool last = d + 1 == cells;
    for (std::size_t c = 0; c < cells; ++c) {
      if (!last)
        arrivals[(c + cells - d - 1) % cells] =
            clocks.send(c, bytes, copies ? copy : network.overhead_per_byte_s);
      clocks.work(c, 2 * gemm.size * rows * rows / gemm.flops_per_second);
    }
    if (gemm.form == Form::put) clocks.dissemination(8);
    for (std::size_t c = 0; c < cells && !last; ++c) clocks.receive(c, arrivals[c], bytes, copy);
  }
  return clocks.end();
}

/// One iteration, as the later ones of many are.
inline double simulate_scg(const LogGp& network, const ScgCase& scg, int count) {
  Clocks clocks(network, count);
  const std::size_t cells = clocks.cells();
  const double bytes = 8 * scg.size;
  constexpr int kIterations = 8;
  for (int i = 0; i < kIterations; ++i) {
    std::vector<double> from_above(cells), from_below(cells);
    for (std::size_t c = 0; c < cells; ++c) {
      if (c > 0) from_below[c - 1] = clocks.send(c, bytes);
      if (c + 1 < cells) from_above[c + 1] = clocks.send(c, bytes);
    }
    for (std::size_t c = 0; c < cells; ++c) {
      if (c > 0 || c + 1 < cells) clocks.receive(c, std::max(from_above[c], from_below[c]));
      clocks.work(c, std::ceil(scg.size / count) * scg.size * scg.seconds_per_point);
    }
    for (int sum = 0; sum < 2; ++sum) {
      scg.reduction == Reduction::doubling ? clocks.dissemination(16) : clocks.tell_all(16);
    }
  }
  return clocks.end() / kIterations;
}

}  // namespace kinjo::comm::test
