/// The level `scalar` of the kernels: eight lanes by a loop, without vectors.
#include "sdp/kernels.hpp"

namespace kinjo::sdp::detail {

namespace {

void combine(const double* x, const double* v, std::size_t rank, const Position* positions,
             std::size_t count, double* sums) {
  const std::size_t stride = rank * kLanes;
  for (std::size_t k = 0; k < count; ++k) {
    const Position p = positions[k];
    for (std::size_t lane = 0; lane < kLanes; ++lane) {
      double sum = 0;
      for (std::size_t q = lane; q < stride; q += kLanes) {
        sum += x[p.row * stride + q] * v[p.column * stride + q];
        if (p.row != p.column) sum += x[p.column * stride + q] * v[p.row * stride + q];
      }
      sums[k * kLanes + lane] += sum;
    }
  }
}

void interleave(const double* const* from, std::size_t n, double* to, std::size_t stride) {
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t lane = 0; lane < kLanes; ++lane) {
      to[i * stride + lane] = from[lane] == nullptr ? 0 : from[lane][i];
    }
  }
}

void add_scaled(double factor, const double* from, std::size_t n, double* to) {
  for (std::size_t i = 0; i < n; ++i) to[i] += factor * from[i];
}

void symmetrise(const double* u, std::size_t n, const Position* positions, std::size_t count,
                double* sums) {
  for (std::size_t k = 0; k < count; ++k) {
    const Position p = positions[k];
    for (std::size_t lane = 0; lane < kLanes; ++lane) {
      double sum = u[(p.row * n + p.column) * kLanes + lane];
      if (p.row != p.column) sum += u[(p.column * n + p.row) * kLanes + lane];
      sums[k * kLanes + lane] = sum;
    }
  }
}

void dots(const std::size_t* begins, std::size_t count, const std::uint32_t* places,
          const double* values, const double* sums, std::size_t shift, double* out) {
  for (std::size_t j = 0; j < count; ++j) {
    for (std::size_t lane = 0; lane < kLanes; ++lane) {
      double sum = 0;
      for (std::size_t e = begins[j]; e < begins[j + 1]; ++e) {
        sum += values[e] * sums[(places[e] - shift) * kLanes + lane];
      }
      out[j * kLanes + lane] = sum;
    }
  }
}

void forward(const FactorView& factor, double* b) {
  for (std::size_t j = 0; j < factor.order; ++j) {
    const int begin = factor.begins[j];
    for (std::size_t side = 0; side < kSides; ++side) {
      const double x = b[j * kSides + side] /= factor.values[begin];
      for (int e = begin + 1; e < factor.begins[j + 1]; ++e) {
        b[static_cast<std::size_t>(factor.rows[e]) * kSides + side] -= factor.values[e] * x;
      }
    }
  }
}

void backward(const FactorView& factor, double* b) {
  for (std::size_t j = factor.order; j-- > 0;) {
    const int begin = factor.begins[j];
    for (std::size_t side = 0; side < kSides; ++side) {
      double x = b[j * kSides + side];
      for (int e = begin + 1; e < factor.begins[j + 1]; ++e) {
        x -= factor.values[e] * b[static_cast<std::size_t>(factor.rows[e]) * kSides + side];
      }
      b[j * kSides + side] = x / factor.values[begin];
    }
  }
}

}  // namespace

const KernelSet kReferenceKernels = {combine, interleave, add_scaled, symmetrise,
                                     dots,    forward,    backward};

}  // namespace kinjo::sdp::detail
