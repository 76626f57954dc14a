/// kinjo.empty(), kinjo.zeros() and kinjo.placement().
#include "memory.hpp"

#include <optional>
#include <string>
#include <vector>

#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include "argument.hpp"
#include "convert.hpp"
#include "lock.hpp"
#include "parts.hpp"
#include "team.hpp"

namespace kinjo::python {
namespace {

template <class Value>
Value parse_name(const char* what, const std::string& text, std::initializer_list<Value> values,
                 const char* expected) {
  for (Value value : values) {
    if (text == to_string(value)) return value;
  }
  throw Error(Errc::invalid_argument,
              fmt::format("empty: {}='{}': expected {}", what, text, expected));
}

Pages parse_pages(const std::string& text) {
  return parse_name("pages", text, {Pages::normal, Pages::transparent, Pages::huge},
                    "normal, transparent or huge");
}

/// What was asked of `empty`, apart from shape and dtype.
struct Wish {
  std::optional<int> node;
  std::optional<std::vector<int>> interleave;
  std::optional<std::string> partition;
  std::optional<std::size_t> chunk;
  std::shared_ptr<Team> team;
  Pages pages = Pages::normal;

  ArrayOptions array_options() const;
  void check() const;
};

ArrayOptions Wish::array_options() const {
  ArrayOptions options{.pages = pages};
  if (partition) {
    options.layout =
        parse_name("partition", *partition, {Layout::block, Layout::cyclic, Layout::block_cyclic},
                   "block, cyclic or block_cyclic");
  }
  if (chunk.has_value() != (options.layout == Layout::block_cyclic)) {
    throw Error(Errc::invalid_argument,
                "empty: partition='block_cyclic' and chunk= belong together");
  }
  options.chunk = chunk.value_or(0);
  return options;
}

void Wish::check() const {
  if (node.has_value() + interleave.has_value() + bool{team} > 1) {
    throw Error(Errc::invalid_argument,
                "empty: node=, interleave= and team= exclude each other: expected one of them");
  }
  if (!team && (partition || chunk)) {
    throw Error(Errc::invalid_argument,
                "empty: partition= needs team=, whose threads own the parts");
  }
}

Memory::Held make_partitioned(const Wish& wish, int type, std::size_t item, std::size_t count) {
  Team& team = *wish.team;
  const ArrayOptions options = wish.array_options();
  if (type == NPY_DOUBLE) return PartitionedArray<double>(team, count, options);
  if (type == NPY_FLOAT) return PartitionedArray<float>(team, count, options);
  switch (item) {
    case 1:
      return PartitionedArray<Blank<1>>(team, count, options);
    case 2:
      return PartitionedArray<Blank<2>>(team, count, options);
    case 4:
      return PartitionedArray<Blank<4>>(team, count, options);
    case 8:
      return PartitionedArray<Blank<8>>(team, count, options);
    case 16:
      return PartitionedArray<Blank<16>>(team, count, options);
  }
  throw Error(
      Errc::invalid_argument,
      fmt::format("empty: elements of {} bytes over a team: expected 1, 2, 4, 8 or 16", item));
}

Memory make_memory(const Wish& wish, int type, std::size_t item, std::size_t count) {
  if (wish.team) return Memory(make_partitioned(wish, type, item, count));
  const AllocOptions options{.pages = wish.pages};
  const std::size_t bytes = item * count;
  if (wish.node) return Memory(alloc_on(*wish.node, bytes, options), *wish.node);
  if (!wish.interleave) return Memory(alloc(bytes, options));
  NodeSet nodes;
  for (int node : *wish.interleave) {
    // Asked here because a set holds no negative numbers, nor very large ones.
    if (!Topology::this_machine().find_node(node)) {
      throw Error(Errc::not_found, fmt::format("no node {} on this machine", node));
    }
    nodes.insert(node);
  }
  return Memory(alloc_interleaved(nodes, bytes, options));
}

nb::object element_type(nb::handle dtype) {
  PyArray_Descr* type = nullptr;
  if (!PyArray_DescrConverter(dtype.ptr(), &type)) throw nb::python_error();
  const nb::object held = nb::steal(reinterpret_cast<PyObject*>(type));
  if (PyDataType_REFCHK(type) || PyDataType_ELSIZE(type) == 0) {
    throw Error(Errc::invalid_argument,
                fmt::format("empty: elements of {}: expected numbers or structures of numbers",
                            nb::str(held).c_str()));
  }
  return held;
}

std::vector<npy_intp> read_shape(nb::handle shape) {
  PyArray_Dims dims{nullptr, 0};
  if (!PyArray_IntpConverter(shape.ptr(), &dims)) throw nb::python_error();
  std::vector<npy_intp> all(dims.ptr, dims.ptr + dims.len);
  PyDimMem_FREE(dims.ptr);
  return all;
}

std::size_t count_elements(const std::vector<npy_intp>& shape, std::size_t item) {
  std::size_t count = 1, bytes = 0;
  for (npy_intp n : shape) {
    if (n < 0) {
      throw Error(Errc::invalid_argument,
                  fmt::format("empty: a shape of {}: expected 0 or more", n));
    }
    if (__builtin_mul_overflow(count, static_cast<std::size_t>(n), &count)) bytes = SIZE_MAX;
  }
  if (bytes == SIZE_MAX || __builtin_mul_overflow(count, item, &bytes) || bytes > PTRDIFF_MAX) {
    throw Error(Errc::out_of_memory, "an array of that many elements exceeds the address space");
  }
  return count;
}

/// The array of `count` elements of `type` that shows `memory`, and keeps it.
nb::object make_array(Memory&& memory, const std::vector<npy_intp>& shape, nb::object type) {
  nb::object owner = nb::cast(std::move(memory));
  void* data = nb::cast<Memory&>(owner).data();
  PyObject* array = PyArray_NewFromDescr(
      &PyArray_Type, reinterpret_cast<PyArray_Descr*>(type.release().ptr()),
      static_cast<int>(shape.size()), shape.data(), nullptr, data, NPY_ARRAY_CARRAY, nullptr);
  if (!array) throw nb::python_error();
  const nb::object held = nb::steal(array);
  if (PyArray_SetBaseObject(reinterpret_cast<PyArrayObject*>(array), owner.release().ptr()) < 0) {
    throw nb::python_error();
  }
  return held;
}

/// The numbers of nodes of `interleave=`.
std::optional<std::vector<int>> read_nodes(nb::handle numbers) {
  if (numbers.is_none()) return std::nullopt;
  constexpr Name kName{"empty", "interleave"};
  std::vector<int> nodes;
  if (!nb::isinstance<nb::iterable>(numbers)) refuse_type(kName, numbers, "numbers of nodes");
  for (const nb::handle each : numbers) nodes.push_back(Given<int>{each}.read(kName));
  return nodes;
}

nb::object empty(nb::handle shape, nb::handle dtype, Given<std::optional<int>> node,
                 nb::handle interleave, Given<std::optional<std::string>> partition,
                 Given<std::optional<std::size_t>> chunk, Given<const PythonTeam*> team_object,
                 Given<std::string> pages) {
  const PythonTeam* const team = team_object.read({"empty", "team"});
  const Wish wish{
      node.read({"empty", "node"}),           read_nodes(interleave),
      partition.read({"empty", "partition"}), chunk.read({"empty", "chunk"}),
      team ? team->get() : nullptr,           parse_pages(pages.read({"empty", "pages"}))};
  wish.check();
  const std::vector<npy_intp> dims = read_shape(shape);
  const nb::object held = element_type(dtype);
  auto* type = reinterpret_cast<PyArray_Descr*>(held.ptr());
  const auto item = static_cast<std::size_t>(PyDataType_ELSIZE(type));
  const std::size_t count = count_elements(dims, item);
  Memory memory = [&] {
    const Unlocked released;
    return make_memory(wish, type->type_num, item, count);
  }();
  return make_array(std::move(memory), dims, held);
}

struct Placement {
  PlacementReport report;
  PagesReport pages;
};

Placement placement_of(nb::handle array) {
  const Memory* memory = memory_of(array);
  if (!memory) {
    throw Error(Errc::invalid_argument,
                "placement: the array is not in memory that kinjo.empty() made");
  }
  return {memory->placement(), memory->pages()};
}

void add_classes(nb::module_& module) {
  nb::class_<Memory>(module, "Memory", "Memory on chosen nodes; arrays keep it alive.");
  nb::class_<Placement>(module, "Placement", "What was asked of the kernel and what came of it.")
      .def_prop_ro(
          "rung", [](const Placement& p) { return to_string(p.report.rung); },
          "``bound``, ``first_touch`` or ``unplaced``")
      .def_prop_ro(
          "message", [](const Placement& p) { return p.report.message; },
          "empty if bound, else a line that says what happened instead")
      .def_prop_ro(
          "pages", [](const Placement& p) { return to_string(p.pages.pages); },
          "``normal``, ``transparent`` or ``huge``")
      .def_prop_ro("pages_message", [](const Placement& p) { return p.pages.message; })
      .def("__repr__", [](const Placement& p) {
        return fmt::format("<kinjo.Placement {}, {} pages>", to_string(p.report.rung),
                           to_string(p.pages.pages));
      });
}

constexpr const char* kEmpty =
    "A NumPy array of zeros on a node, dealt page by page to several (``interleave``), or to a\n"
    "team's threads as the partition says: ``block``, ``cyclic``, or ``block_cyclic`` with\n"
    "``chunk`` elements at a time. Its memory is freed with the last view of it.\n"
    "``pages``: ``normal``, ``transparent`` (huge pages), or ``huge`` (of the system's pool).";

}  // namespace

void* Memory::data() {
  return std::visit([](auto& held) -> void* { return held.data(); }, held_);
}

const PlacementReport& Memory::placement() const {
  return std::visit([](const auto& held) -> const PlacementReport& { return held.placement(); },
                    held_);
}

const PagesReport& Memory::pages() const {
  return std::visit([](const auto& held) -> const PagesReport& { return held.pages(); }, held_);
}

Memory* memory_of(nb::handle array) {
  while (PyArrayObject* numpy = as_numpy(array)) {
    array = PyArray_BASE(numpy);
    if (!array) return nullptr;
  }
  Memory* memory = nullptr;
  return nb::try_cast(array, memory, false) ? memory : nullptr;
}

void add_memory(nb::module_& module) {
  add_classes(module);
  add_audit(module);
  for (const char* name : {"empty", "zeros"}) {
    const std::string signature = fmt::format(
        "def {}(shape: SupportsIndex | Sequence[SupportsIndex], dtype: DTypeLike | None = None, *, "
        "node: SupportsIndex | None = None, interleave: Iterable[SupportsIndex] | None = None, "
        "partition: Literal['block', 'cyclic', "
        "'block_cyclic'] | None = None, chunk: SupportsIndex | None = None, team: Team | None = "
        "None, "
        "pages: Literal['normal', 'transparent', 'huge'] = 'normal') -> NDArray[Any]",
        name);
    module.def(name, &empty, nb::arg("shape"), nb::arg("dtype") = nb::none(), nb::kw_only(),
               nb::arg("node") = nb::none(), nb::arg("interleave") = nb::none(),
               nb::arg("partition") = nb::none(), nb::arg("chunk") = nb::none(),
               nb::arg("team") = nb::none(), nb::arg("pages") = "normal",
               nb::sig(signature.c_str()), kEmpty);
  }
  module.def("placement", &placement_of, nb::arg("array"),
             nb::sig("def placement(array: _Array) -> Placement"),
             "What was asked of the kernel for the memory of an array, or of its view, that\n"
             "``empty`` made.");
}

}  // namespace kinjo::python
