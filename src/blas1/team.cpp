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
T add_up_one(Team& team, const PartitionedArray<T>& x, const SumOfOne<T>& kernels, Mode mode) {
  return add_up(team, x.partition(), OneVector<T>{kernels, x.data()}, mode);
}

std::string describe(const Partition& p) {
  return fmt::format("{} elements, {} over {} parts", p.size(), to_string(p.layout()), p.parts());
}

/// The partition of both; throws unless they are dealt alike.
template <class T>
const Partition& common_partition(const char* function, const PartitionedArray<T>& x,
                                  const PartitionedArray<T>& y) {
  const Partition &a = x.partition(), &b = y.partition();
  if (a.size() != b.size() || a.layout() != b.layout() || a.parts() != b.parts() ||
      a.granule() != b.granule() || a.chunk() != b.chunk()) {
    throw Error(Errc::invalid_argument,
                fmt::format("{}: x ({}, granules of {}) and y ({}, granules of {}) are dealt "
                            "differently: expected alike",
                            function, describe(a), a.granule(), describe(b), b.granule()));
  }
  return a;
}

template <class T>
std::size_t find_max_abs(Team& team, const PartitionedArray<T>& x) {
  struct Best {
    bool exists = false;
    std::size_t index = 0;
  };
  const T* const data = x.data();
  // The better of two indices: the first NaN, else the larger magnitude, else the lower index.
  const auto better = [data](Best a, Best b) {
    if (!a.exists || !b.exists) return a.exists ? a : b;
    if (b.index < a.index) std::swap(a, b);
    if (std::isnan(data[a.index])) return a;
    if (std::isnan(data[b.index])) return b;
    return std::abs(data[b.index]) > std::abs(data[a.index]) ? b : a;
  };
  const auto kernel = blas1_kernels<T>().max_abs_index;
  std::vector<Found<Best>> parts(x.partition().parts());
  for_each_piece(team, x.partition(), [&](std::size_t part, Range r) {
    const Best here{true, r.begin + kernel(data + r.begin, r.size())};
    parts[part].value = better(parts[part].value, here);
  });
  return join_parts(parts, better).index;
}

template <class T>
T find_norm2(Team& team, const PartitionedArray<T>& x, Mode mode) {
  const T squared = add_up_one(team, x, squares<T>(), mode);
  if (is_safe_sum_of_squares(squared, x.size())) return std::sqrt(squared);
  if (std::isnan(squared)) return std::numeric_limits<T>::quiet_NaN();
  const T most = std::abs(x[find_max_abs(team, x)]);
  if (most == 0 || std::isinf(most)) return most;
  const int exponent = scaling_exponent(most);
  const auto load = [data = x.data(), factor = std::ldexp(T{1}, exponent)](std::size_t i) {
    return data[i] * factor;
  };
  const Packed<T, decltype(load)> terms{squares<T>(), {load}};
  return std::ldexp(std::sqrt(add_up(team, x.partition(), terms, mode)), -exponent);
}

template <class T>
T find_dot(Team& team, const PartitionedArray<T>& x, const PartitionedArray<T>& y, Mode mode) {
  return add_up(team, common_partition("dot", x, y),
                TwoVectors<T>{products<T>(), x.data(), y.data()}, mode);
}

template <class T>
void do_axpy(Team& team, T a, const PartitionedArray<T>& x, PartitionedArray<T>& y) {
  const auto kernel = blas1_kernels<T>().axpy;
  for_each_piece(team, common_partition("axpy", x, y), [&](std::size_t, Range r) {
    kernel(a, x.data() + r.begin, y.data() + r.begin, r.size());
  });
}

template <class T>
void do_scale(Team& team, T a, PartitionedArray<T>& x) {
  const auto kernel = blas1_kernels<T>().scale;
  for_each_piece(team, x.partition(),
                 [&](std::size_t, Range r) { kernel(a, x.data() + r.begin, r.size()); });
}

template <class T>
void do_copy(Team& team, const PartitionedArray<T>& x, PartitionedArray<T>& y) {
  const auto kernel = blas1_kernels<T>().copy;
  const Write write = exceeds_caches(2 * x.size() * sizeof(T)) ? Write::streaming : Write::cached;
  for_each_piece(team, common_partition("copy", x, y), [&](std::size_t, Range r) {
    kernel(x.data() + r.begin, y.data() + r.begin, r.size(), write);
  });
}

}  // namespace

double sum(Team& team, const PartitionedArray<double>& x, Mode mode) {
  return add_up_one(team, x, values<double>(), mode);
}
double sum_of_squares(Team& team, const PartitionedArray<double>& x, Mode mode) {
  return add_up_one(team, x, squares<double>(), mode);
}
double asum(Team& team, const PartitionedArray<double>& x, Mode mode) {
  return add_up_one(team, x, magnitudes<double>(), mode);
}
double norm2(Team& team, const PartitionedArray<double>& x, Mode mode) {
  return find_norm2(team, x, mode);
}
double dot(Team& team, const PartitionedArray<double>& x, const PartitionedArray<double>& y,
           Mode mode) {
  return find_dot(team, x, y, mode);
}
void axpy(Team& team, double a, const PartitionedArray<double>& x, PartitionedArray<double>& y) {
  do_axpy(team, a, x, y);
}
void scale(Team& team, double a, PartitionedArray<double>& x) { do_scale(team, a, x); }
void copy(Team& team, const PartitionedArray<double>& x, PartitionedArray<double>& y) {
  do_copy(team, x, y);
}
std::size_t max_abs_index(Team& team, const PartitionedArray<double>& x) {
  return find_max_abs(team, x);
}

float sum(Team& team, const PartitionedArray<float>& x, Mode mode) {
  return add_up_one(team, x, values<float>(), mode);
}
float sum_of_squares(Team& team, const PartitionedArray<float>& x, Mode mode) {
  return add_up_one(team, x, squares<float>(), mode);
}
float asum(Team& team, const PartitionedArray<float>& x, Mode mode) {
  return add_up_one(team, x, magnitudes<float>(), mode);
}
float norm2(Team& team, const PartitionedArray<float>& x, Mode mode) {
  return find_norm2(team, x, mode);
}
float dot(Team& team, const PartitionedArray<float>& x, const PartitionedArray<float>& y,
          Mode mode) {
  return find_dot(team, x, y, mode);
}
void axpy(Team& team, float a, const PartitionedArray<float>& x, PartitionedArray<float>& y) {
  do_axpy(team, a, x, y);
}
void scale(Team& team, float a, PartitionedArray<float>& x) { do_scale(team, a, x); }
void copy(Team& team, const PartitionedArray<float>& x, PartitionedArray<float>& y) {
  do_copy(team, x, y);
}
std::size_t max_abs_index(Team& team, const PartitionedArray<float>& x) {
  return find_max_abs(team, x);
}

}  // namespace kinjo::blas1
