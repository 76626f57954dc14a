/// Reducing a diagram (Bryant, 1986; zero-suppressed: Minato, 1993), level by level from the last
/// item up, by sorting.
///
/// A node whose hi leads to no set is its lo; nodes with the same (lo, hi) are one. Instead of
/// references, which have 40 bits, a level's nodes are told by ranks: dense numbers of 32 bits, in
/// the order of the references they stand for. Ranks 0 and 1 are ⊥ and ⊤, then come those that are
/// only passed on from below, then the level's own nodes.
///
/// Ranks being dense, a level is sorted by (lo, hi) by dealing it (level_reducer.hpp), and whatever
/// differs from what is before it is a new node. So nodes rise by (lo, hi) within a level, which
/// makes the diagram of a family the same to the last bit, whatever it was made of, and by however
/// many threads. What is read and written at random has the size of one level.
///
/// A team shares large levels; of small ones, which end before threads have met, its first thread
/// does one after the other.
#include <algorithm>
#include <atomic>
#include <optional>
#include <utility>

#include <fmt/format.h>
#include <kinjo/error.hpp>
#include <kinjo/team.hpp>

#include "base/text.hpp"
#include "paths/diagram/level_reducer.hpp"
#include "paths/levels.hpp"
#include "paths/memory_bound.hpp"

namespace kinjo::paths::detail {

namespace {

/// Levels of fewer nodes are done before threads have met.
constexpr std::size_t kFewNodes = std::size_t{1} << 11;

/// Room that the diagram has from the start, if there can be so many: an array that is going to be
/// large takes huge pages, but for what it had while it was small. Not so for threads on several
/// nodes: there a small page lies with the thread that writes it.
constexpr std::size_t kFirstNodes = std::size_t{1} << 20;

/// All levels, by one thread or a team.
class Reducer {
 public:
  Reducer(Levels& levels, Team* team, const ReduceOptions& options)
      : levels_(levels),
        threads_(team == nullptr ? 1 : std::min(team->size(), LevelReducer::kMost)),
        options_(options),
        memory_(options.memory_limit) {
    std::uint64_t bytes = 0;
    std::size_t nodes = 0;
    for (const RawLevel& level : levels_.nodes) {
      bytes += level.bytes();
      nodes += level.living_nodes();
      is_shared_.push_back(threads_ > 1 && level.size() >= kFewNodes);
    }
    if (std::ranges::find(is_shared_, true) != is_shared_.end()) team_ = team;
    const bool is_near = team == nullptr || team->mapping().nodes().size() == 1;
    if (is_near) all_.nodes.reserve(std::min(nodes, kFirstNodes));
    need_.emplace(bytes, team_ == nullptr ? 1 : threads_, options.nodes_in);
  }

  /// Nothing if `go_on` has ended it.
  std::optional<Diagram> run() {
    data_->first.assign(levels_.nodes.size() + 1, kFirstNode);
    const std::size_t items = levels_.nodes.size();
    all_.here(items).begin();
    alone_.join(0);
    if (team_ == nullptr) {
      for (std::size_t item = items; item-- > last_;) reduce_alone(item);
    } else {
      LevelReducer shared(all_, threads_);
      team_->run([&](const Place& me) {
        work(shared, static_cast<std::size_t>(me.thread), [&] { team_->barrier(me); });
      });
    }
    if (last_ != 0) return std::nullopt;
    const Ranks& top = all_.here(0);
    data_->root = top.refs()[top.of_child[levels_.root]];
    data_->keep(std::move(all_.nodes));
    return Diagram(std::move(data_));
  }

 private:
  /// The first thread reduces small levels while the others wait for the next large one.
  template <class Meet>
  void work(LevelReducer& shared, std::size_t thread, const Meet& meet) {
    if (thread < threads_) shared.join(thread);
    bool have_met = false;
    for (std::size_t item = is_shared_.size(); item-- > 0;) {
      if (is_shared_[item]) {
        if (!have_met) meet();
        if (item < last_) return;
        if (thread == 0) begin(item);
        shared.reduce(item, levels_.nodes[item], thread, meet);
      } else if (thread == 0 && item >= last_) {
        reduce_alone(item);
      }
      have_met = is_shared_[item];
    }
  }

  /// Of the first thread. Where it is asked to end, this level is the last one: threads have met
  /// since they could not know before they look whether there is a next one.
  void begin(std::size_t item) {
    data_->first[item] = all_.nodes.size() + kFirstNode;
    check_memory(item);
    const std::size_t items = levels_.nodes.size(), nodes = levels_.nodes[item].size();
    if (item == 0) return;
    levels_.nodes[item - 1].fetch();
    if (!options_.go_on) return;
    if (!options_.go_on({items - item, items, nodes, need_->held(), true})) last_ = item;
  }
  /// Throws unless there is room for what the level can become, and what sorts it.
  void check_memory(std::size_t item) {
    const RawLevel& level = levels_.nodes[item];
    const std::uint64_t bytes = need_->next(all_.nodes.size(), level.living_nodes(), level.bytes());
    const std::uint64_t limit = memory_.where(need_->held());
    if (bytes <= limit) return;
    const bool spills = options_.nodes_in == NodesIn::file;
    throw Error(Errc::out_of_memory,
                fmt::format("the diagram takes more memory than the limit of {}: it is reached at "
                            "edge {} of {} where the nodes are reduced, from the last edge up; "
                            "expected a larger limit{}",
                            kinjo::detail::format_bytes(limit), item + 1, levels_.nodes.size(),
                            spills ? "" : ", or a directory to spill to"));
  }
  void reduce_alone(std::size_t item) {
    begin(item);
    alone_.reduce(item, levels_.nodes[item], 0, [] {});
  }

  Levels& levels_;
  std::size_t threads_;
  Team* team_ = nullptr;         ///< if there is anything to share
  std::vector<char> is_shared_;  ///< by item
  const ReduceOptions& options_;
  MemoryBound memory_;
  std::optional<ReductionNeed> need_;
  std::atomic<std::size_t> last_{0};  ///< item that is to be done
  std::shared_ptr<DiagramData> data_ = std::make_shared<DiagramData>();
  Reduction all_;
  LevelReducer alone_{all_, 1};
};

}  // namespace

Diagram reduce(Levels&& levels) {
  const ReduceOptions options;
  return *Reducer(levels, nullptr, options).run();
}

std::optional<Diagram> reduce(Levels&& levels, Team& team, const ReduceOptions& options) {
  return Reducer(levels, &team, options).run();
}

}  // namespace kinjo::paths::detail
