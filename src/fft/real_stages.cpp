#include "fft/real_stages.hpp"

#include <fmt/format.h>

#include "fft/roots.hpp"

namespace kinjo::fft::detail {

namespace {

/// Number i of a line.
template <class T>
struct Line {
  Storage<T> storage;

  Line(Storage<T> s) : storage(s) {}
  T& re(std::size_t i) const { return storage.real[static_cast<std::ptrdiff_t>(i) * storage.step]; }
  T& im(std::size_t i) const {
    return storage.imaginary[static_cast<std::ptrdiff_t>(i) * storage.step];
  }
};

template <class T>
class RealStage final : public Stage<T> {
 public:
  RealStage(RealStep step, const RealLines& lines) : step_(step), lines_(lines) {
    for (const Loop& loop : lines_.loops) items_ *= loop.count;
    if (step != RealStep::to_spectrum && step != RealStep::from_spectrum) return;
    const Roots roots(lines_.n);
    for (std::size_t k = 0; k <= lines_.n / 4; ++k) {
      const auto root = roots.template rounded<T>(k);
      roots_.push_back(root.real());
      roots_.push_back(root.imag());
    }
  }

  std::size_t items() const override { return items_; }

  void run(Range items, const Frame<T>& frame, T*) const override {
    for (std::size_t i = items.begin; i < items.end; ++i) {
      std::size_t in = 0, out = 0, rest = i;
      for (const Loop& loop : lines_.loops) {
        in += rest % loop.count * loop.in;
        out += rest % loop.count * loop.out;
        rest /= loop.count;
      }
      line(from(frame, lines_.source).from(in), to(frame, lines_.target).from(out));
    }
  }

  void step(StepKind kind, std::size_t item, const Frame<T>& frame, T* scratch,
            std::span<SweepProfile> profiles) const override {
    if (kind != StepKind::compute) return;
    counted(profiles.front().compute, 0, [&] { run({item, item + 1}, frame, scratch); });
  }

  std::size_t scratch_size() const override { return 0; }
  std::size_t table_bytes() const override { return roots_.size() * sizeof(T); }
  std::string describe() const override {
    return fmt::format("{} real lines of {}: {}\n", items_, lines_.n,
                       step_ == RealStep::to_spectrum     ? "halves to spectrum"
                       : step_ == RealStep::from_spectrum ? "spectrum to halves"
                                                          : "halves to whole ones");
  }

 private:
  void line(Line<const T> x, Line<T> y) const {
    switch (step_) {
      case RealStep::to_spectrum:
        return to_spectrum(y);
      case RealStep::from_spectrum:
        return from_spectrum(x, y);
      case RealStep::extend:
        return extend(y);
    }
  }

  void extend(Line<T> y) const {
    const std::size_t n = lines_.n;
    y.im(0) = 0;
    for (std::size_t i = n / 2 + 1; i < n; ++i) {
      y.re(i) = y.re(n - i);
      y.im(i) = -y.im(n - i);
    }
  }

  void to_spectrum(Line<T> y) const {
    const std::size_t m = lines_.n / 2;
    const T first = y.re(0), second = y.im(0);
    y.re(0) = first + second;
    y.re(m) = first - second;
    y.im(0) = y.im(m) = 0;
    for (std::size_t k = 1; 2 * k <= m; ++k) {
      const T c = roots_[2 * k], s = roots_[2 * k + 1];
      const T even_re = (y.re(k) + y.re(m - k)) / 2, even_im = (y.im(k) - y.im(m - k)) / 2;
      const T odd_re = (y.im(k) + y.im(m - k)) / 2, odd_im = (y.re(m - k) - y.re(k)) / 2;
      const T turned_re = odd_re * c - odd_im * s, turned_im = odd_re * s + odd_im * c;
      y.re(k) = even_re + turned_re;
      y.im(k) = even_im + turned_im;
      if (2 * k == m) return;
      y.re(m - k) = even_re - turned_re;
      y.im(m - k) = turned_im - even_im;
    }
  }

  void from_spectrum(Line<const T> x, Line<T> y) const {
    const std::size_t m = lines_.n / 2;
    const T first = x.re(0), last = x.re(m);
    y.re(0) = first + last;
    y.im(0) = first - last;
    for (std::size_t k = 1; 2 * k <= m; ++k) {
      const T c = roots_[2 * k], s = -roots_[2 * k + 1];
      const T even_re = x.re(k) + x.re(m - k), even_im = x.im(k) - x.im(m - k);
      const T odd_re = x.re(k) - x.re(m - k), odd_im = x.im(k) + x.im(m - k);
      const T turned_re = odd_re * c - odd_im * s, turned_im = odd_re * s + odd_im * c;
      y.re(k) = even_re - turned_im;
      y.im(k) = even_im + turned_re;
      if (2 * k == m) return;
      y.re(m - k) = even_re + turned_im;
      y.im(m - k) = turned_re - even_im;
    }
  }

  RealStep step_;
  RealLines lines_;
  std::vector<T> roots_;
  std::size_t items_ = 1;
};

}  // namespace

template <class T>
std::unique_ptr<Stage<T>> real_stage(RealStep step, const RealLines& lines) {
  return std::make_unique<RealStage<T>>(step, lines);
}

template std::unique_ptr<Stage<float>> real_stage(RealStep, const RealLines&);
template std::unique_ptr<Stage<double>> real_stage(RealStep, const RealLines&);

}  // namespace kinjo::fft::detail
