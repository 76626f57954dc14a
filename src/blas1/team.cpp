/// BLAS-1 over a team: each thread works on the parts that are its own, then the caller joins what
/// they found in an order that does not depend on who came first.
///
/// Fast: one number for each part, joined in a binary tree over the parts. Reproducible: parts are
/// whole pages, so each block lies in one part; a thread hands over the largest nodes of the tree
/// of blocks (blas1/tree.hpp) that lie in its pieces, and the caller joins those.
#include <kinjo/blas1.hpp>

#include <algorithm>
#include <vector>

#include <fmt/format.h>
#include <kinjo/error.hpp>

#include "blas1/caches.hpp"
#include "blas1/kernels.hpp"
#include "blas1/scaling.hpp"
#include "blas1/terms.hpp"

namespace kinjo::blas1 {

using namespace kinjo::detail;

namespace {

/// Elements in memory and who works on which of them.
template <class T>
struct Dealt {
  const Partition& partition;
  T* data;
};
template <class T>
Dealt<T> dealt(PartitionedArray<T>& x) {
  return {x.partition(), x.data()};
}
template <class T>
Dealt<const T> dealt(const PartitionedArray<T>& x) {
  return {x.partition(), x.data()};
}

/// What a part found, on lines of its own, so that threads do not share them.
template <class Value>
struct alignas(128) Found {
  Value value{};
};

/// Waking a team takes as long as one thread needs for some thousands of elements.
constexpr std::size_t kFew = 4096;

/// Calls `f(part, range)` for all pieces, in the threads that own them; few elements are left to
/// the caller.
template <class F>
void for_each_piece(Team& team, const Partition& partition, F&& f) {
  const auto work_on = [&](std::size_t p) {
    for (std::size_t k = 0; k < partition.pieces(p); ++k) f(p, partition.piece(p, k));
  };
  if (partition.size() <= kFew) {
    for (std::size_t p = 0; p < partition.parts(); ++p) work_on(p);
    return;
  }
  team.run([&](const Place& me) {
    for (auto p = static_cast<std::size_t>(me.thread); p < partition.parts(); p += team.size()) {
      work_on(p);
    }
  });
}

/// Joins neighbours, then neighbours of those, until one is left; `join(a, b)`, a being the lower.
template <class Value, class Join>
Value join_parts(std::vector<Found<Value>>& parts, Join&& join) {
  for (std::size_t step = 1; step < parts.size(); step *= 2) {
    for (std::size_t p = 0; p + step < parts.size(); p += 2 * step) {
      parts[p].value = join(parts[p].value, parts[p + step].value);
    }
  }
  return parts[0].value;
}

template <class Terms>
auto fast_sum(Team& team, const Partition& partition, const Terms& terms) {
  using T = typename Terms::Value;
  std::vector<Found<T>> parts(partition.parts());
  for_each_piece(team, partition, [&](std::size_t part, Range r) {
    parts[part].value += terms.fast(r.begin, r.size());
  });
  return join_parts(parts, [](T a, T b) { return a + b; });
}

template <class Terms>
auto reproducible_sum(Team& team, const Partition& partition, const Terms& terms) {
  using T = typename Terms::Value;
  KINJO_ASSERT(partition.granule() % kBlock<T> == 0);
  std::vector<Found<std::vector<Subtree<T>>>> parts(partition.parts());
  for_each_piece(team, partition, [&](std::size_t part, Range r) {
    BlockTree<T> tree;
    add_blocks(terms, r.begin, r.size(), tree);
    auto& mine = parts[part].value;
    mine.insert(mine.end(), tree.nodes().begin(), tree.nodes().end());
  });
  BlockTree<T> tree;
  if (partition.layout() == Layout::block) {  // parts lie in order
    for (const auto& part : parts) {
      for (const Subtree<T>& node : part.value) tree.add(node);
    }
    return tree.total();
  }
  std::vector<Subtree<T>> nodes;
  for (const auto& part : parts) nodes.insert(nodes.end(), part.value.begin(), part.value.end());
  std::ranges::sort(nodes, {}, &Subtree<T>::begin);
  for (const Subtree<T>& node : nodes) tree.add(node);
  return tree.total();
}

template <class Terms>
auto add_up(Team& team, const Partition& partition, const Terms& terms, Mode mode) {
  return mode == Mode::fast ? fast_sum(team, partition, terms)
                            : reproducible_sum(team, partition, terms);
}

template <class T>
T add_up_one(Team& team, Dealt<const T> x, const SumOfOne<T>& kernels, Mode mode) {
  return add_up(team, x.partition, OneVector<T>{kernels, x.data}, mode);
}

std::string describe(const Partition& p) {
  return fmt::format("{} elements, {} over {} parts", p.size(), to_string(p.layout()), p.parts());
}

/// Throws unless both are dealt alike.
template <class T>
void need_dealt_alike(const char* function, const PartitionedArray<T>& x,
                      const PartitionedArray<T>& y) {
  const Partition &a = x.partition(), &b = y.partition();
  if (a.size() != b.size() || a.layout() != b.layout() || a.parts() != b.parts() ||
      a.granule() != b.granule() || a.chunk() != b.chunk()) {
    throw Error(Errc::invalid_argument,
                fmt::format("{}: x ({}, granules of {}) and y ({}, granules of {}) are dealt "
                            "differently: expected alike",
                            function, describe(a), a.granule(), describe(b), b.granule()));
  }
}

template <class T>
std::size_t find_max_abs(Team& team, Dealt<const T> x) {
  struct Best {
    bool exists = false;
    std::size_t index = 0;
  };
  const T* const data = x.data;
  // The better of two indices: the first NaN, else the larger magnitude, else the lower index.
  const auto better = [data](Best a, Best b) {
    if (!a.exists || !b.exists) return a.exists ? a : b;
    if (b.index < a.index) std::swap(a, b);
    if (std::isnan(data[a.index])) return a;
    if (std::isnan(data[b.index])) return b;
    return std::abs(data[b.index]) > std::abs(data[a.index]) ? b : a;
  };
  const auto kernel = blas1_kernels<T>().max_abs_index;
  std::vector<Found<Best>> parts(x.partition.parts());
  for_each_piece(team, x.partition, [&](std::size_t part, Range r) {
    if (r.empty()) return;
    const Best here{true, r.begin + kernel(data + r.begin, r.size())};
    parts[part].value = better(parts[part].value, here);
  });
  return join_parts(parts, better).index;
}

template <class T>
T find_norm2(Team& team, Dealt<const T> x, Mode mode) {
  const T squared = add_up_one(team, x, squares<T>(), mode);
  const std::size_t size = x.partition.size();
  if (is_safe_sum_of_squares(squared, size)) return std::sqrt(squared);
  if (size == 0) return 0;
  if (std::isnan(squared)) return std::numeric_limits<T>::quiet_NaN();
  const T most = std::abs(x.data[find_max_abs(team, x)]);
  if (most == 0 || std::isinf(most)) return most;
  const int exponent = scaling_exponent(most);
  const auto load = [data = x.data, factor = std::ldexp(T{1}, exponent)](std::size_t i) {
    return data[i] * factor;
  };
  const Packed<T, decltype(load)> terms{squares<T>(), {load}};
  return std::ldexp(std::sqrt(add_up(team, x.partition, terms, mode)), -exponent);
}

template <class T>
T find_dot(Team& team, Dealt<const T> x, const T* y, Mode mode) {
  return add_up(team, x.partition, TwoVectors<T>{products<T>(), x.data, y}, mode);
}

template <class T>
void do_axpy(Team& team, T a, Dealt<const T> x, T* y) {
  const auto kernel = blas1_kernels<T>().axpy;
  for_each_piece(team, x.partition,
                 [&](std::size_t, Range r) { kernel(a, x.data + r.begin, y + r.begin, r.size()); });
}

template <class T>
void do_scale(Team& team, T a, Dealt<T> x) {
  const auto kernel = blas1_kernels<T>().scale;
  for_each_piece(team, x.partition,
                 [&](std::size_t, Range r) { kernel(a, x.data + r.begin, r.size()); });
}

template <class T>
void do_copy(Team& team, Dealt<const T> x, T* y) {
  const auto kernel = blas1_kernels<T>().copy;
  const std::size_t bytes = 2 * x.partition.size() * sizeof(T);
  const Write write = exceeds_caches(bytes) ? Write::streaming : Write::cached;
  for_each_piece(team, x.partition, [&](std::size_t, Range r) {
    kernel(x.data + r.begin, y + r.begin, r.size(), write);
  });
}

/// An ordinary vector, dealt in blocks of whole pages to the threads of a team; must be contiguous.
template <class T>
class Blocks {
 public:
  Blocks(Team& team, const char* function, const char* name, const View<T>& x)
      : partition_(Partition::block(x.size, team.size(),
                                    kinjo::detail::page_granule(sizeof(T), page_bytes()))),
        data_(x.data) {
    if (x.stride == 1 || x.size <= 1) return;
    throw Error(Errc::invalid_argument,
                fmt::format("{}: {} has stride {}: a team takes contiguous vectors only", function,
                            name, x.stride));
  }
  operator Dealt<T>() const { return {partition_, data_}; }
  T* data() const { return data_; }

 private:
  Partition partition_;
  T* data_;
};

/// Two of them, which are the same elements or share none if one is written.
template <class X, class Y>
struct TwoBlocks {
  TwoBlocks(Team& team, const char* function, const View<X>& x_view, const View<Y>& y_view)
      : x(team, function, "x", x_view), y(team, function, "y", y_view) {
    const std::size_t n = blas1::detail::common_size(function, x_view, y_view);
    if constexpr (!std::is_const_v<Y>) {
      blas1::detail::need_no_overlap(function, n, x_view.data, 1, y_view.data, 1);
    }
  }
  Blocks<X> x;
  Blocks<Y> y;
};

}  // namespace

double sum(Team& team, const PartitionedArray<double>& x, Mode mode) {
  return add_up_one(team, dealt(x), values<double>(), mode);
}
double sum_of_squares(Team& team, const PartitionedArray<double>& x, Mode mode) {
  return add_up_one(team, dealt(x), squares<double>(), mode);
}
double asum(Team& team, const PartitionedArray<double>& x, Mode mode) {
  return add_up_one(team, dealt(x), magnitudes<double>(), mode);
}
double norm2(Team& team, const PartitionedArray<double>& x, Mode mode) {
  return find_norm2<double>(team, dealt(x), mode);
}
double dot(Team& team, const PartitionedArray<double>& x, const PartitionedArray<double>& y,
           Mode mode) {
  need_dealt_alike("dot", x, y);
  return find_dot(team, dealt(x), y.data(), mode);
}
void axpy(Team& team, double a, const PartitionedArray<double>& x, PartitionedArray<double>& y) {
  need_dealt_alike("axpy", x, y);
  do_axpy(team, a, dealt(x), y.data());
}
void scale(Team& team, double a, PartitionedArray<double>& x) { do_scale(team, a, dealt(x)); }
void copy(Team& team, const PartitionedArray<double>& x, PartitionedArray<double>& y) {
  need_dealt_alike("copy", x, y);
  do_copy(team, dealt(x), y.data());
}
std::size_t max_abs_index(Team& team, const PartitionedArray<double>& x) {
  return find_max_abs(team, dealt(x));
}

double sum(Team& team, View<const double> x, Mode mode) {
  return add_up_one<double>(team, Blocks(team, "sum", "x", x), values<double>(), mode);
}
double sum_of_squares(Team& team, View<const double> x, Mode mode) {
  return add_up_one<double>(team, Blocks(team, "sum_of_squares", "x", x), squares<double>(), mode);
}
double asum(Team& team, View<const double> x, Mode mode) {
  return add_up_one<double>(team, Blocks(team, "asum", "x", x), magnitudes<double>(), mode);
}
double norm2(Team& team, View<const double> x, Mode mode) {
  return find_norm2<double>(team, Blocks(team, "norm2", "x", x), mode);
}
double dot(Team& team, View<const double> x, View<const double> y, Mode mode) {
  const TwoBlocks both(team, "dot", x, y);
  return find_dot<double>(team, both.x, both.y.data(), mode);
}
void axpy(Team& team, double a, View<const double> x, View<double> y) {
  const TwoBlocks both(team, "axpy", x, y);
  do_axpy<double>(team, a, both.x, both.y.data());
}
void scale(Team& team, double a, View<double> x) {
  do_scale<double>(team, a, Blocks(team, "scale", "x", x));
}
void copy(Team& team, View<const double> x, View<double> y) {
  const TwoBlocks both(team, "copy", x, y);
  do_copy<double>(team, both.x, both.y.data());
}
std::optional<std::size_t> max_abs_index(Team& team, View<const double> x) {
  if (x.size == 0) return std::nullopt;
  return find_max_abs<double>(team, Blocks(team, "max_abs_index", "x", x));
}

float sum(Team& team, const PartitionedArray<float>& x, Mode mode) {
  return add_up_one(team, dealt(x), values<float>(), mode);
}
float sum_of_squares(Team& team, const PartitionedArray<float>& x, Mode mode) {
  return add_up_one(team, dealt(x), squares<float>(), mode);
}
float asum(Team& team, const PartitionedArray<float>& x, Mode mode) {
  return add_up_one(team, dealt(x), magnitudes<float>(), mode);
}
float norm2(Team& team, const PartitionedArray<float>& x, Mode mode) {
  return find_norm2<float>(team, dealt(x), mode);
}
float dot(Team& team, const PartitionedArray<float>& x, const PartitionedArray<float>& y,
          Mode mode) {
  need_dealt_alike("dot", x, y);
  return find_dot(team, dealt(x), y.data(), mode);
}
void axpy(Team& team, float a, const PartitionedArray<float>& x, PartitionedArray<float>& y) {
  need_dealt_alike("axpy", x, y);
  do_axpy(team, a, dealt(x), y.data());
}
void scale(Team& team, float a, PartitionedArray<float>& x) { do_scale(team, a, dealt(x)); }
void copy(Team& team, const PartitionedArray<float>& x, PartitionedArray<float>& y) {
  need_dealt_alike("copy", x, y);
  do_copy(team, dealt(x), y.data());
}
std::size_t max_abs_index(Team& team, const PartitionedArray<float>& x) {
  return find_max_abs(team, dealt(x));
}

float sum(Team& team, View<const float> x, Mode mode) {
  return add_up_one<float>(team, Blocks(team, "sum", "x", x), values<float>(), mode);
}
float sum_of_squares(Team& team, View<const float> x, Mode mode) {
  return add_up_one<float>(team, Blocks(team, "sum_of_squares", "x", x), squares<float>(), mode);
}
float asum(Team& team, View<const float> x, Mode mode) {
  return add_up_one<float>(team, Blocks(team, "asum", "x", x), magnitudes<float>(), mode);
}
float norm2(Team& team, View<const float> x, Mode mode) {
  return find_norm2<float>(team, Blocks(team, "norm2", "x", x), mode);
}
float dot(Team& team, View<const float> x, View<const float> y, Mode mode) {
  const TwoBlocks both(team, "dot", x, y);
  return find_dot<float>(team, both.x, both.y.data(), mode);
}
void axpy(Team& team, float a, View<const float> x, View<float> y) {
  const TwoBlocks both(team, "axpy", x, y);
  do_axpy<float>(team, a, both.x, both.y.data());
}
void scale(Team& team, float a, View<float> x) {
  do_scale<float>(team, a, Blocks(team, "scale", "x", x));
}
void copy(Team& team, View<const float> x, View<float> y) {
  const TwoBlocks both(team, "copy", x, y);
  do_copy<float>(team, both.x, both.y.data());
}
std::optional<std::size_t> max_abs_index(Team& team, View<const float> x) {
  if (x.size == 0) return std::nullopt;
  return find_max_abs<float>(team, Blocks(team, "max_abs_index", "x", x));
}

}  // namespace kinjo::blas1
