/// Where nodes lie that are not reduced yet: in memory, or in a file without a name.
///
/// When a level is complete nobody looks at its nodes before they are reduced, from the last level
/// up; so they can wait in a file, in the order in which they were made, and be read from its end.
#pragma once

#include <cstddef>
#include <memory>
#include <string>

namespace kinjo::paths::detail {

/// What an arena holds at first.
enum class Contents { zeros, any };

/// Of a store, which it keeps alive.
class NodeArena {
 public:
  virtual ~NodeArena() = default;
  void* data() const { return data_; }
  Contents contents() const { return contents_; }
  /// Is not looked at for a long time: its pages may leave memory.
  virtual void put_away() const {}
  /// Will be read soon.
  virtual void fetch() const {}

 protected:
  NodeArena(void* data, Contents contents) : data_(data), contents_(contents) {}

 private:
  void* data_;
  Contents contents_;
};

/// Copies are the same store. Threads may take of it at the same time.
class NodeStore {
 public:
  /// In memory.
  NodeStore() = default;
  /// In a file in a directory, which takes as much room as the nodes that are there, and none when
  /// the store and its arenas are gone, however the program ends. Throws `Error` (`not_found`,
  /// `not_permitted` or `system`).
  explicit NodeStore(const std::string& directory);

  bool is_file() const { return file_ != nullptr; }
  /// Throws `Error`: `out_of_memory`, or `system` where the file's disk is full.
  std::shared_ptr<const NodeArena> take(std::size_t bytes) const;

 private:
  class File;
  std::shared_ptr<File> file_;
};

}  // namespace kinjo::paths::detail
