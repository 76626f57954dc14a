/// Expectations about errors: their code and their words.
#pragma once

#include <ostream>

#include <gtest/gtest.h>
#include <kinjo/index_set.hpp>

#include "support/error_of.hpp"

namespace kinjo {

/// How gtest shows a set that is not the expected one.
template <class Tag>
void PrintTo(const IndexSet<Tag>& set, std::ostream* out) {
  *out << '{' << set.to_string() << '}';
}

}  // namespace kinjo
