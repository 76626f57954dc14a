#include <optional>
#include <variant>
#include <vector>

#include <kinjo/fft.hpp>

#include "capi/guard.hpp"
#include "capi/handles.hpp"

using namespace kinjo::capi;

struct kinjo_fft {
  std::variant<kinjo::Fft<double>, kinjo::Fft<float>, kinjo::RealFft<double>, kinjo::RealFft<float>>
      plan;
};

namespace {

using kinjo::Errc;
using kinjo::Error;

std::size_t need_length(const char* what, ptrdiff_t length) {
  if (length < 1) {
    throw Error(Errc::invalid_argument,
                fmt::format("fft: {} is {}: expected 1 or more", what, length));
  }
  return static_cast<std::size_t>(length);
}

std::vector<std::size_t> shape_of(int axes, const ptrdiff_t* shape) {
  need_length("the number of axes", axes);
  std::vector<std::size_t> lengths;
  for (int a = 0; a < axes; ++a) {
    lengths.push_back(need_length("a length", (&need(shape, "shape"))[a]));
  }
  return lengths;
}

kinjo::fft::Options options_of(ptrdiff_t batch, unsigned flags) {
  using kinjo::fft::Scale;
  need_flags(flags, KINJO_FFT_FLOAT | KINJO_FFT_REAL | KINJO_FFT_UNSCALED | KINJO_FFT_ORTHO);
  if (flags & KINJO_FFT_UNSCALED && flags & KINJO_FFT_ORTHO) {
    throw Error(Errc::invalid_argument,
                "fft: KINJO_FFT_UNSCALED and KINJO_FFT_ORTHO: expected one of them");
  }
  kinjo::fft::Options options{.batch = need_length("the batch", batch)};
  if (flags & KINJO_FFT_UNSCALED) options.backward = Scale::one;
  if (flags & KINJO_FFT_ORTHO) options.forward = options.backward = Scale::by_root_n;
  return options;
}

template <class Plan>
kinjo_fft* make(kinjo_team* team, const std::vector<std::size_t>& shape,
                const kinjo::fft::Options& options) {
  if (team) return new kinjo_fft{Plan(team->value, shape, options)};
  return new kinjo_fft{Plan(shape, options)};
}

template <class T>
void forward(const kinjo::Fft<T>& plan, const void* in, void* out) {
  plan.forward(static_cast<const std::complex<T>*>(in), static_cast<std::complex<T>*>(out));
}
template <class T>
void forward(const kinjo::RealFft<T>& plan, const void* in, void* out) {
  plan.forward(static_cast<const T*>(in), static_cast<std::complex<T>*>(out));
}
template <class T>
void backward(const kinjo::Fft<T>& plan, const void* in, void* out) {
  plan.backward(static_cast<const std::complex<T>*>(in), static_cast<std::complex<T>*>(out));
}
template <class T>
void backward(const kinjo::RealFft<T>& plan, const void* in, void* out) {
  plan.backward(static_cast<const std::complex<T>*>(in), static_cast<T*>(out));
}

}  // namespace

kinjo_fft* kinjo_fft_create(kinjo_team* team, int axes, const ptrdiff_t* shape, ptrdiff_t batch,
                            unsigned flags) {
  return guarded([&] {
    const auto lengths = shape_of(axes, shape);
    const auto options = options_of(batch, flags);
    const bool single = (flags & KINJO_FFT_FLOAT) != 0;
    if (flags & KINJO_FFT_REAL) {
      return single ? make<kinjo::RealFft<float>>(team, lengths, options)
                    : make<kinjo::RealFft<double>>(team, lengths, options);
    }
    return single ? make<kinjo::Fft<float>>(team, lengths, options)
                  : make<kinjo::Fft<double>>(team, lengths, options);
  });
}

void kinjo_fft_free(kinjo_fft* plan) { delete plan; }

int kinjo_fft_forward(const kinjo_fft* plan, const void* in, void* out) {
  return guarded([&] {
    std::visit([&](const auto& p) { forward(p, in, out); }, need(plan, "plan").plan);
    return KINJO_OK;
  });
}

int kinjo_fft_backward(const kinjo_fft* plan, const void* in, void* out) {
  return guarded([&] {
    std::visit([&](const auto& p) { backward(p, in, out); }, need(plan, "plan").plan);
    return KINJO_OK;
  });
}
