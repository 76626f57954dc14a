/// What a sum adds up, apart from how: `fast(begin, n)` is the fast sum of n terms from `begin` on,
/// `blocks(begin, n, sums)` the reproducible sums of their blocks (blas1/kernels.hpp).
#pragma once

#include <algorithm>
#include <cstddef>
#include <tuple>
#include <type_traits>

#include "blas1/kernels.hpp"
#include "blas1/tree.hpp"

namespace kinjo::detail {

/// Both ways of adding up a function of one vector, or of two.
template <class T>
struct SumOfOne {
  T (*fast)(const T* x, std::size_t n);
  void (*blocks)(const T* x, std::size_t n, T* sums);
};
template <class T>
struct SumOfTwo {
  T (*fast)(const T* x, const T* y, std::size_t n);
  void (*blocks)(const T* x, const T* y, std::size_t n, T* sums);
};

template <class T>
SumOfOne<T> values() {
  return {blas1_kernels<T>().sum, blas1_kernels<T>().block_sum};
}
template <class T>
SumOfOne<T> squares() {
  return {blas1_kernels<T>().sum_of_squares, blas1_kernels<T>().block_sum_of_squares};
}
template <class T>
SumOfOne<T> magnitudes() {
  return {blas1_kernels<T>().asum, blas1_kernels<T>().block_asum};
}
template <class T>
SumOfTwo<T> products() {
  return {blas1_kernels<T>().dot, blas1_kernels<T>().block_dot};
}

template <class T>
struct OneVector {
  using Value = T;
  SumOfOne<T> kernels;
  const T* x;
  T fast(std::size_t begin, std::size_t n) const { return kernels.fast(x + begin, n); }
  void blocks(std::size_t begin, std::size_t n, T* sums) const {
    kernels.blocks(x + begin, n, sums);
  }
};
template <class T>
struct TwoVectors {
  using Value = T;
  SumOfTwo<T> kernels;
  const T* x;
  const T* y;
  T fast(std::size_t begin, std::size_t n) const { return kernels.fast(x + begin, y + begin, n); }
  void blocks(std::size_t begin, std::size_t n, T* sums) const {
    kernels.blocks(x + begin, y + begin, n, sums);
  }
};

/// Vectors that are not in memory as the kernels need them, strided or scaled ones: they are put
/// together block by block, and then added up by the same kernels, to the same bits. `load(i)` is
/// element i.
template <class T, class... Load>
struct Packed {
  using Value = T;
  std::conditional_t<sizeof...(Load) == 1, SumOfOne<T>, SumOfTwo<T>> kernels;
  std::tuple<Load...> load;

  T fast(std::size_t begin, std::size_t n) const {
    T sum = 0;
    for_each_block(begin, n, [&](std::size_t count, const auto*... block) {
      sum += kernels.fast(block..., count);
    });
    return sum;
  }
  void blocks(std::size_t begin, std::size_t n, T* sums) const {
    for_each_block(begin, n, [&](std::size_t count, const auto*... block) {
      kernels.blocks(block..., count, sums++);
    });
  }

 private:
  template <class F>
  void for_each_block(std::size_t begin, std::size_t n, F&& f) const {
    T block[sizeof...(Load)][kBlock<T>];
    const std::size_t end = begin + n;
    for (; begin < end; begin += kBlock<T>) {
      const std::size_t count = std::min(end - begin, kBlock<T>);
      const auto fill = [&](T* to, const auto& from) {
        for (std::size_t i = 0; i < count; ++i) to[i] = from(begin + i);
        return static_cast<const T*>(to);
      };
      if constexpr (sizeof...(Load) == 1) {
        f(count, fill(block[0], std::get<0>(load)));
      } else {
        f(count, fill(block[0], std::get<0>(load)), fill(block[1], std::get<1>(load)));
      }
    }
  }
};

/// Adds the blocks of the terms `begin` … `begin` + n − 1 to a tree; `begin` is the first of a
/// block.
template <class Terms>
void add_blocks(const Terms& terms, std::size_t begin, std::size_t n,
                BlockTree<typename Terms::Value>& tree) {
  using T = typename Terms::Value;
  constexpr std::size_t kAtOnce = 64;
  T sums[kAtOnce];
  const std::size_t end = begin + n;
  while (begin < end) {
    const std::size_t count = std::min(end - begin, kAtOnce * kBlock<T>);
    terms.blocks(begin, count, sums);
    tree.add(begin / kBlock<T>, {sums, (count + kBlock<T> - 1) / kBlock<T>});
    begin += count;
  }
}

/// The reproducible sum of n terms by one thread.
template <class Terms>
typename Terms::Value reproducible_sum(const Terms& terms, std::size_t n) {
  using T = typename Terms::Value;
  if (n == 0) return 0;
  if (n <= kBlock<T>) {
    T sum;
    terms.blocks(0, n, &sum);
    return sum;
  }
  BlockTree<T> tree;
  add_blocks(terms, 0, n, tree);
  return tree.total();
}

}  // namespace kinjo::detail
