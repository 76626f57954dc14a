/// BLAS-1 over a team: each thread works on the parts that are its own, then the caller joins what
/// they found in an order that does not depend on who came first.
///
/// Fast: one number for each part, joined in a binary tree over the parts. Reproducible: parts are
/// whole pages, so each block lies in one part; a thread hands over the largest nodes of the tree
/// of blocks (blas1/tree.hpp) that lie in its pieces, and the caller joins those.
///
/// Little data is one vector to the caller, however it is dealt (blas1/worth.hpp). All else lies in
/// functions of its own, so that such calls save no registers.
#include <kinjo/blas1.hpp>

#include <algorithm>
#include <memory>
#include <span>
#include <vector>

#include <fmt/format.h>
#include <kinjo/error.hpp>

#include "blas1/contiguous.hpp"
#include "blas1/scaling.hpp"
#include "blas1/terms.hpp"
#include "blas1/worth.hpp"

namespace kinjo::blas1 {

using namespace kinjo::detail;

namespace {

/// Arrays that are dealt alike, and their bytes together.
struct Dealt {
  const Partition& partition;
  std::size_t bytes;
};

/// So many arrays as this one.
template <class T>
Dealt dealt(std::size_t arrays, const PartitionedArray<T>& x) {
  return {x.partition(), arrays * x.size() * sizeof(T)};
}

std::string describe(const Partition& p) {
  return fmt::format("{} elements, {} over {} parts", p.size(), to_string(p.layout()), p.parts());
}

[[noreturn, gnu::noinline]] void refuse(const char* function, const Partition& x,
                                        const Partition& y) {
  throw Error(Errc::invalid_argument,
              fmt::format("{}: x ({}, granules of {}) and y ({}, granules of {}) are dealt "
                          "differently: expected alike",
                          function, describe(x), x.granule(), describe(y), y.granule()));
}

/// Throws unless both are dealt alike.
template <class T>
void need_dealt_alike(const char* function, const PartitionedArray<T>& x,
                      const PartitionedArray<T>& y) {
  const Partition &a = x.partition(), &b = y.partition();
  if (a.size() != b.size() || a.layout() != b.layout() || a.parts() != b.parts() ||
      a.granule() != b.granule() || a.chunk() != b.chunk()) [[unlikely]] {
    refuse(function, a, b);
  }
}

/// Calls `f(part)` for all parts, in the threads that own them, or in the caller if waking them
/// takes longer.
template <class F>
void for_each_part(Team& team, const Dealt& data, F f) {
  const std::size_t parts = data.partition.parts();
  if (!is_worth_waking(team, data.bytes)) {
    for (std::size_t p = 0; p < parts; ++p) f(p);
    return;
  }
  // By value: what threads read lies on one line or two of the caller's, and comes over at once.
  team.run([f, parts, threads = team.size()](const Place& me) {
    for (auto p = static_cast<std::size_t>(me.thread); p < parts; p += threads) f(p);
  });
}

/// Calls `f(range)` for all elements.
template <class F>
void for_each_range(Team& team, const Dealt& data, F f) {
  for_each_part(team, data, [f, &partition = data.partition](std::size_t part) {
    for (std::size_t k = 0; k < partition.pieces(part); ++k) f(partition.piece(part, k));
  });
}

/// What each part found, on lines of its own, so that threads do not share them.
template <class Value>
class Findings {
 public:
  struct alignas(128) Found {
    Value value;
  };

  /// `find(part)` for each part.
  template <class Find>
  Findings(Team& team, const Dealt& data, Find find)
      : parts_(data.partition.parts()), found_(new Found[parts_]) {  // lines that nobody has read
    for_each_part(team, data, [find, found = found_.get()](std::size_t part) {
      found[part].value = find(part);
    });
  }

  /// Joins neighbours, then neighbours of those, until one is left; `join(a, b)`, a being the
  /// lower.
  template <class Join>
  Value join(Join&& join) {
    for (std::size_t step = 1; step < parts_; step *= 2) {
      for (std::size_t p = 0; p + step < parts_; p += 2 * step) {
        found_[p].value = join(found_[p].value, found_[p + step].value);
      }
    }
    return found_[0].value;
  }

  std::span<const Found> all() const { return {found_.get(), parts_}; }

 private:
  std::size_t parts_;
  std::unique_ptr<Found[]> found_;
};

template <class Terms>
auto fast_sum(Team& team, const Dealt& data, const Terms& terms) {
  using T = typename Terms::Value;
  Findings<T> parts(team, data, [terms, &partition = data.partition](std::size_t part) {
    T sum = 0;
    for (std::size_t k = 0; k < partition.pieces(part); ++k) {
      const Range r = partition.piece(part, k);
      sum += terms.fast(r.begin, r.size());
    }
    return sum;
  });
  return parts.join([](T a, T b) { return a + b; });
}

template <class Terms>
auto reproducible_sum(Team& team, const Dealt& data, const Terms& terms) {
  using T = typename Terms::Value;
  using Subtrees = std::vector<Subtree<T>>;
  KINJO_ASSERT(data.partition.granule() % kBlock<T> == 0);
  const Findings<Subtrees> parts(team, data, [terms, &partition = data.partition](std::size_t p) {
    Subtrees mine;
    for (std::size_t k = 0; k < partition.pieces(p); ++k) {
      const Range r = partition.piece(p, k);
      BlockTree<T> tree;
      add_blocks(terms, r.begin, r.size(), tree);
      mine.insert(mine.end(), tree.nodes().begin(), tree.nodes().end());
    }
    return mine;
  });
  BlockTree<T> tree;
  if (data.partition.layout() == Layout::block) {  // parts lie in order
    for (const auto& part : parts.all()) {
      for (const Subtree<T>& node : part.value) tree.add(node);
    }
    return tree.total();
  }
  Subtrees nodes;
  for (const auto& part : parts.all()) {
    nodes.insert(nodes.end(), part.value.begin(), part.value.end());
  }
  std::ranges::sort(nodes, {}, &Subtree<T>::begin);
  for (const Subtree<T>& node : nodes) tree.add(node);
  return tree.total();
}

template <class Terms>
auto add_up(Team& team, const Dealt& data, const Terms& terms, Mode mode) {
  return mode == Mode::fast ? fast_sum(team, data, terms) : reproducible_sum(team, data, terms);
}

template <class T>
[[gnu::noinline]] T add_up_one(Team& team, const Dealt& data, const T* x, SumOfOne<T> (*kernels)(),
                               Mode mode) {
  return add_up(team, data, OneVector<T>{kernels(), x}, mode);
}

/// The largest magnitude of some pieces; none of no pieces.
struct Best {
  bool exists = false;
  std::size_t index = 0;
};

/// The better of two: the first NaN, else the larger magnitude, else the lower index.
template <class T>
Best better(const T* data, Best a, Best b) {
  if (!a.exists || !b.exists) return a.exists ? a : b;
  if (b.index < a.index) std::swap(a, b);
  if (std::isnan(data[a.index])) return a;
  if (std::isnan(data[b.index])) return b;
  return std::abs(data[b.index]) > std::abs(data[a.index]) ? b : a;
}

template <class T>
[[gnu::noinline]] std::size_t find_max_abs(Team& team, const Dealt& data, const T* x) {
  const auto kernel = blas1_kernels<T>().max_abs_index;
  const auto find = [kernel, x, &partition = data.partition](std::size_t part) {
    Best best;
    for (std::size_t k = 0; k < partition.pieces(part); ++k) {
      const Range r = partition.piece(part, k);
      if (!r.empty()) best = better(x, best, {true, r.begin + kernel(x + r.begin, r.size())});
    }
    return best;
  };
  return Findings<Best>(team, data, find)
      .join([x](Best a, Best b) { return better(x, a, b); })
      .index;
}

template <class T>
[[gnu::noinline]] T find_norm2(Team& team, const Dealt& data, const T* x, Mode mode) {
  const T squared = add_up_one(team, data, x, squares<T>, mode);
  if (is_safe_sum_of_squares(squared, data.partition.size())) return std::sqrt(squared);
  if (std::isnan(squared)) return std::numeric_limits<T>::quiet_NaN();
  const T most = std::abs(x[find_max_abs(team, data, x)]);
  if (most == 0 || std::isinf(most)) return most;
  const int exponent = scaling_exponent(most);
  const auto load = [x, factor = std::ldexp(T{1}, exponent)](std::size_t i) {
    return x[i] * factor;
  };
  const Packed<T, decltype(load)> terms{squares<T>(), {load}};
  return std::ldexp(std::sqrt(add_up(team, data, terms, mode)), -exponent);
}

template <class T>
[[gnu::noinline]] T find_dot(Team& team, const Dealt& data, const T* x, const T* y, Mode mode) {
  return add_up(team, data, TwoVectors<T>{products<T>(), x, y}, mode);
}

template <class T>
[[gnu::noinline]] void do_axpy(Team& team, const Dealt& data, T a, const T* x, T* y, Mode mode) {
  const auto& kernels = blas1_kernels<T>();
  const auto kernel = mode == Mode::fast ? kernels.axpy : kernels.axpy_rounded;
  for_each_range(team, data,
                 [kernel, a, x, y](Range r) { kernel(a, x + r.begin, y + r.begin, r.size()); });
}

template <class T>
[[gnu::noinline]] void do_scale(Team& team, const Dealt& data, T a, T* x) {
  for_each_range(team, data, [kernel = blas1_kernels<T>().scale, a, x](Range r) {
    kernel(a, x + r.begin, r.size());
  });
}

template <class T>
[[gnu::noinline]] void do_copy(Team& team, const Dealt& data, const T* x, T* y) {
  const Write write = exceeds_caches(data.bytes) ? Write::streaming : Write::cached;
  for_each_range(team, data, [kernel = blas1_kernels<T>().copy, write, x, y](Range r) {
    kernel(x + r.begin, y + r.begin, r.size(), write);
  });
}

/// Ordinary vectors of n elements of T, dealt in blocks of whole pages to the threads of a team.
template <class T>
class Blocks {
 public:
  Blocks(Team& team, const View<T>& x)
      : partition_(Partition::block(x.size, team.size(),
                                    kinjo::detail::page_granule(sizeof(T), page_bytes()))) {}
  /// The part of them in a call with so many vectors.
  Dealt dealt(std::size_t vectors) const {
    return {partition_, vectors * partition_.size() * sizeof(T)};
  }

 private:
  Partition partition_;
};

template <class T>
void need_contiguous(const char* function, const char* name, const View<T>& x) {
  if (x.stride == 1 || x.size <= 1) return;
  throw Error(Errc::invalid_argument,
              fmt::format("{}: {} has stride {}: a team takes contiguous vectors only", function,
                          name, x.stride));
}

/// Throws unless both are contiguous, have as many elements, and are the same or share none if one
/// is written.
template <class X, class Y>
void need_alike(const char* function, const View<X>& x, const View<Y>& y) {
  need_contiguous(function, "x", x);
  need_contiguous(function, "y", y);
  const std::size_t n = blas1::detail::common_size(function, x, y);
  if constexpr (!std::is_const_v<Y>) {
    blas1::detail::need_no_overlap(function, n, x.data, 1, y.data, 1);
  }
}

/// Whether so many vectors of this size are left to the caller.
template <class T>
bool are_few(const View<T>& x, std::size_t vectors) {
  return is_one_vector(vectors * x.size * sizeof(T));
}
template <class T>
bool are_few(const PartitionedArray<T>& x, std::size_t vectors) {
  return is_one_vector(vectors * x.size() * sizeof(T));
}

}  // namespace

// ---- Partitioned arrays ------------------------------------------------------------------------

template <Real T>
T sum(Team& team, const PartitionedArray<T>& x, Mode mode) {
  if (are_few(x, 1)) [[likely]]
    return contiguous::sum(x.size(), x.data(), mode);
  return add_up_one(team, dealt(1, x), x.data(), values<T>, mode);
}

template <Real T>
T sum_of_squares(Team& team, const PartitionedArray<T>& x, Mode mode) {
  if (are_few(x, 1)) [[likely]]
    return contiguous::sum_of_squares(x.size(), x.data(), mode);
  return add_up_one(team, dealt(1, x), x.data(), squares<T>, mode);
}

template <Real T>
T asum(Team& team, const PartitionedArray<T>& x, Mode mode) {
  if (are_few(x, 1)) [[likely]]
    return contiguous::asum(x.size(), x.data(), mode);
  return add_up_one(team, dealt(1, x), x.data(), magnitudes<T>, mode);
}

template <Real T>
T norm2(Team& team, const PartitionedArray<T>& x, Mode mode) {
  if (are_few(x, 1)) [[likely]]
    return detail::norm2(x.size(), x.data(), 1, mode);
  return find_norm2(team, dealt(1, x), x.data(), mode);
}

template <Real T>
T dot(Team& team, const PartitionedArray<T>& x, const PartitionedArray<T>& y, Mode mode) {
  need_dealt_alike("dot", x, y);
  if (are_few(x, 2)) [[likely]]
    return contiguous::dot(x.size(), x.data(), y.data(), mode);
  return find_dot(team, dealt(2, x), x.data(), y.data(), mode);
}

template <Real T>
void axpy(Team& team, std::type_identity_t<T> a, const PartitionedArray<T>& x,
          PartitionedArray<T>& y, Mode mode) {
  need_dealt_alike("axpy", x, y);
  if (are_few(x, 2)) [[likely]]
    return contiguous::axpy(x.size(), a, x.data(), y.data(), mode);
  do_axpy(team, dealt(2, x), a, x.data(), y.data(), mode);
}

template <Real T>
void scale(Team& team, std::type_identity_t<T> a, PartitionedArray<T>& x) {
  if (are_few(x, 1)) [[likely]]
    return contiguous::scale(x.size(), a, x.data());
  do_scale(team, dealt(1, x), a, x.data());
}

template <Real T>
void copy(Team& team, const PartitionedArray<T>& x, PartitionedArray<T>& y) {
  need_dealt_alike("copy", x, y);
  if (are_few(x, 2)) [[likely]]
    return contiguous::copy(x.size(), x.data(), y.data());
  do_copy(team, dealt(2, x), x.data(), y.data());
}

template <Real T>
std::size_t max_abs_index(Team& team, const PartitionedArray<T>& x) {
  if (are_few(x, 1)) [[likely]]
    return contiguous::max_abs_index(x.size(), x.data());
  return find_max_abs(team, dealt(1, x), x.data());
}

template float sum(Team&, const PartitionedArray<float>&, Mode);
template float sum_of_squares(Team&, const PartitionedArray<float>&, Mode);
template float asum(Team&, const PartitionedArray<float>&, Mode);
template float norm2(Team&, const PartitionedArray<float>&, Mode);
template float dot(Team&, const PartitionedArray<float>&, const PartitionedArray<float>&, Mode);
template void axpy(Team&, float, const PartitionedArray<float>&, PartitionedArray<float>&, Mode);
template void scale(Team&, float, PartitionedArray<float>&);
template void copy(Team&, const PartitionedArray<float>&, PartitionedArray<float>&);
template std::size_t max_abs_index(Team&, const PartitionedArray<float>&);

template double sum(Team&, const PartitionedArray<double>&, Mode);
template double sum_of_squares(Team&, const PartitionedArray<double>&, Mode);
template double asum(Team&, const PartitionedArray<double>&, Mode);
template double norm2(Team&, const PartitionedArray<double>&, Mode);
template double dot(Team&, const PartitionedArray<double>&, const PartitionedArray<double>&, Mode);
template void axpy(Team&, double, const PartitionedArray<double>&, PartitionedArray<double>&, Mode);
template void scale(Team&, double, PartitionedArray<double>&);
template void copy(Team&, const PartitionedArray<double>&, PartitionedArray<double>&);
template std::size_t max_abs_index(Team&, const PartitionedArray<double>&);

// ---- Ordinary vectors --------------------------------------------------------------------------

namespace {

template <class T>
using SumOfView = T (*)(std::size_t n, const T* x, std::ptrdiff_t stride, Mode mode);

/// A sum of the terms that `kernels` make, which `one` adds up on one thread.
template <class T>
T sum_view(Team& team, const char* function, const View<const T>& x, Mode mode, SumOfView<T> one,
           SumOfOne<T> (*kernels)()) {
  need_contiguous(function, "x", x);
  if (are_few(x, 1)) return one(x.size, x.data, 1, mode);
  const Blocks blocks(team, x);
  return add_up_one(team, blocks.dealt(1), x.data, kernels, mode);
}

template <class T>
T norm2_view(Team& team, const View<const T>& x, Mode mode) {
  need_contiguous("norm2", "x", x);
  if (are_few(x, 1)) return detail::norm2(x.size, x.data, 1, mode);
  const Blocks blocks(team, x);
  return find_norm2(team, blocks.dealt(1), x.data, mode);
}

template <class T>
T dot_views(Team& team, const View<const T>& x, const View<const T>& y, Mode mode) {
  need_alike("dot", x, y);
  if (are_few(x, 2)) return detail::dot(x.size, x.data, 1, y.data, 1, mode);
  const Blocks blocks(team, x);
  return find_dot(team, blocks.dealt(2), x.data, y.data, mode);
}

template <class T>
void axpy_views(Team& team, T a, const View<const T>& x, const View<T>& y, Mode mode) {
  need_alike("axpy", x, y);
  if (are_few(x, 2)) return detail::axpy(x.size, a, x.data, 1, y.data, 1, mode);
  const Blocks blocks(team, x);
  do_axpy(team, blocks.dealt(2), a, x.data, y.data, mode);
}

template <class T>
void scale_view(Team& team, T a, const View<T>& x) {
  need_contiguous("scale", "x", x);
  if (are_few(x, 1)) return detail::scale(x.size, a, x.data, 1);
  const Blocks blocks(team, x);
  do_scale(team, blocks.dealt(1), a, x.data);
}

template <class T>
void copy_views(Team& team, const View<const T>& x, const View<T>& y) {
  need_alike("copy", x, y);
  if (are_few(x, 2)) return detail::copy(x.size, x.data, 1, y.data, 1);
  const Blocks blocks(team, x);
  do_copy(team, blocks.dealt(2), x.data, y.data);
}

template <class T>
std::optional<std::size_t> max_abs_index_of_view(Team& team, const View<const T>& x) {
  need_contiguous("max_abs_index", "x", x);
  if (x.size == 0) return std::nullopt;
  if (are_few(x, 1)) return detail::max_abs_index(x.size, x.data, 1);
  const Blocks blocks(team, x);
  return find_max_abs(team, blocks.dealt(1), x.data);
}

}  // namespace

float sum(Team& team, View<const float> x, Mode mode) {
  return sum_view<float>(team, "sum", x, mode, detail::sum, values<float>);
}
float sum_of_squares(Team& team, View<const float> x, Mode mode) {
  return sum_view<float>(team, "sum_of_squares", x, mode, detail::sum_of_squares, squares<float>);
}
float asum(Team& team, View<const float> x, Mode mode) {
  return sum_view<float>(team, "asum", x, mode, detail::asum, magnitudes<float>);
}
float norm2(Team& team, View<const float> x, Mode mode) { return norm2_view(team, x, mode); }
float dot(Team& team, View<const float> x, View<const float> y, Mode mode) {
  return dot_views(team, x, y, mode);
}
void axpy(Team& team, float a, View<const float> x, View<float> y, Mode mode) {
  axpy_views(team, a, x, y, mode);
}
void scale(Team& team, float a, View<float> x) { scale_view(team, a, x); }
void copy(Team& team, View<const float> x, View<float> y) { copy_views(team, x, y); }
std::optional<std::size_t> max_abs_index(Team& team, View<const float> x) {
  return max_abs_index_of_view(team, x);
}

double sum(Team& team, View<const double> x, Mode mode) {
  return sum_view<double>(team, "sum", x, mode, detail::sum, values<double>);
}
double sum_of_squares(Team& team, View<const double> x, Mode mode) {
  return sum_view<double>(team, "sum_of_squares", x, mode, detail::sum_of_squares, squares<double>);
}
double asum(Team& team, View<const double> x, Mode mode) {
  return sum_view<double>(team, "asum", x, mode, detail::asum, magnitudes<double>);
}
double norm2(Team& team, View<const double> x, Mode mode) { return norm2_view(team, x, mode); }
double dot(Team& team, View<const double> x, View<const double> y, Mode mode) {
  return dot_views(team, x, y, mode);
}
void axpy(Team& team, double a, View<const double> x, View<double> y, Mode mode) {
  axpy_views(team, a, x, y, mode);
}
void scale(Team& team, double a, View<double> x) { scale_view(team, a, x); }
void copy(Team& team, View<const double> x, View<double> y) { copy_views(team, x, y); }
std::optional<std::size_t> max_abs_index(Team& team, View<const double> x) {
  return max_abs_index_of_view(team, x);
}

}  // namespace kinjo::blas1
