/// The order of a cone's constraints and positions.
#include <algorithm>
#include <bit>
#include <tuple>

#include "sdp/model.hpp"

namespace kinjo::sdp::detail {

namespace {

/// The more terms, the greater: constraints of one density are sorted by where they lie.
int density_of(std::size_t terms) { return static_cast<int>(std::bit_width(terms)) / 2; }

/// The terms in the order of the constraints, which change places with them.
std::vector<Term> sort_constraints(Cone& cone, const std::vector<Term>& terms) {
  struct Key {
    int density, rows;
    Index row, column;
    std::size_t slot;
  };
  std::vector<Key> keys;
  for (std::size_t k = 0; k < cone.constraints.size(); ++k) {
    const std::span<const Term> own(terms.data() + cone.begins[k],
                                    cone.begins[k + 1] - cone.begins[k]);
    const auto rows = touched(own).size();
    keys.push_back({-density_of(own.size()), -static_cast<int>(std::bit_width(rows)),
                    own.front().row, own.front().column, k});
  }
  std::ranges::sort(keys, {}, [](const Key& k) {
    return std::tuple(k.density, k.rows, k.row, k.column, k.slot);
  });
  std::vector<Term> sorted;
  std::vector<Index> constraints;
  std::vector<std::size_t> begins = {0};
  sorted.reserve(terms.size());
  constraints.reserve(keys.size());
  begins.reserve(keys.size() + 1);
  for (const Key& key : keys) {
    constraints.push_back(cone.constraints[key.slot]);
    sorted.insert(sorted.end(), terms.begin() + static_cast<std::ptrdiff_t>(cone.begins[key.slot]),
                  terms.begin() + static_cast<std::ptrdiff_t>(cone.begins[key.slot + 1]));
    begins.push_back(sorted.size());
  }
  cone.constraints = std::move(constraints);
  cone.begins = std::move(begins);
  return sorted;
}

/// Each position with the last constraint that reads it: what only dense constraints read comes
/// first, and is dropped once these are done.
void find_positions(Cone& cone, const std::vector<Term>& terms) {
  struct Read {
    Position position;
    int last;
    Index term;
  };
  std::vector<Read> reads(terms.size());
  for (std::size_t p = 0; p < cone.constraints.size(); ++p) {
    const int density = density_of(cone.begins[p + 1] - cone.begins[p]);
    for (std::size_t e = cone.begins[p]; e < cone.begins[p + 1]; ++e) {
      reads[e] = {{terms[e].row, terms[e].column}, -density, static_cast<Index>(e)};
    }
  }
  const auto place = [](const Read& r) { return std::tuple(r.position.row, r.position.column); };
  std::ranges::sort(reads, {}, [&](const Read& r) { return std::tuple(place(r), r.last); });
  for (std::size_t i = reads.size(); i-- > 1;) {
    if (place(reads[i - 1]) == place(reads[i])) reads[i - 1].last = reads[i].last;
  }
  std::ranges::sort(reads, {}, [&](const Read& r) { return std::tuple(r.last, place(r), r.term); });
  cone.places.resize(terms.size());
  for (const Read& read : reads) {
    if (cone.positions.empty() || cone.positions.back().row != read.position.row ||
        cone.positions.back().column != read.position.column) {
      cone.positions.push_back(read.position);
    }
    cone.places[read.term] = static_cast<Index>(cone.positions.size() - 1);
  }
  cone.positions.shrink_to_fit();
}

}  // namespace

std::vector<Term> Cone::terms_of(std::size_t k) const {
  std::vector<Term> terms;
  terms.reserve(begins[k + 1] - begins[k]);
  for (std::size_t e = begins[k]; e < begins[k + 1]; ++e) terms.push_back(term(e));
  return terms;
}

Cone Cone::copy_of_terms() const {
  Cone copy;
  copy.origin = origin;
  copy.rows = rows;
  copy.constraints = constraints;
  copy.begins = begins;
  copy.values = values;
  copy.places = places;
  copy.positions = positions;
  return copy;
}

std::uint64_t Cone::bytes_of_terms() const {
  return (rows.size() + constraints.size() + places.size()) * sizeof(Index) +
         begins.size() * sizeof(std::size_t) + values.size() * sizeof(double) +
         positions.size() * sizeof(Position);
}

std::vector<Index> touched(std::span<const Term> terms) {
  std::vector<Index> rows;
  for (const Term& t : terms) {
    rows.push_back(t.row);
    rows.push_back(t.column);
  }
  std::ranges::sort(rows);
  rows.erase(std::unique(rows.begin(), rows.end()), rows.end());
  rows.shrink_to_fit();
  return rows;
}

void arrange(Cone& cone, std::vector<Term> terms) {
  terms = sort_constraints(cone, terms);
  find_positions(cone, terms);
  cone.values.reserve(terms.size());
  for (const Term& t : terms) cone.values.push_back(t.value);
}

}  // namespace kinjo::sdp::detail
