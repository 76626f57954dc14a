#include <kinjo/spanning_trees.hpp>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cmath>
#include <condition_variable>
#include <mutex>
#include <numeric>
#include <vector>

#include <fmt/format.h>
#include <kinjo/error.hpp>
#include <kinjo/memory.hpp>

#include "base/contract.hpp"
#include "base/text.hpp"
#include "paths/grid_residues.hpp"
#include "paths/laplacian.hpp"
#include "paths/memory_bound.hpp"

namespace kinjo::paths {

namespace {

std::vector<std::uint64_t> degrees_of(const Network& network) {
  std::vector<std::uint64_t> degrees(network.vertices);
  for (const Edge& e : network.edges) {
    if (e.from == e.to) continue;
    ++degrees[e.from];
    ++degrees[e.to];
  }
  return degrees;
}

bool is_connected(const Network& network) {
  // Also where vertices are claimed that no memory would hold.
  if (network.edges.size() + 1 < network.vertices) return false;
  detail::check_graph(network, 0);
  std::vector<Vertex> parents(network.vertices);
  std::iota(parents.begin(), parents.end(), Vertex{0});
  const auto root = [&](Vertex v) {
    while (parents[v] != v) v = parents[v] = parents[parents[v]];
    return v;
  };
  std::size_t parts = network.vertices;
  for (const Edge& e : network.edges) {
    const Vertex a = root(e.from), b = root(e.to);
    if (a != b) {
      parents[a] = b;
      --parts;
    }
  }
  return parts == 1;
}

/// What is left of a connected network when vertices of one edge are taken away, as long as there
/// are such: each edge that goes with them is in every tree.
Network without_leaves(const Network& network) {
  std::vector<std::uint64_t> degrees = degrees_of(network);
  std::vector<Vertex> ends(network.vertices);  // exclusive or of neighbours: of a leaf, its one
  for (const Edge& e : network.edges) {
    if (e.from == e.to) continue;
    ends[e.from] ^= e.to;
    ends[e.to] ^= e.from;
  }
  std::vector<Vertex> leaves;
  for (Vertex v = 0; v < network.vertices; ++v) {
    if (degrees[v] == 1) leaves.push_back(v);
  }
  while (!leaves.empty()) {
    const Vertex leaf = leaves.back();
    leaves.pop_back();
    if (degrees[leaf] == 0) continue;  // of two that were left the last one stays
    const Vertex other = ends[leaf];
    degrees[leaf] = 0;
    ends[other] ^= leaf;
    if (--degrees[other] == 1) leaves.push_back(other);
  }
  Network rest;
  std::vector<Vertex> called(network.vertices);
  for (Vertex v = 0; v < network.vertices; ++v) {
    if (degrees[v] > 0) called[v] = rest.vertices++;
  }
  for (const Edge& e : network.edges) {
    if (e.from != e.to && degrees[e.from] > 0 && degrees[e.to] > 0) {
      rest.edges.push_back({called[e.from], called[e.to]});
    }
  }
  if (rest.vertices == 0) rest.vertices = 1;
  return rest;
}

/// The matrix is positive semidefinite, so a cofactor is no more than its diagonal's product.
std::size_t most_bits(const std::vector<std::uint64_t>& degrees, Vertex last) {
  double bits = 1;
  for (std::size_t v = 0; v < degrees.size(); ++v) {
    if (v != last) bits += std::log2(static_cast<double>(degrees[v])) * (1 + 1e-12);
  }
  return static_cast<std::size_t>(std::ceil(bits));
}

/// The residues of one count, by all threads.
class Residues {
 public:
  Residues(const detail::Laplacian& matrix, std::vector<std::uint64_t> primes,
           std::size_t first_spare, std::uint64_t bytes, const GoOn& go_on)
      : matrix_(matrix),
        primes_(std::move(primes)),
        wanted_(first_spare),
        next_spare_(first_spare),
        bytes_(bytes),
        go_on_(go_on),
        residues_(wanted_) {}

  /// False if somebody asked to stop.
  bool run(Team& team) {
    working_ = team.size();
    team.run([&](const Place& me) {
      work(me.thread == 0);
      if (me.thread == 0 && go_on_) wait_for_others();
    });
    return !stopped_;
  }
  Count join() const { return detail::from_residues(residues_, {primes_.data(), wanted_}); }

 private:
  void work(bool asks) {
    const struct Leaving {
      Residues& all;
      ~Leaving() {
        const std::lock_guard lock(all.mutex_);
        if (--all.working_ == 0) all.none_works_.notify_one();
      }
    } leaving{*this};
    for (std::size_t i = next_++; i < wanted_ && !stopped_; i = next_++) find(i, asks);
  }
  /// The thread that asks goes on asking while others have a last prime to do.
  void wait_for_others() {
    constexpr std::chrono::milliseconds kBetween(20);
    std::unique_lock lock(mutex_);
    while (!none_works_.wait_for(lock, kBetween, [&] { return working_ == 0; })) {
      lock.unlock();
      goes_on(0);
      lock.lock();
    }
  }
  /// One thread asks whether to go on.
  void find(std::size_t i, bool asks) {
    for (;;) {
      const auto value = matrix_.cofactor(
          primes_[i], [&](std::size_t rank) { return asks ? goes_on(rank) : !stopped_; });
      if (stopped_) return;
      if (value) {
        residues_[i] = *value;
        ++done_;
        return;
      }
      // A pivot that is not 0 is a multiple of the prime, which hardly ever is so: another one.
      const std::size_t spare = next_spare_++;
      KINJO_ASSERT(spare < primes_.size());
      primes_[i] = primes_[spare];
    }
  }
  bool goes_on(std::size_t rank) {
    constexpr std::size_t kSeldom = 16;
    if (stopped_ || !go_on_ || rank % kSeldom != 0) return !stopped_;
    if (!go_on_({done_, wanted_, matrix_.entries(), bytes_, false})) stopped_ = true;
    return !stopped_;
  }

  const detail::Laplacian& matrix_;
  std::vector<std::uint64_t> primes_;
  std::size_t wanted_;
  std::atomic<std::size_t> next_ = 0, next_spare_, done_ = 0;
  std::uint64_t bytes_;
  const GoOn& go_on_;
  std::atomic<bool> stopped_ = false;
  std::vector<std::uint64_t> residues_;
  std::mutex mutex_;
  std::condition_variable none_works_;
  std::size_t working_ = 0;  ///< threads that have not come to the end of the primes
};

/// `more`: words before how many bytes it takes.
void check_memory(std::uint64_t bytes, std::uint64_t limit, const char* more) {
  constexpr std::uint64_t kLittle = 16 << 20;
  if (limit == 0 && bytes > kLittle) limit = available_memory_bytes();
  if (limit == 0 || bytes <= limit) return;
  throw Error(
      Errc::out_of_memory,
      fmt::format("counting spanning trees by a determinant takes {}{}: {} may be used", more,
                  kinjo::detail::format_bytes(bytes), kinjo::detail::format_bytes(limit)));
}

/// The matrix, unless somebody asked to stop. Throws as soon as what is known of it does not fit.
detail::Laplacian eliminated(const Network& network, Vertex last, std::size_t primes,
                             const TreeCountOptions& options) {
  const auto go_on = [&](std::uint64_t entries) {
    const std::uint64_t bytes = entries * detail::Laplacian::kEntryBytes;
    check_memory(bytes, options.memory_limit, "more than ");
    return !options.go_on || options.go_on({0, primes, entries, bytes, false});
  };
  return detail::Laplacian(network, last, go_on);
}

}  // namespace

TreesResult count_spanning_trees(Team& team, const Network& whole,
                                 const TreeCountOptions& options) {
  constexpr std::size_t kSpare = 4;
  TreesResult result;
  if (!is_connected(whole)) return result;
  const Network network = without_leaves(whole);
  const std::vector<std::uint64_t> degrees = degrees_of(network);
  const auto chosen =
      options.otherwise ? std::ranges::min_element(degrees) : std::ranges::max_element(degrees);
  const auto last = static_cast<Vertex>(chosen - degrees.begin());
  TreesNeed& took = result.took;
  took.primes = detail::primes_for(most_bits(degrees, last));
  const detail::Laplacian matrix = eliminated(network, last, took.primes, options);
  result.interrupted = !matrix.is_whole();
  if (result.interrupted) return result;
  took.entries = matrix.entries();
  took.products = matrix.products();
  took.bytes = matrix.bytes() + std::min(team.size(), took.primes) * matrix.thread_bytes();
  check_memory(took.bytes, options.memory_limit, "");
  const std::size_t before = options.otherwise ? took.primes + kSpare : 0;
  std::vector<std::uint64_t> primes = detail::large_primes(before + took.primes + kSpare);
  primes.erase(primes.begin(), primes.begin() + static_cast<std::ptrdiff_t>(before));
  Residues residues(matrix, std::move(primes), took.primes, took.bytes, options.go_on);
  result.peak_bytes = took.bytes;
  result.interrupted = !residues.run(team);
  if (!result.interrupted) result.count = residues.join();
  return result;
}

}  // namespace kinjo::paths
