#include "fft/short_transform.hpp"

#include <algorithm>

#include "base/contract.hpp"
#include "fft/cutting.hpp"
#include "fft/lane_order.hpp"
#include "fft/roots.hpp"

namespace kinjo::fft::detail {

namespace {

/// As ShortPass has them, of a first pass whose vectors have so many lanes.
template <class T>
void add_first_twiddles(const Roots& roots, std::size_t radix, std::size_t lanes,
                        std::vector<T>& table) {
  const std::size_t groups = roots.order() / radix;
  for (std::size_t at = 0; at < groups; at += lanes) {
    const std::size_t first = groups < lanes ? 0 : std::min(at, groups - lanes);
    for (std::size_t k = 1; k < radix; ++k) {
      const std::size_t begin = table.size();
      table.resize(begin + 2 * lanes);
      for (std::size_t lane = 0; lane < lanes; ++lane) {
        const auto twiddle = roots.rounded<T>(k * (first + number_of_lane<T>(lanes, lane)));
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

/// How lines of n are done in one, or null.
template <class T>
const typename ShortKernels<T>::Pair* pair_of(std::size_t n, const ShortKernels<T>& kernels) {
  for (std::size_t i = 0; i < std::size(kShortPairs); ++i) {
    if (kShortPairs[i].size() == n && kernels.pairs[i].lanes != 0) return &kernels.pairs[i];
  }
  return nullptr;
}

template <class T>
bool is_wide_pair(std::size_t n) {
  const ShortKernels<T>& kernels = short_kernels<T>();
  const auto* const pair = pair_of(n, kernels);
  return pair != nullptr && pair->lanes >= std::min(32 / sizeof(T), kernels.lanes[0]);
}

}  // namespace

bool is_short_pair(std::size_t n, std::size_t number_bytes) {
  return number_bytes == 2 * sizeof(float) ? is_wide_pair<float>(n) : is_wide_pair<double>(n);
}

template <class T>
ShortTransform<T>::ShortTransform(std::size_t n, const ShortKernels<T>& kernels) : n_(n) {
  KINJO_ASSERT(n >= 2 && is_smooth(n));
  const Pair* const pair = pair_of(n, kernels);
  if (pair == nullptr) {
    make_steps(best_short_way(n, kernels.lanes, sizeof(T)), kernels);
    return;
  }
  const ShortPair& radices = kShortPairs[pair - kernels.pairs.data()];
  const auto width = std::ranges::find(kernels.lanes, pair->lanes) - kernels.lanes.begin();
  make_steps({static_cast<std::size_t>(width), {radices.first, radices.last}}, kernels);
  whole_[0][0] = pair->whole[0], whole_[1][1] = pair->whole[1];
}

template <class T>
void ShortTransform<T>::make_steps(const ShortWay& way, const ShortKernels<T>& kernels) {
  const Roots roots(n_);
  const std::size_t first = way.radices.front(), lanes = kernels.lanes[way.width];
  const std::size_t blocks = n_ / first * ((first + lanes - 1) / lanes) + lanes - 1;
  buffer_ = (2 * std::max(blocks * lanes, n_) + kLine - 1) / kLine * kLine;
  std::vector<T> table;
  std::vector<std::size_t> twiddles_at, roots_at;
  std::size_t length = 1;
  for (const std::size_t r : way.radices) {
    const auto& radix = kernels.radix(r);
    const std::size_t groups = n_ / length / r;
    Step step{{r, groups, length, first, nullptr, nullptr}, nullptr};
    table.resize((table.size() + kLine - 1) / kLine * kLine);
    twiddles_at.push_back(table.size());
    if (length == 1 && groups == 1) {
      whole_ = radix.only;
    } else if (length == 1) {
      first_ = {radix.first[0][way.width], radix.first[1][way.width]};
      add_first_twiddles(roots, r, lanes, table);
    } else {
      if (groups == 1) last_ = {radix.last[0][way.width], radix.last[1][way.width]};
      step.middle = radix.middle[way.width];
      add_twiddles(roots, r, length, table);
    }
    roots_at.push_back(table.size());
    for (std::size_t k = 0; k < r; ++k) add(root<T>(r, k), table);
    steps_.push_back(step);
    length *= r;
  }
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
