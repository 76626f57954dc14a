#include "fft/short_transform.hpp"

#include <algorithm>
#include <limits>

#include "base/contract.hpp"
#include "fft/cutting.hpp"
#include "fft/roots.hpp"

namespace kinjo::fft::detail {

namespace {

/// The widest vectors for `count` neighbours.
std::size_t widest(const std::array<std::size_t, kShortWidths>& lanes, std::size_t count) {
  std::size_t width = 0;
  while (lanes[width] > count) ++width;
  return width;
}

std::size_t width_of_first(const std::array<std::size_t, kShortWidths>& lanes, std::size_t radix,
                           std::size_t groups) {
  return widest(lanes, std::min(radix, groups));
}

/// Where lines of n are among `kShortPairs`, behind these if they are done otherwise.
template <class T>
std::size_t pair_of(std::size_t n, const ShortKernels<T>& kernels) {
  std::size_t i = 0;
  while (i < std::size(kShortPairs) &&
         (kShortPairs[i].size() != n || kernels.pairs[i].lanes == 0)) {
    ++i;
  }
  return i;
}

/// Instructions of a butterfly with its twiddles' operations, if any, as fft/butterfly-inl.hpp has
/// them.
double operations(std::size_t radix, bool twiddles) {
  const auto r = static_cast<double>(radix);
  const double of_twiddles = twiddles ? 6 * (r - 1) : 0;
  switch (radix) {
    case 2:
      return 4 + of_twiddles;
    case 3:
      return 12 + of_twiddles;
    case 4:
      return 16 + of_twiddles;
    case 8:
      return 70 + of_twiddles;  // with those of values for which there is no register
    case 9:
      return 110 + of_twiddles;
    case 16:
      return 230 + of_twiddles;
    default:
      return r * r + 1.5 * r + of_twiddles;
  }
}

/// Which radices make lines of n, and what they are expected to cost, in instructions.
class Ways {
 public:
  template <class T>
  Ways(std::size_t n, const ShortKernels<T>& kernels)
      : n_(n), lanes_(kernels.lanes), first_lanes_(kernels.first_lanes) {
    for (std::size_t p = 2, rest = n; rest > 1; ++p) {
      if (rest % p != 0) continue;
      if (p > 7) radices_.push_back(p);
      while (rest % p == 0) rest /= p;
    }
    for (const std::size_t r : kShortRadices) {
      if (r != 0 && n % r == 0) radices_.push_back(r);
    }
  }

  /// The cheapest: of what is left to do, the way from each divisor that has been reached.
  std::vector<std::size_t> best() const {
    struct Reached {
      std::size_t length;
      double cost;
      std::size_t radix;  ///< of the pass that led there
    };
    std::vector<Reached> all{{1, 0, 0}};
    for (std::size_t i = 0; all[i].length != n_; ++i) {
      const Reached from = all[i];
      for (const std::size_t r : radices_) {
        if (n_ / from.length % r != 0) continue;
        const Reached to{from.length * r, from.cost + cost(from.length, r), r};
        const auto at = std::find_if(all.begin(), all.end(),
                                     [&](const Reached& e) { return e.length >= to.length; });
        if (at == all.end() || at->length != to.length) {
          all.insert(at, to);
        } else if (to.cost < at->cost) {
          *at = to;
        }
      }
    }
    std::vector<std::size_t> radices;
    for (std::size_t length = n_; length != 1; length /= radices.back()) {
      const auto at = std::find_if(all.begin(), all.end(),
                                   [&](const Reached& e) { return e.length == length; });
      radices.push_back(at->radix);
    }
    std::reverse(radices.begin(), radices.end());
    return radices;
  }

 private:
  double cost(std::size_t length, std::size_t radix) const {
    constexpr double kCall = 40, kLoop = 6;
    const std::size_t groups = n_ / length / radix;
    const auto r = static_cast<double>(radix);
    const auto vectors = [](std::size_t count, std::size_t lanes) {
      return static_cast<double>((count + lanes - 1) / lanes);
    };
    if (length == 1 && groups == 1) return kCall + operations(radix, false);
    if (length == 1) {
      const std::size_t lanes = first_lanes_[width_of_first(first_lanes_, radix, groups)];
      // Parts are taken apart, and squares transposed.
      const double squares = 4 * vectors(radix, lanes) * static_cast<double>(lanes);
      return kCall +
             vectors(groups, lanes) * (operations(radix, true) + 4 * r + squares + 2 * kLoop);
    }
    const double vector = vectors(length, lanes_[widest(lanes_, length)]);
    if (groups == 1) return kCall + vector * (operations(radix, false) + 8 * r + kLoop);
    return kCall + static_cast<double>(groups) *
                       (vector * (operations(radix, true) + 4 * r + kLoop) + kLoop);
  }

  std::size_t n_;
  std::array<std::size_t, kShortWidths> lanes_, first_lanes_;
  std::vector<std::size_t> radices_;
};

/// As ShortPass has them, of a first pass whose vectors have so many lanes.
template <class T>
void add_first_twiddles(const Roots& roots, std::size_t radix, std::size_t lanes,
                        std::vector<T>& table) {
  const std::size_t groups = roots.order() / radix;
  for (std::size_t at = 0; at < groups; at += lanes) {
    const std::size_t first = std::min(at, groups - lanes);
    for (std::size_t k = 1; k < radix; ++k) {
      const std::size_t begin = table.size();
      table.resize(begin + 2 * lanes);
      for (std::size_t lane = 0; lane < lanes; ++lane) {
        const auto twiddle = roots.rounded<T>(k * (first + lane));
        table[begin + lane] = twiddle.real();
        table[begin + lanes + lane] = twiddle.imag();
      }
    }
  }
}

template <class T>
void add(std::complex<T> number, std::vector<T>& table) {
  table.push_back(number.real());
  table.push_back(number.imag());
}

/// Those of the other passes.
template <class T>
void add_twiddles(const Roots& roots, std::size_t radix, std::size_t length,
                  std::vector<T>& table) {
  const std::size_t groups = roots.order() / radix / length;
  for (std::size_t p = 0; p < groups && groups > 1; ++p) {
    for (std::size_t k = 1; k < radix; ++k) add(roots.rounded<T>(p * k * length), table);
  }
}

/// Numbers as pairs, real parts first; and from there to parts that lie apart.
template <class T>
void zip(const Lines<const T>& from, std::size_t n, T* pairs) {
  for (std::size_t i = 0; i < n; ++i) {
    pairs[2 * i] = from.real[static_cast<std::ptrdiff_t>(i) * from.line];
    pairs[2 * i + 1] = from.imaginary[static_cast<std::ptrdiff_t>(i) * from.line];
  }
}
template <class T>
void unzip(const T* pairs, std::size_t n, const Lines<T>& to) {
  for (std::size_t i = 0; i < n; ++i) {
    to.real[i] = pairs[2 * i];
    to.imaginary[i] = pairs[2 * i + 1];
  }
}

}  // namespace

template <class T>
bool is_short_pair(std::size_t n) {
  return pair_of(n, short_kernels<T>()) != std::size(kShortPairs);
}
template bool is_short_pair<float>(std::size_t n);
template bool is_short_pair<double>(std::size_t n);

template <class T>
ShortTransform<T>::ShortTransform(std::size_t n, const ShortKernels<T>& kernels) : n_(n) {
  KINJO_ASSERT(n >= 2 && is_smooth(n));
  const std::size_t pair = pair_of(n, kernels);
  if (pair == std::size(kShortPairs)) {
    make_steps(Ways(n, kernels).best(), kernels, nullptr);
  } else {
    make_steps({kShortPairs[pair].first, kShortPairs[pair].last}, kernels, &kernels.pairs[pair]);
  }
}

template <class T>
void ShortTransform<T>::make_steps(const std::vector<std::size_t>& radices,
                                   const ShortKernels<T>& kernels, const Pair* pair) {
  const Roots roots(n_);
  // Half of a buffer, and not a page's multiple, or both parts would want the same places in L1.
  const std::size_t apart = whole_pairs() / 2 + kLine;
  std::vector<T> table;
  std::vector<std::size_t> twiddles_at, roots_at;
  std::size_t length = 1;
  for (const std::size_t r : radices) {
    const auto& radix = kernels.radix(r);
    const std::size_t groups = n_ / length / r;
    Step step{{apart, r, groups, length, nullptr, nullptr}, nullptr};
    table.resize((table.size() + kLine - 1) / kLine * kLine);
    twiddles_at.push_back(table.size());
    if (length == 1 && groups == 1) {
      whole_ = radix.only;
    } else if (length == 1) {
      std::size_t width = width_of_first(kernels.first_lanes, r, groups);
      while (pair != nullptr && kernels.first_lanes[width] != pair->lanes) ++width;
      first_ = {radix.first[0][width], radix.first[1][width]};
      add_first_twiddles(roots, r, kernels.first_lanes[width], table);
    } else {
      const std::size_t width = widest(kernels.lanes, length);
      if (groups == 1) last_ = {radix.last[0][width], radix.last[1][width]};
      step.middle = radix.middle[width];
      add_twiddles(roots, r, length, table);
    }
    roots_at.push_back(table.size());
    for (std::size_t k = 0; k < r; ++k) add(root<T>(r, k), table);
    steps_.push_back(step);
    length *= r;
  }
  if (pair != nullptr) whole_[0][0] = pair->whole[0], whole_[1][1] = pair->whole[1];
  tables_ = alloc(table.size() * sizeof(T), {.pages = Pages::transparent});
  T* const tables = std::copy(table.begin(), table.end(), static_cast<T*>(tables_.data())) -
                    static_cast<std::ptrdiff_t>(table.size());
  for (std::size_t i = 0; i < steps_.size(); ++i) {
    steps_[i].job.twiddles = tables + twiddles_at[i];
    steps_[i].job.roots = tables + roots_at[i];
  }
}

template <class T>
void ShortTransform<T>::run(const T* source, T* target, bool exchanged, T scale, T* work) const {
  const Pass whole = whole_[exchanged][exchanged];
  if (whole) return whole(steps_[0].job, source, target, scale);
  first_[exchanged](steps_[0].job, source, buffer(work, 0), 1);
  compute(work);
  last_[exchanged](steps_.back().job, buffer(work, steps_.size() - 2), target, scale);
}

template <class T>
void ShortTransform<T>::run(const Lines<const T>& source, const Lines<T>& target, T scale, T* work,
                            Write) const {
  if (source.line == 2 && target.line == 2) {
    const Pass whole = whole_[is_exchanged(source)][is_exchanged(target)];
    if (whole) return whole(steps_[0].job, first_part(source), first_part(target), scale);
  }
  load(source, work);
  compute(work);
  store(target, scale, work);
}

template <class T>
void ShortTransform<T>::load(const Lines<const T>& source, T* work) const {
  const bool is_one_pass = steps_.size() == 1;
  const bool copied = source.line != 2 || is_one_pass;
  if (copied) zip(source, n_, pairs_in(work));
  if (is_one_pass) return;
  const T* const pairs = copied ? pairs_in(work) : first_part(source);
  first_[!copied && is_exchanged(source)](steps_[0].job, pairs, buffer(work, 0), 1);
}

template <class T>
void ShortTransform<T>::compute(T* work) const {
  for (std::size_t i = 1; i + 1 < steps_.size(); ++i) {
    steps_[i].middle(steps_[i].job, buffer(work, i - 1), buffer(work, i), 1);
  }
}

template <class T>
void ShortTransform<T>::store(const Lines<T>& target, T scale, T* work, Write) const {
  const bool apart = target.line != 2;
  T* const to = apart ? pairs_out(work) : first_part(target);
  const bool exchanged = !apart && is_exchanged(target);
  const ShortPass<T>& job = steps_.back().job;
  if (steps_.size() > 1) {
    last_[exchanged](job, buffer(work, steps_.size() - 2), to, scale);
  } else {
    whole_[false][exchanged](job, pairs_in(work), to, scale);
  }
  if (apart) unzip(to, n_, target);
}

template class ShortTransform<float>;
template class ShortTransform<double>;

}  // namespace kinjo::fft::detail
