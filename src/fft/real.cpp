/// Transforms of real numbers: the last axis by fft/real_stages.hpp, the others as complex ones.
#include <kinjo/error.hpp>
#include <kinjo/fft.hpp>

#include "fft/lane_copy.hpp"
#include "fft/plan_bytes.hpp"
#include "fft/program.hpp"
#include "fft/real_problem.hpp"
#include "fft/real_stages.hpp"
#include "fft/with_memory.hpp"

namespace kinjo {

using namespace fft::detail;

namespace {

constexpr Where kIn{Array::in, false}, kOut{Array::out, false}, kOutBack{Array::out, true};

/// The axes that are not halved, from `source` to `target` of spectra.
template <class T>
void add_other_axes(Program<T>& program, const RealProblem& p, const Problem& in,
                    const Problem& out, Where source, Where target) {
  Where from = source;
  const Problem* read = &in;
  for (std::size_t i = p.real.axes.size() - 1; i-- > 0;) {
    const std::size_t axis = p.real.axes[i];
    program.add(LineShape{out.shape[axis], out.stride(axis), loops_around(*read, out, axis), from,
                          target, false},
                i);
    from = target;
    read = &out;
  }
}

/// Lines that do not lie as pairs of real numbers: copied one behind the other, some lanes at a
/// time, transformed there, and copied.
template <class T>
class CopiedLines {
 public:
  CopiedLines(Program<T>& program, const RealProblem& p)
      : program_(program), p_(p), n_(p.real.shape[p.axis]), even_(n_ % 2 == 0) {}

  void forward() const {
    const auto loops = loops_around(p_.real, p_.spectrum, p_.axis);
    const Lanes lanes = lanes_of();
    Stages<T> inner;
    inner.push_back(lane_copy<T>(even_ ? LaneCopy::pack : LaneCopy::widen, real(lanes, kIn)));
    add_lines(inner, lanes, kWork);
    if (even_) inner.push_back(real_stage<T>(RealStep::to_spectrum, lines(lanes)));
    inner.push_back(lane_copy<T>(LaneCopy::give, spectrum(lanes, kOut)));
    add(loops, lanes, std::move(inner));
  }

  void backward(const Problem& spectrum_in) const {
    const auto loops = loops_around(spectrum_in, p_.real, p_.axis);
    const Lanes lanes = lanes_of();
    Stages<T> inner;
    inner.push_back(lane_copy<T>(LaneCopy::take, spectrum(lanes, kIn)));
    inner.push_back(
        real_stage<T>(even_ ? RealStep::from_spectrum : RealStep::extend, lines(lanes)));
    add_lines(inner, lanes, {Array::work, true});
    inner.push_back(lane_copy<T>(even_ ? LaneCopy::unpack : LaneCopy::narrow, real(lanes, kOut)));
    add(loops, lanes, std::move(inner));
  }

 private:
  static constexpr Where kWork{Array::work, false};

  Lanes lanes_of() const {
    Lanes lanes;
    lanes.element = p_.real.stride(p_.axis);
    lanes.count = lanes_together(n_, lanes.element, program_.conditions());
    lanes.line = copied_line(n_, sizeof(T));
    lanes.work = kWork;
    return lanes;
  }
  Lanes real(const Lanes& lanes, Where array) const { return with_rows(lanes, n_, array); }
  Lanes spectrum(const Lanes& lanes, Where array) const {
    return with_rows(lanes, n_ / 2 + 1, array);
  }
  static Lanes with_rows(Lanes lanes, std::size_t rows, Where array) {
    lanes.rows = rows;
    lanes.array = array;
    return lanes;
  }
  static std::vector<Loop> loop_over(const Lanes& lanes) {
    return {{lanes.count, lanes.line, lanes.line}};
  }
  RealLines lines(const Lanes& lanes) const { return {n_, loop_over(lanes), kWork, kWork}; }

  void add_lines(Stages<T>& inner, const Lanes& lanes, Where where) const {
    const LineShape line{p_.line_numbers(), 1, loop_over(lanes), where, where, true};
    LineOptions options = program_.line_options(line, p_.real.axes.size() - 1);
    options.conditions.threads = 1;
    options.whole_lines = true;
    LinePlan<T> plan = plan_lines<T>(line, options, program_.tables());
    for (auto& stage : plan.stages) inner.push_back(std::move(stage));
  }

  void add(std::vector<Loop> parts, const Lanes& lanes, Stages<T> inner) const {
    parts.front().count /= lanes.count;
    parts.front().in *= lanes.count;
    parts.front().out *= lanes.count;
    const std::array<std::size_t, 2> work{lanes.count * lanes.line, 0};
    program_.add(std::make_unique<Block<T>>(std::move(parts), lanes.count * n_, kIn, kOut, work,
                                            std::move(inner)));
  }

  Program<T>& program_;
  const RealProblem& p_;
  std::size_t n_;
  bool even_;
};

}  // namespace

template <class T>
struct RealFft<T>::Impl {
  RealProblem p;
  T forward_scale, backward_scale;
  Program<T> to_spectrum, other_axes, to_real;
  Problem spectrum_work;  ///< the spectrum between the programs of `backward`
  std::unique_ptr<WorkArrays<T>> between;

  Impl(Team* team, const std::vector<std::size_t>& shape, const fft::Options& options)
      : p(check_real_problem(shape, options, 2 * sizeof(T))),
        forward_scale(static_cast<T>(factor_of(options.forward, p.real.transformed))),
        backward_scale(static_cast<T>(factor_of(options.backward, p.real.transformed))),
        to_spectrum(team, options),
        other_axes(team, options),
        to_real(team, options),
        spectrum_work(p.spectrum) {
    const bool several = p.real.axes.size() > 1;
    if (several) {
      spectrum_work.distance = spectrum_work.size;
      check_room<T>(between_sizes());
    }
    p.pairs() ? plan_pairs() : plan_copied_lines();
    add_other_axes(to_spectrum, p, p.spectrum, p.spectrum, kOut, kOut);
    add_other_axes(other_axes, p, p.spectrum, spectrum_work, {Array::in, true}, kOutBack);
    for (Program<T>* program : {&to_spectrum, &other_axes, &to_real}) program->finish();
    if (several) {
      between = std::make_unique<WorkArrays<T>>(team, between_sizes());
    }
  }

  static std::unique_ptr<const Impl> make(Team* team, const fft::Shape& shape,
                                          const fft::Options& options) {
    return fft::detail::with_memory("plan", shape.lengths(), [&] {
      const std::size_t threads = team == nullptr ? 1 : team->size();
      fft::detail::check_plan_bytes(shape, options, {2 * sizeof(T), threads, fft::Input::real});
      return std::make_unique<const Impl>(team, shape.lengths(), options);
    });
  }

  std::array<std::size_t, 2> between_sizes() const {
    return {spectrum_work.size * spectrum_work.batch, 0};
  }

  void run_forward(const T* in, Complex* out) const {
    T* const spectrum = reinterpret_cast<T*>(out);
    if (to_spectrum.is_line()) return to_spectrum.run_line(in, spectrum, false, forward_scale);
    to_spectrum.run({real_storage(in), interleaved_storage(spectrum), {}, forward_scale});
  }

  void run_backward(const Complex* in, T* out) const {
    const T* const numbers = reinterpret_cast<const T*>(in);
    if (to_real.is_line()) return to_real.run_line(numbers, out, false, backward_scale);
    const Storage<const T> spectrum = interleaved_storage(numbers);
    const Storage<T> real = real_storage(out);
    if (!between) return to_real.run({spectrum, real, {}, backward_scale});
    const typename WorkArrays<T>::Lease lease(*between);
    other_axes.run({spectrum, lease[0], {}, 1});
    to_real.run({lease[0], real, {}, backward_scale});
  }

  void plan_pairs() {
    const std::size_t n = p.real.shape[p.axis], number = p.real.axes.size() - 1;
    const Problem halves = p.halves();
    to_spectrum.add(LineShape{n / 2, 1, loops_around(halves, p.spectrum, p.axis), kIn, kOut, true},
                    number);
    to_spectrum.add(real_stage<T>(RealStep::to_spectrum,
                                  {n, loops_around(p.spectrum, p.spectrum, p.axis), kOut, kOut}));
    to_real.add(real_stage<T>(RealStep::from_spectrum,
                              {n, loops_around(spectrum_work, halves, p.axis), kIn, kOut}));
    to_real.add(LineShape{n / 2, 1, loops_around(halves, halves, p.axis), kOutBack, kOutBack, true},
                number);
  }

  void plan_copied_lines() {
    CopiedLines<T>(to_spectrum, p).forward();
    CopiedLines<T>(to_real, p).backward(spectrum_work);
  }

  void check_arrays(const T* real, const Complex* spectrum) const {
    if (!real || !spectrum) throw Error(Errc::invalid_argument, "fft: an array has no memory");
    if (meet(real, p.real.extent() * sizeof(T), spectrum, p.spectrum.extent() * sizeof(Complex))) {
      throw Error(Errc::invalid_argument,
                  "fft: the arrays overlap: expected two, as real numbers and their spectrum "
                  "differ in size");
    }
  }

  /// The real array as the programs take it.
  template <class U>
  Storage<U> real_storage(U* x) const {
    return p.pairs() ? interleaved_storage(x) : Storage<U>{x, x, 1};
  }
};

template <class T>
RealFft<T>::RealFft(const fft::Shape& shape, const fft::Options& options)
    : impl_(Impl::make(nullptr, shape, options)) {}
template <class T>
RealFft<T>::RealFft(Team& team, const fft::Shape& shape, const fft::Options& options)
    : impl_(Impl::make(&team, shape, options)) {}
template <class T>
RealFft<T>::~RealFft() = default;
template <class T>
RealFft<T>::RealFft(RealFft&&) noexcept = default;
template <class T>
RealFft<T>& RealFft<T>::operator=(RealFft&&) noexcept = default;

template <class T>
void RealFft<T>::forward(const T* in, Complex* out) const {
  impl_->check_arrays(in, out);
  fft::detail::with_memory("transform", impl_->p.real.shape, [&] { impl_->run_forward(in, out); });
}

template <class T>
void RealFft<T>::backward(const Complex* in, T* out) const {
  impl_->check_arrays(out, in);
  fft::detail::with_memory("transform", impl_->p.real.shape, [&] { impl_->run_backward(in, out); });
}

template <class T>
std::size_t RealFft<T>::size() const {
  return impl_->p.real.size;
}
template <class T>
std::size_t RealFft<T>::spectrum_size() const {
  return impl_->p.spectrum.size;
}
template <class T>
std::size_t RealFft<T>::batch() const {
  return impl_->p.real.batch;
}
template <class T>
const std::vector<std::size_t>& RealFft<T>::shape() const {
  return impl_->p.real.shape;
}
template <class T>
std::vector<std::size_t> RealFft<T>::spectrum_shape() const {
  return impl_->p.spectrum.shape;
}
template <class T>
std::size_t RealFft<T>::table_bytes() const {
  return impl_->to_spectrum.table_bytes() + impl_->other_axes.table_bytes() +
         impl_->to_real.table_bytes();
}
template <class T>
std::size_t RealFft<T>::work_bytes() const {
  return impl_->to_spectrum.work_bytes() + impl_->to_real.work_bytes() +
         (impl_->between ? impl_->other_axes.work_bytes() + impl_->between->bytes() : 0);
}
template <class T>
std::string RealFft<T>::describe() const {
  return impl_->to_spectrum.describe();
}

template class RealFft<float>;
template class RealFft<double>;

}  // namespace kinjo
