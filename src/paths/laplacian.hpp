/// The Laplacian matrix of a network, and the pattern of what its elimination leaves.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

#include <kinjo/network.hpp>

namespace kinjo::paths::detail {

/// Rows of an upper triangle U with L = UᵀD⁻¹U, by the ranks of vertices in the order of their
/// elimination.
class Laplacian {
 public:
  /// Vertices in an order of minimum degree, in which `last` comes last. `go_on(entries)` is asked
  /// now and then with those that there are so far, and ends it, or throws.
  Laplacian(const Network& network, Vertex last,
            const std::function<bool(std::uint64_t)>& go_on = {});

  /// Whether nobody has ended it; else nothing that follows holds.
  bool is_whole() const { return is_whole_; }
  std::size_t size() const { return begins_.size() - 1; }
  /// What each entry takes at least: its column, where it is above, and a thread's number.
  static constexpr std::uint64_t kEntryBytes = 20;
  /// Right of the diagonal.
  std::uint64_t entries() const { return columns_.size(); }
  /// Products of an elimination.
  double products() const;
  /// Bytes that each thread's elimination takes, and those that all share.
  std::uint64_t thread_bytes() const;
  std::uint64_t bytes() const;

  /// The product of all pivots but the last one's, which is every cofactor's value, modulo a prime
  /// below 2⁶³; none if one of them is 0. `go_on(rank)` is asked now and then, and ends it: none.
  std::optional<std::uint64_t> cofactor(std::uint64_t prime,
                                        const std::function<bool(std::size_t)>& go_on) const;

 private:
  struct Above {
    std::uint32_t rank;   ///< of a row
    std::uint32_t place;  ///< in it
  };
  struct Given {
    std::uint32_t column, edges;
  };

  bool eliminate(const Network& network, Vertex last,
                 const std::function<bool(std::uint64_t)>& go_on);
  void number_by_ranks(const Network& network, const std::vector<std::uint32_t>& ranks);
  void link_columns();

  std::vector<std::uint64_t> begins_;   ///< of rows, by rank
  std::vector<std::uint32_t> columns_;  ///< ascending in a row
  std::vector<std::uint64_t> above_begins_;
  std::vector<Above> above_;  ///< by column, the rows that have it
  /// What the network has right of the diagonal, and the degrees.
  std::vector<std::uint64_t> given_begins_;
  std::vector<Given> given_;
  std::vector<std::uint64_t> degrees_;
  bool is_whole_ = false;
};

}  // namespace kinjo::paths::detail
