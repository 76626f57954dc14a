/// kinjo.audit(): where pages are, beside where they were asked to be.
#include <algorithm>

#include <nanobind/stl/map.h>
#include <nanobind/stl/string.h>

#include "argument.hpp"
#include "array.hpp"
#include "convert.hpp"
#include "lock.hpp"
#include "memory.hpp"

namespace kinjo::python {
namespace {

struct Audited {
  Audit total;
  std::map<int, Audit> asked;
};

std::size_t count_as_asked(const Audited& audited) {
  std::size_t pages = 0;
  for (const auto& [node, audit] : audited.asked) pages += audit.on(node);
  return pages;
}

std::string describe(const Audited& audited) {
  std::string text = audited.total.to_string();
  if (audited.asked.empty()) return text;
  return text + fmt::format("; {} where they were asked", count_as_asked(audited));
}

/// The part of `piece` that lies in `within`.
Range clip(const Range& piece, const Range& within) {
  const std::size_t begin = std::clamp(piece.begin, within.begin, within.end);
  return {begin, std::clamp(piece.end, begin, std::max(begin, within.end))};
}

template <class T>
std::map<int, Audit> audit_pieces(const PartitionedArray<T>& array, const Range& elements) {
  if (elements == Range{0, array.size()}) return array.audit().by_owner_node;
  std::map<int, Audit> asked;
  const Partition& partition = array.partition();
  for (std::size_t p = 0; p < partition.parts(); ++p) {
    for (std::size_t k = 0; k < partition.pieces(p); ++k) {
      const Range r = clip(partition.piece(p, k), elements);
      if (r.empty()) continue;
      asked[array.mapping()[p].node] += audit(array.data() + r.begin, r.size() * sizeof(T));
    }
  }
  return asked;
}

Audited audit_array(nb::handle array) {
  const Extent extent = extent_of(array, {"audit", "the argument"});
  const Memory* memory = memory_of(array);
  Unlocked released;
  Audited result{audit(extent.begin, extent.bytes), {}};
  if (memory) result.asked = memory->audit_asked(extent.begin, extent.bytes);
  return result;
}

std::map<int, Audited> asked_of(const Audited& audited) {
  std::map<int, Audited> all;
  for (const auto& [node, audit] : audited.asked) all[node] = {audit, {}};
  return all;
}

template <class Value>
auto total(Value Audit::*member) {
  return [member](const Audited& audited) { return audited.total.*member; };
}

}  // namespace

std::map<int, Audit> Memory::audit_asked(const std::byte* data, std::size_t bytes) const {
  return std::visit(
      [&]<class H>(const H& held) -> std::map<int, Audit> {
        if constexpr (std::is_same_v<H, Buffer>) {
          if (node_ < 0) return {};
          return {{node_, audit(data, bytes)}};
        } else {
          const auto* first = reinterpret_cast<const std::byte*>(held.data());
          const std::size_t item = sizeof(*held.data());
          const auto begin = static_cast<std::size_t>(data - first);
          return audit_pieces(held, {begin / item, (begin + bytes + item - 1) / item});
        }
      },
      held_);
}

void add_audit(nb::module_& module) {
  nb::class_<Audited>(module, "Audit", "Pages of an array, counted by the node that holds them.")
      .def_prop_ro("page_bytes", total(&Audit::page_bytes))
      .def_prop_ro("pages", total(&Audit::pages))
      .def_prop_ro("by_node", total(&Audit::by_node), "node -> pages there")
      .def_prop_ro("not_present", total(&Audit::not_present), "never touched, or swapped out")
      .def_prop_ro("unknown", total(&Audit::unknown), "the kernel did not say, see ``refusal``")
      .def_prop_ro("refusal", total(&Audit::refusal), "errno of ``move_pages``, 0: not refused")
      .def_prop_ro("asked", &asked_of, "node asked for -> where its pages are; empty if none was")
      .def_prop_ro("as_asked", &count_as_asked, "pages on the node that they were asked for")
      .def(
          "on",
          [](const Audited& a, Given<int> node) {
            return a.total.on(node.read({"on", "node"}));
          },
          nb::arg("node"), "Pages on a node.")
      .def("__str__", &describe)
      .def("__repr__", [](const Audited& a) { return "<kinjo.Audit " + describe(a) + ">"; });
  module.def("audit", &audit_array, nb::arg("array"), nb::sig("def audit(array: _Array) -> Audit"),
             "Asks the kernel about every page from an array's first byte to its last.");
}

}  // namespace kinjo::python
