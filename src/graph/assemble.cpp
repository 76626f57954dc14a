#include "graph/assemble.hpp"

#include <bit>
#include <cstring>

#include <kinjo/error.hpp>

#include "graph/fetch.hpp"

namespace kinjo::graph::detail {

namespace {

/// Rows whose entries are added up, and rows that a thread copies at a time.
constexpr std::size_t kBlock = 512, kTask = 8 * kBlock;
constexpr std::size_t kAhead = 8, kNamesAhead = 64;

/// A part while it is made.
struct Site {
  Part* part;
  std::vector<EdgeCount> block_begins;  ///< of each block of rows, and the end
  std::uint32_t* low;
  Vertex *columns, *targets;
};

class Assembly {
 public:
  Assembly(Team& team, LooseRows& rows, Names names, std::size_t columns, Pages pages, Buffer spare,
           GraphData& graph)
      : team_(team),
        rows_(rows),
        names_(names),
        columns_(columns),
        pages_(pages),
        spare_(std::move(spare)),
        graph_(graph) {
    for (Part& part : graph.parts) {
      const std::size_t blocks = (part.vertices.size() + kBlock - 1) / kBlock;
      sites_.push_back({.part = &part, .block_begins = std::vector<EdgeCount>(blocks + 1)});
    }
    list_tasks();
  }

  void run() {
    for_each_task([this](Site& site, Range rows) { count(site, rows); });
    for (Site& site : sites_) make_room(site);
    for_each_task([this](Site& site, Range rows) { copy(site, rows); });
    for (Site& site : sites_) graph_.entries += site.block_begins.back();
  }

 private:
  struct Task {
    std::size_t site;
    Range rows;  ///< of the part
  };

  /// Tasks by crew, so that each has consecutive ones.
  void list_tasks() {
    const auto nodes = team_.mapping().nodes();
    for (const int node : nodes) {
      const std::size_t begin = tasks_.size();
      for (std::size_t s = 0; s < sites_.size(); ++s) {
        const std::size_t size = sites_[s].part->vertices.size();
        if (sites_[s].part->node != node) continue;
        for (std::size_t r = 0; r < size; r += kTask) {
          tasks_.push_back({s, {r, std::min(size, r + kTask)}});
        }
      }
      of_crews_.push_back({begin, tasks_.size()});
    }
  }

  template <class F>
  void for_each_task(const F& f) {
    TaskQueue queue(of_crews_);
    team_.run([&](const Place& me) {
      const std::size_t crew = crew_of(team_.mapping(), me);
      while (const auto task = queue.next(crew)) f(sites_[tasks_[*task].site], tasks_[*task].rows);
    });
  }

  /// Whether rows lie in the order of internal numbers.
  bool in_order() const { return names_ == Names::callers || graph_.to_caller.empty(); }

  /// The row of the part's row i.
  std::size_t source(const Site& site, std::size_t i) const {
    const std::size_t internal = site.part->vertices.begin + i;
    return in_order() ? internal : graph_.to_caller[internal];
  }

  void count(Site& site, Range rows) const {
    for (std::size_t begin = rows.begin; begin < rows.end; begin += kBlock) {
      const Range block{begin, std::min(rows.end, begin + kBlock)};
      site.block_begins[begin / kBlock + 1] = entries_of(site, block);
    }
  }

  EdgeCount entries_of(const Site& site, Range block) const {
    const std::size_t first = source(site, block.begin), last = source(site, block.end - 1);
    if (rows_.is_packed && in_order() && first >> rows_.shift == last >> rows_.shift) {
      return static_cast<EdgeCount>(rows_.begin(last) - rows_.begin(first)) + rows_.length(last);
    }
    EdgeCount entries = 0;
    for (std::size_t i = block.begin; i < block.end; ++i) entries += rows_.length(source(site, i));
    return entries;
  }

  Buffer room_for_targets(const Part& part, EdgeCount entries) {
    const std::size_t bytes = entries * sizeof(Vertex);
    if (sites_.size() == 1) {
      const bool is_done =
          names_ == Names::callers || (in_order() && entries == rows_.neighbours.size());
      if (is_done) {
        graph_.given_back += give_back(rows_.neighbours_memory, bytes);
        return std::move(rows_.neighbours_memory);
      }
      if (spare_.size() >= bytes) {
        graph_.given_back += give_back(spare_, bytes);
        return std::move(spare_);
      }
    }
    return place(bytes, part.node, pages_);
  }

  void make_room(Site& site) {
    Part& part = *site.part;
    const std::size_t size = part.vertices.size(), blocks = site.block_begins.size() - 1;
    for (std::size_t b = 0; b < blocks; ++b) site.block_begins[b + 1] += site.block_begins[b];
    const EdgeCount entries = site.block_begins.back();
    if (entries > 0) {
      graph_.memory.push_back(room_for_targets(part, entries));
      site.targets = static_cast<Vertex*>(graph_.memory.back().data());
    }
    // Columns first: they are read by vectors, which had better begin where lines do.
    const std::size_t words = columns_ * size + size + 1;
    graph_.memory.push_back(place(words * sizeof(Vertex), part.node, pages_));
    site.columns = static_cast<Vertex*>(graph_.memory.back().data());
    site.low = site.columns + columns_ * size;
    const unsigned bits = base_shift(site.block_begins, 32);
    const unsigned shift = std::min(32u, bits + static_cast<unsigned>(std::bit_width(kBlock) - 1));
    std::vector<EdgeCount> bases;
    for (std::size_t row = 0; row <= size; row += std::size_t{1} << shift) {
      bases.push_back(site.block_begins[row / kBlock]);
    }
    graph_.bases.push_back(std::move(bases));
    part.starts = {site.low, graph_.bases.back().data(), shift};
    part.targets = site.targets;
    part.columns = site.columns;
    part.kept = columns_;
    if (size == 0) site.low[0] = 0;
  }

  void copy(Site& site, Range rows) const {
    const Part& part = *site.part;
    for (std::size_t begin = rows.begin; begin < rows.end; begin += kBlock) {
      const Range block{begin, std::min(rows.end, begin + kBlock)};
      if (!copy_together(site, block)) copy_each(site, block);
      if (columns_ > 0) copy_columns(site, block);
    }
    if (rows.end == part.vertices.size()) put_low(site, rows.end, site.block_begins.back());
  }

  void put_low(const Site& site, std::size_t row, EdgeCount at) const {
    const RowStarts& starts = site.part->starts;
    site.low[row] = static_cast<std::uint32_t>(at - starts.base[row >> starts.shift]);
  }

  /// Rows that lie one behind the other are copied as one. Whether they did.
  bool copy_together(const Site& site, Range block) const {
    const EdgeCount at = site.block_begins[block.begin / kBlock];
    const EdgeCount entries = site.block_begins[block.begin / kBlock + 1] - at;
    if (!in_order() || entries == 0) return false;
    const std::size_t first = source(site, block.begin), last = source(site, block.end - 1);
    const Vertex* const from = rows_.begin(first);
    if (rows_.begin(last) + rows_.length(last) != from + entries) return false;
    copy_row({from, entries}, site.targets + at);
    for (std::size_t i = block.begin; i < block.end; ++i) {
      put_low(site, i, at + static_cast<EdgeCount>(rows_.begin(first + (i - block.begin)) - from));
    }
    return true;
  }

  void copy_each(const Site& site, Range block) const {
    EdgeCount at = site.block_begins[block.begin / kBlock];
    for (std::size_t i = block.begin; i < block.end; ++i) {
      look_ahead(site, i);
      const std::span<const Vertex> row = rows_.row(source(site, i));
      put_low(site, i, at);
      if (!row.empty()) copy_row(row, site.targets + at);
      at += row.size();
    }
  }

  [[gnu::always_inline]] void look_ahead(const Site& site, std::size_t i) const {
    const std::size_t rows = site.part->vertices.size();
    if (i + 2 * kAhead >= rows) return;
    fetch(&rows_.places[source(site, i + 2 * kAhead)]);
    fetch_ends(rows_.row(source(site, i + kAhead)));
  }

  /// To where it lies already, perhaps.
  void copy_row(std::span<const Vertex> row, Vertex* out) const {
    if (names_ == Names::callers) {
      rename(row, out);
    } else if (out != row.data()) {
      std::memcpy(out, row.data(), row.size_bytes());
    }
  }

  void rename(std::span<const Vertex> row, Vertex* out) const {
    for (std::size_t i = 0; i < row.size(); ++i) {
      if (i + kNamesAhead < row.size()) fetch(&graph_.to_internal[row[i + kNamesAhead]]);
      out[i] = graph_.to_internal[row[i]];
    }
  }

  void copy_columns(const Site& site, Range block) const {
    const Part& part = *site.part;
    for (std::size_t i = block.begin; i < block.end; ++i) {
      const std::span<const Vertex> row = rows_.row(source(site, i));
      const auto self = static_cast<Vertex>(part.vertices.begin + i);
      const Vertex first = row.empty() ? self : row[0];
      for (std::size_t c = 0; c < columns_; ++c) {
        site.columns[c * part.vertices.size() + i] = c < row.size() ? row[c] : first;
      }
    }
  }

  Team& team_;
  LooseRows& rows_;
  Names names_;
  std::size_t columns_;
  Pages pages_;
  Buffer spare_;
  GraphData& graph_;
  std::vector<Site> sites_;
  std::vector<Task> tasks_;
  std::vector<Range> of_crews_;
};

}  // namespace

void assemble(Team& team, LooseRows& rows, Names names, std::size_t columns, Pages pages,
              Buffer spare, GraphData& graph) {
  Assembly(team, rows, names, columns, pages, std::move(spare), graph).run();
}

}  // namespace kinjo::graph::detail
