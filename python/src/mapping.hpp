/// Mappings as Python has them: shared, so that a place knows the table it is a row of.
#pragma once

#include <memory>
#include <optional>
#include <string>

#include <kinjo/binding.hpp>
#include <kinjo/mapping.hpp>

namespace kinjo::python {

using SharedMapping = std::shared_ptr<const Mapping>;

/// A place and the mapping that it is a row of; null for a thread that nobody has bound.
struct MappedPlace {
  Place place;
  SharedMapping mapping;
};

/// The mapping of this machine for a policy, or for `KINJO_POLICY`, or for `scatter`.
SharedMapping make_mapping(const std::optional<std::string>& policy);

/// `cpu`, `core` or `node`; from `KINJO_BIND` without an argument.
BindLevel bind_level(const std::optional<std::string>& level);

}  // namespace kinjo::python
