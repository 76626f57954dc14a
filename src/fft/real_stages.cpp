#include "fft/real_stages.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "base/contract.hpp"
#include "fft/real_kernels.hpp"
#include "fft/roots.hpp"

namespace kinjo::fft::detail {

namespace {

/// All k of a line in chunks, each with its roots' blocks as a whole, so that a team shares a line.
constexpr std::size_t kRootBlock = 2048, kChunk = 2 * kRootBlock;
/// The most roots that are kept one by one: a table of two levels is small, and its roots are
/// products.
constexpr std::size_t kMostLow = 2 * kChunk;

std::size_t low_roots(std::size_t n) { return n / 4 < kMostLow ? n / 4 + 1 : kRootBlock; }
std::size_t high_roots(std::size_t n) { return n / 4 < kMostLow ? 0 : n / 4 / kRootBlock + 1; }

template <class T>
class HalvesStage final : public ComputingStage<T> {
 public:
  HalvesStage(RealStep step, const RealLines& lines)
      : step_(step),
        lines_(lines),
        chunks_(std::max<std::size_t>(1, lines.n / 4 / kChunk)),
        items_(count_turns(lines.loops) * chunks_),
        low_(2 * (low_roots(lines.n) + kRootsBehind)) {
    const std::size_t count = low_.size() / 2;
    const Roots roots(lines.n);
    for (std::size_t k = 0; k < count; ++k) {
      const auto root = roots.template rounded<T>(k);
      low_[k] = root.real();
      low_[count + k] = root.imag();
    }
    for (std::size_t b = 0; b < high_roots(lines.n); ++b) {
      const auto root = roots.template rounded<T>(b * kRootBlock);
      high_.push_back(root.real());
      high_.push_back(root.imag());
    }
    const RealKernels<T>& kernels = real_kernels<T>();
    pass_ = step == RealStep::to_spectrum ? kernels.to_spectrum : kernels.from_spectrum;
  }

  std::size_t items() const override { return items_; }

  void run(Range items, const Frame<T>& frame, T*) const override {
    for (std::size_t i = items.begin; i < items.end; ++i) {
      const Turn turn = turn_of(lines_.loops, i / chunks_);
      const Storage<const T> source = from(frame, lines_.source).from(turn.in);
      const Storage<T> target = to(frame, lines_.target).from(turn.out);
      KINJO_ASSERT(source.imaginary == source.real + 1 && target.imaginary == target.real + 1);
      run_chunk(source.real, target.real, i % chunks_);
    }
  }

  std::optional<OneLine> one_line() const override {
    if (items_ != 1 || lines_.target.array != Array::out) return std::nullopt;
    return OneLine{0, lines_.source.array == Array::out};
  }
  void run_line(const T* in, T* out, bool, T, T*) const override { run_chunk(in, out, 0); }

  std::size_t table_bytes() const override { return (low_.size() + high_.size()) * sizeof(T); }
  std::string describe() const override {
    return fmt::format(
        "{} real lines of {}: {}\n", items_ / chunks_, lines_.n,
        step_ == RealStep::to_spectrum ? "halves to spectrum" : "spectrum to halves");
  }

 private:
  void run_chunk(const T* source, T* target, std::size_t chunk) const {
    const std::size_t m = lines_.n / 2;
    if (chunk == 0) ends(source, target);
    RealPass<T> job{source, target, m, 0, 0, {}};
    job.begin = std::max<std::size_t>(1, chunk * kChunk);
    job.end = chunk + 1 == chunks_ ? m / 2 + 1 : (chunk + 1) * kChunk;
    job.roots = {low_.data(), low_.data() + low_.size() / 2, high_.empty() ? nullptr : high_.data(),
                 kRootBlock};
    if (job.begin < job.end) pass_(job);
  }

  /// Numbers 0 and m, which are real.
  void ends(const T* x, T* y) const {
    const std::size_t m = lines_.n / 2;
    const T first = x[0];
    if (step_ == RealStep::to_spectrum) {
      const T second = x[1];
      y[0] = first + second;
      y[2 * m] = first - second;
      y[1] = y[2 * m + 1] = 0;
    } else {
      const T last = x[2 * m];
      y[0] = first + last;
      y[1] = first - last;
    }
  }

  RealStep step_;
  RealLines lines_;
  std::size_t chunks_, items_;
  std::vector<T> low_;   ///< real parts, and then imaginary ones
  std::vector<T> high_;  ///< complex
  typename RealKernels<T>::Pass pass_;
};

/// Of odd n: (n + 1)/2 numbers of a spectrum to all n, where they are.
template <class T>
class ExtendStage final : public ComputingStage<T> {
 public:
  explicit ExtendStage(const RealLines& lines) : lines_(lines) {}

  std::size_t items() const override { return count_turns(lines_.loops); }

  void run(Range items, const Frame<T>& frame, T*) const override {
    for (std::size_t i = items.begin; i < items.end; ++i) {
      extend(to(frame, lines_.target).from(turn_of(lines_.loops, i).out));
    }
  }

  std::string describe() const override {
    return fmt::format("{} real lines of {}: halves to whole ones\n", items(), lines_.n);
  }

 private:
  void extend(const Storage<T>& y) const {
    y.imaginary[0] = 0;
    for (std::size_t i = lines_.n / 2 + 1; i < lines_.n; ++i) {
      const Storage<T> here = y.from(i), there = y.from(lines_.n - i);
      *here.real = *there.real;
      *here.imaginary = -*there.imaginary;
    }
  }

  RealLines lines_;
};

}  // namespace

template <class T>
std::unique_ptr<Stage<T>> real_stage(RealStep step, const RealLines& lines) {
  if (step == RealStep::extend) return std::make_unique<ExtendStage<T>>(lines);
  return std::make_unique<HalvesStage<T>>(step, lines);
}

std::size_t real_roots(std::size_t n) { return low_roots(n) + kRootsBehind + high_roots(n); }

template std::unique_ptr<Stage<float>> real_stage(RealStep, const RealLines&);
template std::unique_ptr<Stage<double>> real_stage(RealStep, const RealLines&);

}  // namespace kinjo::fft::detail
