/// Memory on chosen nodes, kept alive by the NumPy arrays that show it.
#pragma once

#include <map>
#include <variant>

#include <kinjo/memory.hpp>
#include <kinjo/partitioned_array.hpp>

#include "numpy.hpp"

namespace kinjo::python {

/// Elements that BLAS does not know, as many bytes each.
template <std::size_t Bytes>
struct Blank {
  std::byte bytes[Bytes];
};

class Memory {
 public:
  using Held = std::variant<Buffer, PartitionedArray<double>, PartitionedArray<float>,
                            PartitionedArray<Blank<1>>, PartitionedArray<Blank<2>>,
                            PartitionedArray<Blank<4>>, PartitionedArray<Blank<8>>,
                            PartitionedArray<Blank<16>>>;
  /// `node`: that a buffer was asked for; −1: none, or several.
  explicit Memory(Held held, int node = -1) : held_(std::move(held)), node_(node) {}

  void* data();
  const PlacementReport& placement() const;
  const PagesReport& pages() const;
  /// Pages of a range within it by the node that they were asked for; empty if none was.
  std::map<int, Audit> audit_asked(const std::byte* data, std::size_t bytes) const;

  /// The partitioned array of these elements, or null.
  template <class T>
  PartitionedArray<T>* partitioned() {
    return std::get_if<PartitionedArray<T>>(&held_);
  }

 private:
  Held held_;
  int node_;
};

/// The memory that an array is a view of, or null.
Memory* memory_of(nb::handle array);

/// kinjo.audit.
void add_audit(nb::module_& module);

}  // namespace kinjo::python
