#include "fft/column_transform.hpp"

#include "base/contract.hpp"
#include "fft/column_kernels.hpp"

namespace kinjo::fft::detail {

namespace {

/// Pieces of a pass, or of a group of passes.
constexpr std::size_t kParts = 8;

/// Where part `part` of `count` things begins.
std::size_t part_begin(std::size_t count, std::size_t part) { return count * part / kParts; }

}  // namespace

template <class T>
ColumnTransform<T>::ColumnTransform(std::size_t n, std::size_t width, InCache method)
    : width_(width), method_(method), plan_(n, width, method) {
  KINJO_ASSERT(n > 0 && width > 0 && width % (64 / sizeof(T)) == 0);
}

template <class T>
std::size_t ColumnTransform<T>::work_size() const {
  return method_ == InCache::in_place ? plan_.buffer_size : 2 * plan_.buffer_size;
}

template <class T>
std::size_t ColumnTransform<T>::result_at() const {
  return method_ == InCache::in_place || plan_.passes.size() % 2 == 0 ? 0 : plan_.buffer_size;
}

template <class T>
void ColumnTransform<T>::load_rows(Lines<const T> source, std::size_t lines, T* work,
                                   const Rows& rows) const {
  column_kernels<T>().load({source, shape_of(source), lines, width_, work}, rows);
}

template <class T>
void ColumnTransform<T>::store_rows(const T* work, Lines<T> target, std::size_t lines,
                                    const Store<T>& factors, const Rows& rows) const {
  column_kernels<T>().store({work, lines, width_, target, shape_of(target), factors}, rows);
}

template <class T>
void ColumnTransform<T>::load(Lines<const T> source, std::size_t lines, T* work) const {
  load_rows(source, lines, work, {nullptr, 0, plan_.offset_of_element.data(), plan_.size});
}

template <class T>
void ColumnTransform<T>::store(const T* work, Lines<T> target, std::size_t lines,
                               const Store<T>& factors) const {
  store_rows(work + result_at(), target, lines, factors,
             {nullptr, 0, plan_.offset_of_row.data(), plan_.size});
}

template <class T>
void ColumnTransform<T>::compute_block(T* work, const RowGroup& group, std::size_t block) const {
  T* const rows = work + plan_.block_at(group, block);
  const std::size_t j = block % group.below;
  for (std::size_t p = group.first_pass; p < group.first_pass + group.passes; ++p) {
    const ColumnPass<T>& pass = plan_.passes[p];
    const auto& kernels = column_kernels<T>().pass(pass.radix);
    const std::size_t inner = pass.length / group.below;
    const std::size_t whole = inner * pass.radix;
    PassJob<T> job;
    job.from = job.to = rows;
    job.from_step = job.to_step = inner * group.step;
    job.groups = inner;
    job.from_group = job.to_group = group.step;
    job.count = group.rows / whole;
    job.from_next = job.to_next = whole * group.step;
    job.width = width_;
    job.radix = pass.radix;
    job.twiddles = pass.twiddles.data() + (pass.length == 1 ? 0 : 2 * (pass.radix - 1) * inner * j);
    job.roots = pass.roots.data();
    (pass.length == 1 ? kernels.plain : kernels.twiddled)(job);
  }
}

template <class T>
void ColumnTransform<T>::compute_stockham(T* work, std::size_t p, std::size_t part) const {
  const ColumnPass<T>& pass = plan_.passes[p];
  const auto& kernels = column_kernels<T>().pass(pass.radix);
  const std::size_t row = 2 * width_;
  const std::size_t left = plan_.size / (pass.length * pass.radix);
  // Parts of the longer one of the two loops.
  const bool by_group = pass.length > left;
  const std::size_t count = by_group ? pass.length : left;
  const std::size_t begin = part_begin(count, part), end = part_begin(count, part + 1);
  PassJob<T> job;
  job.from_step = left * row;
  job.to_step = plan_.size / pass.radix * row;
  job.groups = by_group ? end - begin : pass.length;
  job.from_group = left * pass.radix * row;
  job.to_group = left * row;
  job.count = by_group ? left : end - begin;
  job.from_next = job.to_next = row;
  const std::size_t skipped = by_group ? begin : 0;
  job.from = work + (p % 2) * plan_.buffer_size +
             (by_group ? begin * job.from_group : begin * job.from_next);
  job.to = work + (1 - p % 2) * plan_.buffer_size +
           (by_group ? begin * job.to_group : begin * job.to_next);
  job.width = width_;
  job.radix = pass.radix;
  job.twiddles = pass.twiddles.data() + (pass.length == 1 ? 0 : 2 * (pass.radix - 1) * skipped);
  job.roots = pass.roots.data();
  (pass.length == 1 ? kernels.plain_elsewhere : kernels.twiddled_elsewhere)(job);
}

template <class T>
std::size_t ColumnTransform<T>::pieces() const {
  return kParts * (method_ == InCache::in_place ? plan_.groups.size() : plan_.passes.size());
}

template <class T>
void ColumnTransform<T>::compute_piece(T* work, std::size_t piece) const {
  const std::size_t stage = piece / kParts, part = piece % kParts;
  if (method_ == InCache::stockham) return compute_stockham(work, stage, part);
  const RowGroup& group = plan_.groups[stage];
  const std::size_t blocks = plan_.size / group.rows;
  for (std::size_t b = part_begin(blocks, part); b < part_begin(blocks, part + 1); ++b) {
    compute_block(work, group, b);
  }
}

template <class T>
void ColumnTransform<T>::compute(T* work) const {
  for (std::size_t i = 0; i < pieces(); ++i) compute_piece(work, i);
}

template <class T>
void ColumnTransform<T>::run(Lines<const T> source, Lines<T> target, std::size_t lines, T* work,
                             const Store<T>& factors) const {
  if (method_ == InCache::stockham || plan_.groups.empty()) {
    load(source, lines, work);
    compute(work);
    store(work, target, lines, factors);
    return;
  }
  const bool loads_blocks = is_by_column(shape_of(source));
  const bool stores_blocks = is_by_column(shape_of(target));
  if (!loads_blocks) load(source, lines, work);
  for (const RowGroup& group : plan_.groups) {
    const bool first = &group == &plan_.groups.front(), last = &group == &plan_.groups.back();
    for (std::size_t b = 0; b < plan_.size / group.rows; ++b) {
      if (first && loads_blocks) {
        load_rows(
            source, lines, work + plan_.block_at(group, b),
            {plan_.element_of_row.data() + b * group.rows, 0, group.offsets.data(), group.rows});
      }
      compute_block(work, group, b);
      if (last && stores_blocks) {
        store_rows(work + plan_.block_at(group, b), target, lines, factors,
                   {group.elements.data(), b, group.offsets.data(), group.rows});
      }
    }
  }
  if (!stores_blocks) store(work, target, lines, factors);
}

template class ColumnTransform<float>;
template class ColumnTransform<double>;

}  // namespace kinjo::fft::detail
