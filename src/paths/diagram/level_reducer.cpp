#include "paths/diagram/level_reducer.hpp"

#include <algorithm>
#include <bit>
#include <utility>

#include "memory/claim.hpp"

namespace kinjo::paths::detail {

using kinjo::detail::claim;

/// Sorts what is sorted by lo by (lo, hi); `few` of them have the same lo, at most.
void LevelReducer::sort_by_hi(std::span<Keyed> nodes, bool few) {
  if (!few) {
    std::ranges::sort(nodes, {}, &Keyed::key);
    return;
  }
  for (std::size_t i = 1; i < nodes.size(); ++i) {
    if (nodes[i].key >= nodes[i - 1].key) continue;
    const Keyed node = nodes[i];
    std::size_t k = i;
    for (; k > 0 && nodes[k - 1].key > node.key; --k) nodes[k] = nodes[k - 1];
    nodes[k] = node;
  }
}

LevelReducer::Bins LevelReducer::Bins::of(std::size_t ranks, std::size_t nodes) {
  const std::size_t most = std::min(kBins, std::bit_floor(nodes / kOfBin | 1));
  const auto bits = static_cast<unsigned>(std::bit_width(ranks - 1));
  const auto bin_bits = static_cast<unsigned>(std::bit_width(most - 1));
  const unsigned shift = bits > bin_bits ? bits - bin_bits : 0;
  const std::size_t of_kind = ((ranks - 1) >> shift) + 1;
  return {ranks, shift, of_kind, of_kind << shift};
}

void LevelReducer::split(std::size_t item, const RawLevel& raw, std::size_t thread) {
  Part& part = *parts_[thread];
  const Ranks& below = all_.below(item);
  part.size = raw.size();
  part.known = all_.nodes.size();
  part.bins = Bins::of(below.size(), raw.living_nodes());
  part.flag_words.resize(RankedSet::words_of(below.size()));
  part.flags.resize(part.flag_words.size() * RankedSet::kOfWord);
  std::ranges::fill(part.flags.all(), 0);
  for (const Rank decided : {kDead, kMember}) part.flags[decided] = 1;  // in any case
  part.runs.clear();
  raw.for_each_run(thread, threads_, [&](RawLevel::Run run) { part.runs.push_back(run); });
  rank_children(raw, below.of_child.data(), part);
  RankedSet::pack(part.flags.all(), part.flag_words.data());
  deal(part);
}

/// Finds the ranks of children, and counts what each bin will have.
void LevelReducer::rank_children(const RawLevel& raw, const Rank* ranks, Part& part) const {
  // Whatever is here may be read anew after each byte that is written, unless it is a copy.
  std::uint8_t* const is_passed_on = part.flags.data();
  const Bins bins = part.bins;
  const std::size_t passed_on = bins.count();
  std::array<std::uint32_t, 2 * kBins + 1> counts;
  std::fill_n(counts.begin(), passed_on + 1, 0);
  std::size_t size = 0;
  for (const RawLevel::Run run : part.runs.all()) size += run.size;
  part.ranked.resize(size);
  part.bin_of.resize(size);
  RawNode* ranked = part.ranked.data();
  std::uint16_t* bin_of = part.bin_of.data();
  for (const RawLevel::Run run : part.runs.all()) {
    raw.for_each_of(run, [&](const RawNode& node) {
      const Rank lo = ranks[node.lo], hi = ranks[node.hi];
      *ranked++ = std::bit_cast<RawNode>(std::uint64_t{hi} << 32 | lo);
      // Nothing that a compiler could make a branch of, here and below.
      const std::size_t empty = hi == kDead ? 1 : 0;
      is_passed_on[lo & (0 - empty)] = 1;
      const std::size_t by_children = bins.of(lo, hi);
      const std::size_t bin = by_children + (passed_on - by_children) * empty;
      ++counts[bin];
      *bin_of++ = static_cast<std::uint16_t>(bin);
    });
  }
  std::uint32_t begin = 0;
  for (std::size_t bin = 0; bin <= passed_on; ++bin) {
    part.begins[bin] = begin;
    begin += counts[bin];
  }
  part.begins[passed_on + 1] = begin;
}

/// Deals the nodes to bins.
void LevelReducer::deal(Part& part) {
  std::array<std::uint32_t, 2 * kBins + 1> places;
  std::copy_n(part.begins.begin(), part.bins.count() + 1, places.begin());
  part.nodes.resize(part.ranked.size());
  part.numbers.resize(part.ranked.size());
  RawNode* const nodes = part.nodes.data();
  std::uint32_t* const numbers = part.numbers.data();
  const RawNode* ranked = part.ranked.data();
  const std::uint16_t* bin_of = part.bin_of.data();
  for (const RawLevel::Run run : part.runs.all()) {
    for (std::uint32_t i = 0; i < run.size; ++i) {
      const std::uint32_t place = places[*bin_of++]++;
      nodes[place] = *ranked++;
      numbers[place] = run.first + i;
    }
  }
}

/// For all that the level can become.
void LevelReducer::make_room(std::size_t item) {
  const Part& part = *parts_[0];
  Ranks& here = all_.here(item);
  here.of_child.resize(part.size + kFirstChild);
  here.passed_on.resize(part.bins.ranks);
  all_.nodes.resize(part.known + part.size);
}

/// Finds what any thread passes on, of its share of the ranks.
void LevelReducer::unite(std::size_t thread) {
  Part& part = *parts_[thread];
  const std::size_t words = part.flag_words.size();
  const std::size_t begin = words * thread / threads_, end = words * (thread + 1) / threads_;
  part.united.resize(end - begin);
  std::ranges::fill(part.united.all(), 0);
  for (const auto& from : parts_) {
    const std::uint64_t* word = from->flag_words.data() + begin;
    for (std::uint64_t& all : part.united.all()) all |= *word++;
  }
}

void LevelReducer::sort(std::size_t thread) {
  Part& part = *parts_[thread];
  unite(thread);
  choose_bins(thread);
  for (std::size_t t = 0; t < threads_; ++t) {
    const auto& begins = parts_[t]->begins;
    part.answers[t].resize(begins[part.own.end] - begins[part.own.begin]);
  }
  part.made.clear();
  for (std::size_t bin = part.own.begin; bin < part.own.end; ++bin) {
    deal_bin(bin, part);
    find_new(part);
    answer(bin, part);
  }
}

/// Which bins the thread sorts: those whose middle, by the nodes before it, is in its share.
void LevelReducer::choose_bins(std::size_t thread) {
  Part& part = *parts_[thread];
  const std::size_t bins = part.bins.count();
  std::size_t all = 0;
  for (const auto& from : parts_) all += from->begins[bins];
  const auto owner = [&](std::size_t bin) {
    std::size_t twice_middle = 0;
    for (const auto& from : parts_) twice_middle += from->begins[bin] + from->begins[bin + 1];
    return std::min(twice_middle * threads_ / std::max<std::size_t>(2 * all, 1), threads_ - 1);
  };
  std::size_t bin = 0;
  while (bin < bins && owner(bin) < thread) ++bin;
  part.own.begin = bin;
  while (bin < bins && owner(bin) == thread) ++bin;
  part.own.end = bin;
}

/// Sorts the bin's nodes by (lo, hi).
void LevelReducer::deal_bin(std::size_t bin, Part& part) const {
  std::size_t size = 0;
  for (const auto& from : parts_) {
    if (&*from != &part) claim(nodes_of(*from, bin));
    size += nodes_of(*from, bin).size();
  }
  part.sorted.resize(size);
  if (size == 0) return;
  const Range range = part.bins.range(bin);
  const bool is_by_hi = part.bins.is_by_hi(bin);
  const auto begin = static_cast<Rank>(range.begin);
  part.places.resize(range.size());
  std::ranges::fill(part.places.all(), 0);
  std::uint32_t* const places = part.places.data();
  for (const auto& from : parts_) {
    for (const RawNode& node : nodes_of(*from, bin)) {
      ++places[(is_by_hi ? node.hi : node.lo) - begin];
    }
  }
  std::uint32_t place = 0, most = 0;
  for (std::uint32_t& next : part.places.all()) {
    most = std::max(most, next);
    place += std::exchange(next, place);
  }
  Keyed* const sorted = part.sorted.data();
  std::uint32_t index = 0;
  for (const auto& from : parts_) {
    for (const RawNode& node : nodes_of(*from, bin)) {
      sorted[places[(is_by_hi ? node.hi : node.lo) - begin]++] = {key_of(node), index++};
    }
  }
  if (!is_by_hi && most > 1) sort_by_hi(part.sorted.all(), most <= kFew);
}

/// What differs from the one before it is new.
void LevelReducer::find_new(Part& part) {
  const std::size_t before = part.made.size();
  part.ranks.resize(part.sorted.size());
  part.made.resize(before + part.sorted.size());
  RawNode* const made = part.made.data();
  Rank* const ranks = part.ranks.data();
  std::uint64_t last = 0;  // no node's
  auto count = static_cast<Rank>(before);
  for (const Keyed& next : part.sorted.all()) {
    count += next.key != last ? 1 : 0;
    last = next.key;
    made[count - 1] = node_of(last);
    ranks[next.index] = count - 1;
  }
  part.made.resize(count);
}

/// Tells each thread what its nodes in the bin have become.
void LevelReducer::answer(std::size_t bin, Part& part) const {
  const Rank* ranks = part.ranks.data();
  for (std::size_t t = 0; t < threads_; ++t) {
    Part& from = *parts_[t];
    const std::size_t size = nodes_of(from, bin).size();
    std::copy_n(ranks, size,
                part.answers[t].data() + (from.begins[bin] - from.begins[part.own.begin]));
    ranks += size;
  }
}

void LevelReducer::place(std::size_t item, std::size_t thread) {
  Part& part = *parts_[thread];
  part.passed_on.clear(part.flag_words.size());
  for (const auto& from : parts_) part.passed_on.append(from->united.all());
  // Ranks of what is passed on come before those of new nodes, which are by thread.
  const Rank first_made = part.passed_on.size();
  std::array<Rank, kMost> made;
  Rank next = first_made;
  for (std::size_t t = 0; t < threads_; ++t) {
    made[t] = next;
    next += static_cast<Rank>(parts_[t]->made.size());
  }
  place_own(item, thread, part.known + made[thread] - first_made);
  tell_ranks(item, thread, made);
  if (thread != 0) return;
  Ranks& here = all_.here(item);
  for (const Child decided : {kDead, kMember}) here.of_child[decided] = decided;
  here.passed_on.resize(first_made);
  here.first = part.known + kFirstNode;
  here.own = next - first_made;
  all_.nodes.resize(part.known + next - first_made);
}

/// Writes the thread's new nodes, and the references of its share of what is passed on.
void LevelReducer::place_own(std::size_t item, std::size_t thread, std::size_t first) {
  const Part& part = *parts_[thread];
  const Refs below = all_.below(item).refs();
  PackedNode* to = all_.nodes.data() + first;
  for (const RawNode& node : part.made.all()) *to++ = pack(below[node.lo], below[node.hi]);
  const RankedSet& passed_on = part.passed_on;
  const Range words = passed_on.share(thread, threads_);
  NodeRef* ref = all_.here(item).passed_on.data() + passed_on.before_word(words.begin);
  passed_on.for_each(words, [&](Rank rank) { *ref++ = below[rank]; });
}

/// Tells what the nodes of the thread's share have become.
void LevelReducer::tell_ranks(std::size_t item, std::size_t thread,
                              const std::array<Rank, kMost>& made) {
  const Part& part = *parts_[thread];
  Rank* const ranks = all_.here(item).of_child.data() + kFirstChild;
  const std::uint32_t* number = part.numbers.data();
  for (std::size_t owner = 0; owner < threads_; ++owner) {
    const Rank first = made[owner];
    const std::span answers = parts_[owner]->answers[thread].all();
    if (owner != thread) claim(answers);
    for (const Rank rank : answers) ranks[*number++] = rank + first;
  }
  const std::size_t passed_on = part.begins[part.bins.count()];
  for (const RawNode& node : part.nodes.all().subspan(passed_on)) {
    ranks[*number++] = part.passed_on.rank(node.lo);
  }
}

}  // namespace kinjo::paths::detail
