/// Vertices in the order in which they were reached: the frontier, and behind it those who were
/// found from it.
#pragma once

#include <cstddef>
#include <span>

#include <kinjo/graph.hpp>
#include <kinjo/memory.hpp>

namespace kinjo::graph::detail {

class VertexQueue {
 public:
  VertexQueue() = default;
  /// For so many vertices in all, until it is cleared.
  explicit VertexQueue(std::size_t capacity) : memory_(alloc((capacity + 1) * sizeof(Vertex))) {}

  void clear() { begin_ = middle_ = end_ = 0; }
  std::span<const Vertex> frontier() const { return {data() + begin_, middle_ - begin_}; }
  std::span<const Vertex> found() const { return {data() + middle_, end_ - middle_}; }

  /// Those who were found are the frontier.
  void advance() {
    begin_ = middle_;
    middle_ = end_;
  }
  void push(Vertex v) { data()[end_++] = v; }
  /// Where the next ones are written, and that they were. One more than was found may be written.
  Vertex* end() { return data() + end_; }
  void set_end(const Vertex* end) { end_ = static_cast<std::size_t>(end - data()); }

 private:
  Vertex* data() const { return static_cast<Vertex*>(memory_.data()); }

  std::size_t begin_ = 0, middle_ = 0, end_ = 0;
  Buffer memory_;
};

}  // namespace kinjo::graph::detail
