#include "comm/apps/row_sums.hpp"

#include "comm/apps/poisson.hpp"

namespace kinjo::comm::detail {

RowSums::RowSums(World& world, std::size_t rows)
    : world_(world),
      rows_(rows),
      mine_(block_of(rows, world.cells(), world.cell())),
      lists_(world.allocate_array<double>(2 * rows)),
      flags_(world.allocate_array<std::uint64_t>(static_cast<std::size_t>(world.cells()) * 8)) {}

double RowSums::total() {
  const int me = world_.cell(), cells = world_.cells();
  for (int i = 1; i < cells; ++i) {
    world_.put_signal((me + i) % cells, at(mine_.begin), mine().data(), mine().size_bytes(),
                      {.flag = flag(me), .value = sums_ + 1});
  }
  for (int i = 1; i < cells; ++i) {
    world_.wait_flag(flag((me + i) % cells), Until::at_least, sums_ + 1);
  }
  const double sum = sum_rows({list(), rows_});
  // What was put is written again after the next sum, which all others' parts are needed for; those
  // come after this one's have been taken.
  ++sums_;
  return sum;
}

double RowSums::own_total() { return sum_rows(mine()); }

}  // namespace kinjo::comm::detail
