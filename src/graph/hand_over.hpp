/// What a search ends with: parents in the caller's numbers.
#pragma once

#include <cstdint>
#include <span>

#include "graph/search_state.hpp"

namespace kinjo::graph::detail {

/// Inside `Team::run`: who is unreached of a thread's vertices gets `kNoVertex` for a parent, and
/// `visited` is made ready for the next search.
void mark_unreached(SearchState& state, const Place& me);

/// Inside `Team::run`: a thread's part of the caller's vertices, from `state.parents`.
template <class Parent>
void translate(const SearchState& state, const Place& me, std::span<Parent> parents);

/// Behind it: ids for the callers' numbers, in a thread's block of the parents.
void call_by_ids(const SearchState& state, const Place& me, std::span<std::int64_t> parents);

}  // namespace kinjo::graph::detail
