/// What `kinjo bfs` found, as text and for programs.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include <kinjo/bfs.hpp>
#include <kinjo/graph.hpp>

namespace kinjo::cli {

struct BfsResult {
  std::string graph;  ///< as it was called
  std::uint64_t vertices = 0;
  std::uint64_t ids_below = 0;   ///< where vertices have ids
  graph::EdgeCount edges = 0;    ///< as they were listed
  graph::EdgeCount entries = 0;  ///< of all rows
  graph::Sense sense = graph::Sense::symmetric;
  graph::Order order = graph::Order::caller;
  std::uint64_t graph_bytes = 0;
  std::string policy;
  std::size_t threads = 0;
  double read_seconds = 0, build_seconds = 0;

  /// Of the search; nothing where the graph was only to be saved.
  struct Search {
    std::uint64_t root = 0;
    graph::SearchResult found;
    graph::EdgeCount edges = 0;  ///< listed ones in what was reached
    std::vector<double> seconds;
    std::optional<bool> verified;

    /// Steps to the vertices that are farthest away.
    std::uint64_t eccentricity() const;
    double teps(double of_seconds) const;
  };
  std::optional<Search> search;
};

/// For people: the graph, the levels (those in the middle of many are left out), the rate.
std::string bfs_text(const BfsResult& result);
/// kinjo-bfs/1.
std::string bfs_json(const BfsResult& result);
/// A row for each level.
std::string bfs_csv(const BfsResult& result);

}  // namespace kinjo::cli
