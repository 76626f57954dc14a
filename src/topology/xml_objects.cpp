#include "topology/xml_objects.hpp"

#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "base/text.hpp"

namespace kinjo::detail {

namespace {

using Fault = std::optional<std::string>;

/// Types whose objects have CPUs and nodes, and those that have none.
constexpr std::array<std::string_view, 16> kPlaced = {
    "Machine", "Package", "Die",     "Core",    "PU",      "NUMANode", "Group",    "MemCache",
    "L1Cache", "L2Cache", "L3Cache", "L4Cache", "L5Cache", "L1iCache", "L2iCache", "L3iCache"};
constexpr std::array<std::string_view, 4> kUnplaced = {"Bridge", "PCIDev", "OSDev", "Misc"};

template <class Names>
bool is_one_of(const Names& names, std::string_view name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

/// Reads a set as hwloc writes it: 32-bit words in hexadecimal, the highest first, an empty one
/// meaning 0. Infinite sets (`0xf...f`) describe no machine.
template <class Tag>
bool read_set(std::string_view text, IndexSet<Tag>& set) {
  const auto words = split(text, ',');
  if (words.size() > static_cast<std::size_t>(kMaxIndex + 1) / 32) return false;
  for (std::size_t w = 0; w < words.size(); ++w) {
    const std::string_view word = words[words.size() - 1 - w];
    if (word.empty()) continue;
    if (!word.starts_with("0x") || word.size() < 3 || word.size() > 10) return false;
    const auto bits = parse_hex<std::uint32_t>(word.substr(2));
    if (!bits) return false;
    for (int bit = 0; bit < 32; ++bit) {
      if ((*bits >> bit) & 1) set.insert(static_cast<int>(w) * 32 + bit);
    }
  }
  return true;
}

template <class Tag>
bool within(const IndexSet<Tag>& inner, const IndexSet<Tag>& outer) {
  return (inner & outer) == inner;
}

template <class Tag>
Fault take_set(const XmlTag& tag, std::string_view name, IndexSet<Tag>& set) {
  const XmlAttribute* attribute = tag.find(name);
  if (!attribute) return fmt::format("<object> has no {}: expected {}=\"0x…\"", name, name);
  if (read_set(attribute->value, set)) return std::nullopt;
  return fmt::format("{}=\"{}\": expected a set such as 0x0000000f", name,
                     attribute->value.substr(0, 40));
}

/// Its number is the one member of its complete set, and nobody else's.
template <class Tag>
Fault check_own(std::string_view type, int number, const IndexSet<Tag>& complete,
                IndexSet<Tag>& seen) {
  if (complete.count() != 1 || !complete.contains(number)) {
    return fmt::format("{} {} has the set {}: expected its own number alone", type, number,
                       complete.to_string());
  }
  if (seen.contains(number))
    return fmt::format("{} {} is there twice: expected once", type, number);
  seen.insert(number);
  return std::nullopt;
}

/// hwloc trusts the number of objects to multiply it with itself.
Fault check_distances(const XmlTag& tag) {
  constexpr unsigned kMaxObjects = 4096;
  const XmlAttribute* count = tag.find("nbobjs");
  const auto number = count ? parse_number<unsigned>(count->value) : std::nullopt;
  if (number && *number <= kMaxObjects) return std::nullopt;
  return fmt::format("nbobjs=\"{}\": expected a number up to {}", count ? count->value : "",
                     kMaxObjects);
}

}  // namespace

const XmlAttribute* XmlTag::find(std::string_view wanted) const {
  const auto at = std::find_if(attributes.begin(), attributes.end(),
                               [&](const XmlAttribute& a) { return a.name == wanted; });
  return at == attributes.end() ? nullptr : &*at;
}

Fault XmlObjects::enter(const XmlTag& tag) {
  Sets sets;
  Fault fault;
  if (tag.name == "topology") {
    const XmlAttribute* version = tag.find("version");
    if (!version || !version->value.starts_with("2.") ||
        !parse_number<unsigned>(version->value.substr(2))) {
      fault = "<topology> is not of version 2: expected a file that hwloc 2 wrote";
    }
  } else if (tag.name == "object") {
    fault = check_object(tag, sets);
  } else if (tag.name.starts_with("distances2")) {
    fault = check_distances(tag);
  }
  open_.push_back(std::move(sets));
  return fault;
}

Fault XmlObjects::check_object(const XmlTag& tag, Sets& sets) {
  const XmlAttribute* type = tag.find("type");
  if (!type) return "<object> has no type: expected type=\"…\"";
  const bool known = is_one_of(kPlaced, type->value) || is_one_of(kUnplaced, type->value);
  if (!known) {
    return fmt::format("type=\"{}\": expected a type of hwloc 2 such as Package or PU",
                       type->value);
  }
  for (std::size_t a = 0; a < tag.attributes.size(); ++a) {
    if (tag.find(tag.attributes[a].name) != &tag.attributes[a]) {
      return fmt::format("{} is there twice: expected once", tag.attributes[a].name);
    }
  }
  if (is_one_of(kUnplaced, type->value)) return std::nullopt;
  sets.placed = true;
  if (auto fault = take_set(tag, "cpuset", sets.cpus)) return fault;
  if (auto fault = take_set(tag, "complete_cpuset", sets.complete_cpus)) return fault;
  if (auto fault = take_set(tag, "nodeset", sets.nodes)) return fault;
  if (auto fault = take_set(tag, "complete_nodeset", sets.complete_nodes)) return fault;
  const bool root = open_.size() <= 1;
  if (root) {
    Sets allowed;
    if (auto fault = take_set(tag, "allowed_cpuset", allowed.cpus)) return fault;
    if (auto fault = take_set(tag, "allowed_nodeset", allowed.nodes)) return fault;
  }
  const Sets& outer = root ? sets : open_.back();
  if (!within(sets.cpus, sets.complete_cpus) || !within(sets.nodes, sets.complete_nodes)) {
    return "a set reaches out of its complete_ set: expected members of both";
  }
  if (!within(sets.cpus, outer.cpus) || !within(sets.complete_cpus, outer.complete_cpus) ||
      !within(sets.nodes, outer.nodes) || !within(sets.complete_nodes, outer.complete_nodes)) {
    return "a set reaches out of the enclosing object's: expected a part of it";
  }
  return check_number(tag, type->value, sets);
}

Fault XmlObjects::check_number(const XmlTag& tag, std::string_view type, const Sets& sets) {
  const bool needed = type == "PU" || type == "NUMANode";
  const XmlAttribute* index = tag.find("os_index");
  if (!index) {
    if (needed) return fmt::format("{} has no os_index: expected its number", type);
    return std::nullopt;
  }
  const auto number = parse_number<unsigned>(index->value);
  const bool unknown = number && ~*number == 0 && !needed;
  if (!number || (*number > static_cast<unsigned>(kMaxIndex) && !unknown)) {
    return fmt::format("os_index=\"{}\": expected a number up to {}", index->value, kMaxIndex);
  }
  const int own = static_cast<int>(*number);
  if (type == "PU") return check_own(type, own, sets.complete_cpus, seen_cpus_);
  if (type == "NUMANode") return check_own(type, own, sets.complete_nodes, seen_nodes_);
  return std::nullopt;
}

}  // namespace kinjo::detail
