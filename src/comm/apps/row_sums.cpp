#include "comm/apps/row_sums.hpp"

#include <algorithm>

#include "comm/apps/poisson.hpp"

namespace kinjo::comm::detail {

RowSums::RowSums(World& world, std::size_t rows)
    : world_(world),
      rows_(rows),
      mine_(block_of(rows, world.cells(), world.cell())),
      lists_(world.allocate_array<double>(2 * rows)),
      flags_(world.allocate_array<std::uint64_t>(static_cast<std::size_t>(world.cells()) * 8)) {}

void RowSums::tell_all() {
  const int me = world_.cell(), cells = world_.cells();
  for (int i = 1; i < cells; ++i) {
    world_.put_signal((me + i) % cells, at(mine_.begin), mine().data(), mine().size_bytes(),
                      {.flag = flag(me), .value = sums_ + 1});
  }
  for (int i = 1; i < cells; ++i) {
    world_.wait_flag(flag((me + i) % cells), Until::at_least, sums_ + 1);
  }
}

void RowSums::gather_by_doubling() {
  const int me = world_.cell(), cells = world_.cells();
  int round = 0;
  for (int have = 1; have < cells; have *= 2, ++round) {
    const int count = std::min(have, cells - have);
    const int to = (me - have + cells) % cells, from = (me + have) % cells;
    for (int part = 0; part < 2; ++part) {
      const auto rows = rows_of(me, count, part);
      if (!rows) continue;
      world_.put_signal(to, at(rows->begin), list() + rows->begin, rows->size() * sizeof(double),
                        {.flag = flag(2 * round + part), .value = sums_ + 1});
    }
    for (int part = 0; part < 2; ++part) {
      if (!rows_of(from, count, part)) continue;
      world_.wait_flag(flag(2 * round + part), Until::at_least, sums_ + 1);
    }
  }
}

std::optional<Block> RowSums::rows_of(int first, int count, int part) const {
  const int cells = world_.cells(), behind = first + count - cells;
  if (part == 1 && behind <= 0) return std::nullopt;
  const int begin = part == 0 ? first : 0;
  const int last = part == 0 ? std::min(first + count, cells) - 1 : behind - 1;
  return Block{block_of(rows_, cells, begin).begin, block_of(rows_, cells, last).end};
}

double RowSums::total() {
  world_.cells() <= kTellAllCells ? tell_all() : gather_by_doubling();
  const double sum = sum_rows({list(), rows_});
  // What was put is written again after the next sum, which all others' parts are needed for; those
  // come after this one's have been taken.
  ++sums_;
  return sum;
}

double RowSums::own_total() { return sum_rows(mine()); }

}  // namespace kinjo::comm::detail
