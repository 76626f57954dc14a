#include "graph/files/kgraph.hpp"

#include <algorithm>
#include <bit>
#include <cstring>

#include <fmt/format.h>

#include "graph/files/mapped_file.hpp"
#include "graph/random.hpp"

namespace kinjo::graph::detail {

namespace {

constexpr std::string_view kMagic = "kinjo-gr";
constexpr std::uint64_t kPlain = 2, kWithIds = 3;  ///< versions
constexpr std::size_t kAlignment = 64;
constexpr std::string_view kPadding(
    "\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0"
    "\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0",
    kAlignment);
constexpr std::uint64_t kMostParts = 1 << 16;
constexpr std::size_t kGraphSections = 3, kPartSections = 4;
constexpr std::size_t kHeadNumbers = 8, kPartNumbers = 3, kTableNumbers = 3;

/// Sections before those of the parts.
constexpr std::size_t graph_sections(std::uint64_t version) {
  return kGraphSections + (version == kWithIds ? 1 : 0);
}

/// Bytes of a head with its check sum.
constexpr std::uint64_t head_bytes(std::uint64_t version, std::uint64_t parts) {
  const std::uint64_t numbers = kHeadNumbers + (version == kWithIds ? 1 : 0);
  const std::uint64_t sections = graph_sections(version) + kPartSections * parts;
  return 8 * (1 + numbers + kPartNumbers * parts + kTableNumbers * sections + 1);
}

constexpr std::uint64_t aligned(std::uint64_t bytes) {
  return (bytes + kAlignment - 1) / kAlignment * kAlignment;
}

template <class T>
std::string_view bytes_of(std::span<const T> values) {
  return {reinterpret_cast<const char*>(values.data()), values.size_bytes()};
}
template <class T>
std::string_view bytes_of(const T* values, std::size_t size) {
  return values ? bytes_of(std::span(values, size)) : std::string_view();
}

/// A section as the table says.
struct Section {
  std::uint64_t offset = 0, bytes = 0, sum = 0;
};

class Parser {
 public:
  Parser(std::string_view bytes, const std::string& name, Trust trust)
      : bytes_(bytes), name_(name), trust_(trust), graph_(std::make_unique<GraphData>()) {}

  std::unique_ptr<GraphData> run() {
    read_head();
    read_parts();
    read_sections();
    graph_->to_caller = table(sections_[0], "to_caller");
    graph_->to_internal = table(sections_[1], "to_internal");
    graph_->input_degrees = table(sections_[2], "input_degrees");
    if (graph_->to_caller.empty() != graph_->to_internal.empty()) {
      refuse("it has one table of numbers without the other");
    }
    if (version_ == kWithIds) graph_->ids = ids(sections_[kGraphSections]);
    EdgeCount entries = 0;
    for (std::size_t p = 0; p < graph_->parts.size(); ++p) {
      read_part(graph_->parts[p], &sections_[graph_sections(version_) + kPartSections * p]);
      entries += graph_->parts[p].entries();
    }
    if (entries != graph_->entries) {
      refuse(fmt::format("its parts have {} entries: its head says {}", entries, graph_->entries));
    }
    if (trust_ == Trust::nothing) check_content();
    return std::move(graph_);
  }

 private:
  [[noreturn]] void refuse(const std::string& fault) const { refuse_file(name_, fault); }

  std::uint64_t next_number() {
    std::uint64_t value;
    std::memcpy(&value, bytes_.data() + at_, sizeof value);
    at_ += sizeof value;
    return value;
  }

  std::uint64_t next_number(const char* what, std::uint64_t most) {
    const std::uint64_t value = next_number();
    if (value > most) {
      refuse(fmt::format("byte {}: {} {}: expected at most {}", at_ - 8, what, value, most));
    }
    return value;
  }

  void read_head() {
    if (!bytes_.starts_with(kMagic)) refuse("it is no graph of kinjo's");
    at_ = kMagic.size();
    if (bytes_.size() < head_bytes(kPlain, 0)) refuse("its head is cut off");
    version_ = next_number();
    if (version_ != kPlain && version_ != kWithIds) {
      refuse(fmt::format("it has version {}: expected {} or {}", version_, kPlain, kWithIds));
    }
    graph_->sense = static_cast<Sense>(next_number("sense", 1));
    graph_->order = static_cast<Order>(next_number("order", 3));
    graph_->vertices = next_number("number of vertices", kMostVertices);
    graph_->entries = next_number();
    graph_->input_edges = next_number();
    const std::uint64_t parts = next_number("number of parts", kMostParts);
    if (graph_->order == Order::automatic) refuse("byte 24: order 0: expected 1 to 3");
    if (parts == 0) refuse("byte 56: number of parts 0: expected at least 1");
    const std::uint64_t head = head_bytes(version_, parts);
    if (next_number() != head || bytes_.size() < head) refuse("its head is cut off");
    if (version_ == kWithIds) read_universe();
    const std::uint64_t end = head - 8;
    std::uint64_t sum;
    std::memcpy(&sum, bytes_.data() + end, sizeof sum);
    if (sum != check_sum(bytes_.substr(0, end)))
      refuse("its head is damaged: the check sum differs");
    graph_->parts.resize(parts);
  }

  void read_universe() {
    graph_->universe = next_number("numbers of vertices", kMostIds);
    if (graph_->universe >= graph_->vertices) return;
    refuse(fmt::format("byte {}: {} numbers of {} vertices: expected at least as many", at_ - 8,
                       graph_->universe, graph_->vertices));
  }

  void read_parts() {
    std::size_t begin = 0;
    for (Part& part : graph_->parts) {
      part.vertices.begin = next_number();
      part.vertices.end = next_number("end of a part", graph_->vertices);
      part.starts.shift = static_cast<unsigned>(next_number("shift of row starts", 32));
      if (part.vertices.begin != begin || part.vertices.end < begin) {
        refuse(fmt::format("a part has vertices {} to {}: expected them from {} on",
                           part.vertices.begin, part.vertices.end, begin));
      }
      if (begin % kPartGranule != 0) {
        refuse(fmt::format("a part begins with vertex {}: expected a multiple of {}", begin,
                           kPartGranule));
      }
      begin = part.vertices.end;
    }
    if (begin != graph_->vertices) {
      refuse(fmt::format("its parts have {} vertices: its head says {}", begin, graph_->vertices));
    }
  }

  void read_sections() {
    sections_.resize(graph_sections(version_) + kPartSections * graph_->parts.size());
    for (Section& s : sections_) {
      s = {next_number(), next_number(), next_number()};
      if (s.offset % kAlignment == 0 && s.offset <= bytes_.size() &&
          s.bytes <= bytes_.size() - s.offset) {
        continue;
      }
      refuse(fmt::format("it has {} bytes: byte {} says a section of {} begins at {}",
                         bytes_.size(), at_ - 24, s.bytes, s.offset));
    }
  }

  template <class T>
  std::span<const T> values(const Section& s) const {
    return {reinterpret_cast<const T*>(bytes_.data() + s.offset), s.bytes / sizeof(T)};
  }

  [[noreturn]] void refuse_size(const char* what, const Section& s, std::uint64_t expected) const {
    refuse(fmt::format("its section '{}' has {} bytes: expected {}", what, s.bytes, expected));
  }

  std::span<const std::uint32_t> table(const Section& s, const char* what) const {
    if (s.bytes == 0) return {};
    if (s.bytes != graph_->vertices * 4) refuse_size(what, s, graph_->vertices * 4);
    return values<std::uint32_t>(s);
  }

  std::span<const VertexId> ids(const Section& s) const {
    const std::uint64_t expected = graph_->vertices * sizeof(VertexId);
    if (s.bytes != expected) refuse_size("ids", s, expected);
    return values<VertexId>(s);
  }

  void read_part(Part& part, const Section* s) const {
    const std::size_t rows = part.vertices.size();
    const std::uint64_t bases = (rows >> part.starts.shift) + 1;
    if (s[0].bytes != (rows + 1) * 4) refuse_size("low", s[0], (rows + 1) * 4);
    if (s[1].bytes != bases * 8) refuse_size("base", s[1], bases * 8);
    part.starts.low = values<std::uint32_t>(s[0]).data();
    part.starts.base = values<EdgeCount>(s[1]).data();
    const EdgeCount entries = part.starts[rows];
    if (entries > bytes_.size() || s[2].bytes != entries * 4) {
      refuse_size("targets", s[2], entries * 4);
    }
    part.targets = values<Vertex>(s[2]).data();
    if (s[3].bytes == 0) return;
    part.kept = rows == 0 ? 0 : s[3].bytes / 4 / rows;
    if (s[3].bytes != part.kept * rows * 4) refuse_size("columns", s[3], part.kept * rows * 4);
    part.columns = values<Vertex>(s[3]).data();
  }

  void check_content() const {
    for (std::size_t i = 0; i < sections_.size(); ++i) {
      const Section& s = sections_[i];
      if (check_sum(bytes_.substr(s.offset, s.bytes)) == s.sum) continue;
      refuse(fmt::format("bytes {} to {} are damaged: the check sum differs", s.offset,
                         s.offset + s.bytes));
    }
    check_tables();
    check_ids();
    for (const Part& part : graph_->parts) check_part(part);
  }

  void check_tables() const {
    const auto& to_internal = graph_->to_internal;
    for (std::size_t v = 0; v < graph_->to_caller.size(); ++v) {
      const Vertex caller = graph_->to_caller[v];
      if (caller < to_internal.size() && to_internal[caller] == v) continue;
      refuse(fmt::format("vertex {}: its two tables of numbers contradict each other", v));
    }
  }

  void check_ids() const {
    const auto& all = graph_->ids;
    for (std::size_t v = 0; v < all.size(); ++v) {
      if (all[v] < graph_->universe && (v == 0 || all[v - 1] < all[v])) continue;
      refuse(fmt::format("vertex {} has the id {}: expected rising ids below {}", v, all[v],
                         graph_->universe));
    }
  }

  void check_part(const Part& part) const {
    for (std::size_t row = 0; row < part.vertices.size(); ++row) {
      if (part.starts[row] <= part.starts[row + 1]) continue;
      refuse(fmt::format("row {} begins at {} and ends at {}", part.vertices.begin + row,
                         part.starts[row], part.starts[row + 1]));
    }
    const auto check = [&](const Vertex* values, std::uint64_t count) {
      for (std::uint64_t i = 0; values && i < count; ++i) {
        if (values[i] < graph_->vertices) continue;
        refuse(fmt::format("byte {}: vertex {}: expected a number below {}",
                           reinterpret_cast<const char*>(values + i) - bytes_.data(), values[i],
                           graph_->vertices));
      }
    };
    check(part.targets, part.entries());
    check(part.columns, part.kept * part.vertices.size());
  }

  std::string_view bytes_;
  const std::string& name_;
  Trust trust_;
  std::unique_ptr<GraphData> graph_;
  std::uint64_t version_ = kPlain;
  std::vector<Section> sections_;
  std::size_t at_ = 0;
};

/// Without edges there are no ids, and still the numbers that they would be of.
std::uint64_t version_of(const Graph& graph) {
  const bool is_wide = !graph.ids().empty() || graph.universe() > graph.vertices();
  return is_wide ? kWithIds : kPlain;
}

std::vector<std::string_view> sections_of(const Graph& graph) {
  std::vector<std::string_view> all = {bytes_of(graph.to_caller()), bytes_of(graph.to_internal()),
                                       bytes_of(graph.input_degrees())};
  if (version_of(graph) == kWithIds) all.push_back(bytes_of(graph.ids()));
  for (const Part& part : graph.parts()) {
    const std::size_t rows = part.vertices.size();
    all.push_back(bytes_of(part.starts.low, rows + 1));
    all.push_back(bytes_of(part.starts.base, (rows >> part.starts.shift) + 1));
    all.push_back(bytes_of(part.targets, part.entries()));
    all.push_back(bytes_of(part.columns, part.kept * rows));
  }
  return all;
}

}  // namespace

std::uint64_t check_sum(std::string_view bytes) {
  constexpr std::size_t kLanes = 4, kStep = kLanes * 8;
  constexpr std::uint64_t kFactor = 0x9e3779b97f4a7c15u;
  std::uint64_t lanes[kLanes] = {1, 2, 3, 4};
  const auto add = [&](const char* data) {
    std::uint64_t words[kLanes];
    std::memcpy(words, data, kStep);
    for (std::size_t l = 0; l < kLanes; ++l) {
      lanes[l] = std::rotl(lanes[l] ^ words[l], 29) * kFactor;
    }
  };
  std::size_t at = 0;
  for (; at + kStep <= bytes.size(); at += kStep) add(bytes.data() + at);
  if (at < bytes.size()) {
    char rest[kStep] = {};
    std::memcpy(rest, bytes.data() + at, bytes.size() - at);
    add(rest);
  }
  std::uint64_t sum = bytes.size();
  for (const std::uint64_t lane : lanes) sum = mix(sum ^ lane);
  return sum;
}

std::unique_ptr<GraphData> parse_kgraph(std::string_view bytes, const std::string& name,
                                        Trust trust) {
  return Parser(bytes, name, trust).run();
}

std::vector<std::string_view> kgraph_pieces(const Graph& graph, std::string& head) {
  const std::vector<std::string_view> sections = sections_of(graph);
  const std::uint64_t version = version_of(graph);
  const std::uint64_t size = head_bytes(version, graph.parts().size());
  head.assign(kMagic);
  const auto put = [&](std::uint64_t value) {
    head.append(reinterpret_cast<const char*>(&value), sizeof value);
  };
  put(version);
  put(static_cast<std::uint64_t>(graph.sense()));
  put(static_cast<std::uint64_t>(graph.order()));
  put(graph.vertices());
  put(graph.entries());
  put(graph.input_edges());
  put(graph.parts().size());
  put(size);
  if (version == kWithIds) put(graph.universe());
  for (const Part& part : graph.parts()) {
    put(part.vertices.begin);
    put(part.vertices.end);
    put(part.starts.shift);
  }
  std::uint64_t offset = aligned(size);
  for (const std::string_view section : sections) {
    put(offset);
    put(section.size());
    put(check_sum(section));
    offset += aligned(section.size());
  }
  put(check_sum(head));
  head.resize(aligned(size));
  std::vector<std::string_view> pieces = {head};
  for (const std::string_view section : sections) {
    pieces.push_back(section);
    pieces.push_back(kPadding.substr(0, aligned(section.size()) - section.size()));
  }
  return pieces;
}

}  // namespace kinjo::graph::detail
