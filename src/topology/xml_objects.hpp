/// What hwloc takes for granted about the elements of its XML files, checked before it sees them.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <kinjo/index_set.hpp>

namespace kinjo::detail {

struct XmlAttribute {
  std::string_view name;
  std::string_view value;
};

/// The tag of an element, as it stands in the file.
struct XmlTag {
  enum class Kind { open, close, empty } kind = Kind::open;
  std::string_view name;
  std::vector<XmlAttribute> attributes;
  int line = 0;

  const XmlAttribute* find(std::string_view wanted) const;
};

/// Follows the elements of a file from the outside in. An object needs a type of hwloc 2, the
/// number and the sets that go with it, sets that lie in those of what encloses it, and, if it is a
/// PU or a NUMA node, a number of its own.
class XmlObjects {
 public:
  /// An opening tag: its fault, if it has one.
  std::optional<std::string> enter(const XmlTag& tag);
  /// The end of the element entered last.
  void leave() { open_.pop_back(); }

 private:
  /// The sets of an object; `placed` is false for elements that have none.
  struct Sets {
    bool placed = false;
    CpuSet cpus, complete_cpus;
    NodeSet nodes, complete_nodes;
  };

  std::optional<std::string> check_object(const XmlTag& tag, Sets& sets);
  std::optional<std::string> check_number(const XmlTag& tag, std::string_view type,
                                          const Sets& sets);
  std::vector<Sets> open_;
  CpuSet seen_cpus_;
  NodeSet seen_nodes_;
};

}  // namespace kinjo::detail
