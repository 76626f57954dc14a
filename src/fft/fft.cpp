/// Plans as the public header has them.
#include <kinjo/fft.hpp>

#include <kinjo/error.hpp>

#include "fft/axes.hpp"
#include "fft/plan_bytes.hpp"
#include "fft/with_memory.hpp"

namespace kinjo {

using fft::detail::Frame, fft::detail::Problem, fft::detail::Storage;

namespace {

/// Parts in turn, of std::complex.
template <class T>
Storage<T> interleaved(std::complex<T>* x) {
  T* const parts = reinterpret_cast<T*>(x);
  return {parts, parts ? parts + 1 : nullptr, 2};
}
template <class T>
Storage<const T> interleaved(const std::complex<T>* x) {
  const T* const parts = reinterpret_cast<const T*>(x);
  return {parts, parts ? parts + 1 : nullptr, 2};
}
template <class T>
Storage<T> split(fft::Split<T> x) {
  return {x.real, x.imaginary, 1};
}

}  // namespace

/// What `in` and `out` are to the engine.
template <class T>
struct Fft<T>::Impl {
  Problem problem;
  T forward_scale, backward_scale;
  fft::detail::Program<T> program;

  Impl(Team* team, const std::vector<std::size_t>& shape, const fft::Options& options)
      : problem(fft::detail::check_problem(shape, options, 2 * sizeof(T))),
        forward_scale(static_cast<T>(fft::detail::factor_of(options.forward, problem.transformed))),
        backward_scale(
            static_cast<T>(fft::detail::factor_of(options.backward, problem.transformed))),
        program(team, options) {
    fft::detail::add_axes(program, problem);
    program.finish();
  }

  // References as far as they go, here and below: a copy, in registers of 16 bytes, would wait for
  // the parts to come out of the store buffer, which took half of the time of a few numbers.
  void run(const Frame<T>& frame) const {
    check(frame.in, frame.out);
    fft::detail::with_memory("transform", problem.shape, [&] { program.run(frame); });
  }

  /// Numbers whose parts alternate; where exchanged, the reverse transform.
  void run(const Complex* in, Complex* out, bool exchanged, T scale) const {
    const Storage<const T> from = interleaved(in);
    const Storage<T> to = interleaved(out);
    if (!program.is_line()) {
      return exchanged ? run({from.exchanged(), to.exchanged(), {}, scale})
                       : run({from, to, {}, scale});
    }
    check(from, to);
    fft::detail::with_memory("transform", problem.shape,
                             [&] { program.run_line(from.real, to.real, exchanged, scale); });
  }

  static std::unique_ptr<const Impl> make(Team* team, const fft::Shape& shape,
                                          const fft::Options& options) {
    return fft::detail::with_memory("plan", shape.lengths(), [&] {
      const std::size_t threads = team == nullptr ? 1 : team->size();
      fft::detail::check_plan_bytes(shape, options, {2 * sizeof(T), threads, fft::Input::complex});
      return std::make_unique<const Impl>(team, shape.lengths(), options);
    });
  }

  /// Bytes from the first to the last number of a part, or of both where they lie in turn.
  std::size_t bytes(std::ptrdiff_t step) const {
    return problem.extent() * static_cast<std::size_t>(step) * sizeof(T);
  }

  /// Whether a part of one array lies in one of the other.
  bool overlap(const Storage<const T>& in, const Storage<T>& out) const {
    // Parts in turn belong to one piece, which begins with the real parts of the first number.
    const std::size_t size = bytes(in.step);
    const auto meet = [&](const T* x, const T* y) { return fft::detail::meet(x, size, y, size); };
    return meet(in.real, out.real) || meet(in.imaginary, out.imaginary) ||
           (in.step == 1 && (meet(in.real, out.imaginary) || meet(in.imaginary, out.real)));
  }

  void check(const Storage<const T>& in, const Storage<T>& out) const {
    if (!in.real || !in.imaginary || !out.real || !out.imaginary) {
      throw Error(Errc::invalid_argument, "fft: an array has no memory");
    }
    // What is read may lie anyhow.
    const std::size_t size = bytes(out.step);
    if (out.step == 1 && fft::detail::meet(out.real, size, out.imaginary, size)) {
      throw Error(Errc::invalid_argument,
                  "fft: the real and imaginary parts of the output overlap: expected two arrays");
    }
    const bool same = in.real == out.real && in.imaginary == out.imaginary;
    if (!same && overlap(in, out)) {
      throw Error(Errc::invalid_argument,
                  "fft: the arrays overlap: expected two, or the same one twice");
    }
  }
};

template <class T>
Fft<T>::Fft(const fft::Shape& shape, const fft::Options& options)
    : impl_(Impl::make(nullptr, shape, options)) {}
template <class T>
Fft<T>::Fft(Team& team, const fft::Shape& shape, const fft::Options& options)
    : impl_(Impl::make(&team, shape, options)) {}
template <class T>
Fft<T>::~Fft() = default;
template <class T>
Fft<T>::Fft(Fft&&) noexcept = default;
template <class T>
Fft<T>& Fft<T>::operator=(Fft&&) noexcept = default;

template <class T>
void Fft<T>::forward(const Complex* in, Complex* out) const {
  impl_->run(in, out, false, impl_->forward_scale);
}
template <class T>
void Fft<T>::backward(const Complex* in, Complex* out) const {
  impl_->run(in, out, true, impl_->backward_scale);
}
template <class T>
void Fft<T>::forward(ConstSplit in, Split out) const {
  impl_->run({split(in), split(out), {}, impl_->forward_scale});
}
template <class T>
void Fft<T>::backward(ConstSplit in, Split out) const {
  impl_->run({split(in).exchanged(), split(out).exchanged(), {}, impl_->backward_scale});
}
template <class T>
fft::Profile Fft<T>::profile(const Complex* in, Complex* out) const {
  impl_->check(interleaved(in), interleaved(out));
  return fft::detail::with_memory("transform", impl_->problem.shape, [&] {
    return impl_->program.profile(interleaved(in), interleaved(out), impl_->forward_scale);
  });
}
template <class T>
std::size_t Fft<T>::size() const {
  return impl_->problem.size;
}
template <class T>
std::size_t Fft<T>::batch() const {
  return impl_->problem.batch;
}
template <class T>
const std::vector<std::size_t>& Fft<T>::shape() const {
  return impl_->problem.shape;
}
template <class T>
std::size_t Fft<T>::table_bytes() const {
  return impl_->program.table_bytes();
}
template <class T>
std::size_t Fft<T>::work_bytes() const {
  return impl_->program.work_bytes();
}
template <class T>
std::string Fft<T>::describe() const {
  return impl_->program.describe();
}

template class Fft<float>;
template class Fft<double>;

}  // namespace kinjo
