#include <algorithm>
#include <vector>

#include <fmt/format.h>
#include <kinjo/diagram.hpp>
#include <kinjo/error.hpp>

#include "paths/diagram/expand.hpp"
#include "paths/diagram/product.hpp"
#include "paths/levels.hpp"

namespace kinjo::paths {

using detail::Demand;
using detail::SetOperation;

namespace {

template <SetOperation kOperation>
Diagram combine(const Diagram& a, const Diagram& b) {
  if (a.items() != b.items()) {
    throw Error(Errc::invalid_argument,
                fmt::format("one family has {} items and the other {}: expected the same items",
                            a.items(), b.items()));
  }
  const detail::Product<kOperation> product(*a.data(), *b.data());
  return reduce(detail::expand_levels(product)).with_names(a.names());
}

Diagram restrict(const Diagram& diagram, std::span<const Item> items, Demand demand) {
  std::vector<Demand> demands(diagram.items(), Demand::none);
  for (const Item item : items) {
    if (item >= demands.size()) {
      throw Error(Errc::invalid_argument,
                  fmt::format("item {}: expected less than {}", item, demands.size()));
    }
    demands[item] = demand;
  }
  const detail::Restriction restriction(*diagram.data(), std::move(demands));
  return reduce(detail::expand_levels(restriction)).with_names(diagram.names());
}

}  // namespace

Diagram Diagram::including(std::span<const Item> items) const {
  return restrict(*this, items, Demand::in);
}
Diagram Diagram::excluding(std::span<const Item> items) const {
  return restrict(*this, items, Demand::out);
}

Diagram operator|(const Diagram& a, const Diagram& b) {
  return combine<SetOperation::either>(a, b);
}
Diagram operator&(const Diagram& a, const Diagram& b) { return combine<SetOperation::both>(a, b); }
Diagram operator-(const Diagram& a, const Diagram& b) {
  return combine<SetOperation::only_a>(a, b);
}
Diagram operator^(const Diagram& a, const Diagram& b) {
  return combine<SetOperation::only_one>(a, b);
}

}  // namespace kinjo::paths
