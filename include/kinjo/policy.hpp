/// A policy is an order of levels by which CPUs are dealt to threads (S1 section 3.2).
#pragma once

#include <array>
#include <string>
#include <string_view>
#include <vector>

namespace kinjo {

/// The coordinates of a CPU, see `Cpu`.
enum class Level { package, node, cache, core, smt };
const char* to_string(Level level) noexcept;

/// How CPUs are dealt to threads.
///
/// | policy         | sort key, slowest first        |                                        |
/// |----------------|--------------------------------|----------------------------------------|
/// | `scatter`      | smt, core, cache, node, package | spread over nodes; siblings last      |
/// | `compact`      | package, node, smt, cache, core | fill a node, its cores, then siblings |
/// | `compact-plus` | smt, package, node, cache, core | every core before any sibling         |
///
/// `scatter` deals round-robin over the nodes that still have free CPUs; on regular machines that
/// is its sort key.
class Policy {
 public:
  enum class Kind {
    none,      ///< the system decides
    scatter,   ///< round-robin over nodes
    order,     ///< sorted by levels
    cpu_list,  ///< the CPUs that were named
  };
  using Order = std::array<Level, 5>;

  /// Those of the table above, and the one that leaves threads to the system.
  static Policy none();
  static Policy scatter();
  static Policy compact();
  static Policy compact_plus();
  /// Sorted by `levels`, slowest first; levels that are not named follow in the order package,
  /// node, cache, core, smt. Throws `Error` if one is named twice or none is named.
  static Policy order(const std::vector<Level>& levels);
  /// Thread t on `cpus[t]`. Throws `Error` if the list is empty or names a CPU twice.
  static Policy cpus(std::vector<int> cpus);

  /// Reads `none`, `scatter`, `compact`, `compact-plus`, an order such as `smt,core,node`, or
  /// `cpus:0-3,8`. Throws `Error` that says what is accepted.
  static Policy parse(std::string_view text);

  /// The names that `parse` knows besides orders and CPU lists.
  static const std::vector<std::string>& names();

  Kind kind() const { return kind_; }
  const std::string& name() const { return name_; }
  const Order& levels() const { return order_; }              ///< of `scatter` and `order`
  const std::vector<int>& cpu_list() const { return cpus_; }  ///< of `cpu_list`

 private:
  Policy(Kind kind, std::string name, Order order)
      : kind_(kind), name_(std::move(name)), order_(order) {}

  Kind kind_;
  std::string name_;
  Order order_;
  std::vector<int> cpus_;
};

}  // namespace kinjo
