#include "comm/apps/shift_matrices.hpp"

#include <algorithm>
#include <limits>
#include <span>

namespace kinjo::comm::detail {

ShiftMatrices::ShiftMatrices(World& world, std::size_t n, int buffers)
    : world_(&world),
      n_(n),
      ld_(gemm::placed_line(n, sizeof(double))),
      cells_(world.cells()),
      mine_(block(world.cell())) {
  const std::size_t count = largest_block(n, cells_) * ld_;
  for (Symmetric<double>* part : {&a_, &b_, &c_}) *part = world.allocate_array<double>(count);
  for (int i = 0; i < buffers; ++i) buffers_.push_back(world.allocate_array<double>(count));
  fill();
}

void ShiftMatrices::fill() {
  const std::span<double> a = world_->local(a_), b = world_->local(b_);
  for (std::size_t line = 0; line < mine_.size(); ++line) {
    const std::size_t global = mine_.begin + line;
    for (std::size_t k = 0; k < n_; ++k) {
      a[line * ld_ + k] = matrix_number(global * n_ + k, 0);
      b[line * ld_ + k] = matrix_number(k * n_ + global, 1);
    }
  }
  // What a multiply without communication finds there is not zeros, whose products might be faster.
  for (const Symmetric<double>& buffer : buffers_)
    std::ranges::copy(a, world_->local(buffer).data());
}

void ShiftMatrices::forget_c() {
  std::ranges::fill(world_->local(c_), std::numeric_limits<double>::quiet_NaN());
}

void ShiftMatrices::multiply(int owner, const double* a) {
  const Block rows = block(owner);
  if (rows.size() == 0 || mine_.size() == 0) return;
  const gemm::View<const double> av(a, rows.size(), n_, gemm::Order::row_major, ld_);
  const gemm::View<const double> bv(world_->local(b_).data(), n_, mine_.size(),
                                    gemm::Order::column_major, ld_);
  const gemm::View<double> whole(world_->local(c_).data(), n_, mine_.size(),
                                 gemm::Order::column_major, ld_);
  const gemm::View<double> c = whole.block({rows.begin, rows.end}, {0, mine_.size()});
  auto plan = plans_.find(rows.size());
  if (plan == plans_.end()) {
    plan = plans_.emplace(rows.size(), gemm::Plan::choose(gemm::problem_of(av, bv, c))).first;
  }
  gemm::multiply(1.0, av, bv, 0.0, c, plan->second);
}

}  // namespace kinjo::comm::detail
