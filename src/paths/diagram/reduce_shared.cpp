#include "paths/diagram/reduce_shared.hpp"

#include <algorithm>
#include <bit>

namespace kinjo::paths::detail {

namespace {

/// By which ranks are told which bin they are of.
unsigned bin_shift(std::size_t ranks, std::size_t bins) {
  const auto bits = static_cast<unsigned>(std::bit_width(ranks - 1));
  const auto most = static_cast<unsigned>(std::bit_width(bins - 1));
  return bits > most ? bits - most : 0;
}

}  // namespace

/// Who has which bin, by a sample of the level, which all threads take alike.
void SharedReducer::choose_ranges(std::size_t item, RawLevel& raw, std::size_t thread) const {
  Part& part = *parts_[thread];
  const Ranks& below = all_.below(item);
  const std::size_t ranks = below.size();
  part.shift = bin_shift(ranks, kBins);
  const std::size_t bins = ((ranks - 1) >> part.shift) + 1;
  for (std::size_t t = 0; t < threads_; ++t) {
    const Range mine{bins * t / threads_, bins * (t + 1) / threads_};
    std::fill(part.holders.begin() + mine.begin, part.holders.begin() + mine.end,
              static_cast<std::uint8_t>(t));
    if (t != thread) continue;
    part.range = {mine.begin << part.shift, std::min(ranks, mine.end << part.shift)};
  }
  std::array<std::size_t, 2 * kBins> counts{};
  std::size_t sampled = 0;
  const std::size_t sample = kSample * threads_;
  for (std::size_t i = 0; i < sample; ++i) {
    const RawNode node = raw[raw.size() * i / sample];
    const Rank lo = below.of_child[node.lo], hi = below.of_child[node.hi];
    const std::size_t is_new = hi != kDead ? 1 : 0;
    counts[bin_of(lo, hi, part.shift)] += is_new;
    sampled += is_new;
  }
  part.lo_range = {ranks, 0};
  std::size_t before = 0;
  for (std::size_t bin = 0; bin < 2 * kBins; ++bin) {
    // Half of the bin is before its middle.
    const std::size_t owner =
        (2 * before + counts[bin]) * threads_ / std::max<std::size_t>(2 * sampled, 1);
    part.owners[bin] = static_cast<std::uint8_t>(std::min(owner, threads_ - 1));
    before += counts[bin];
    if (part.owners[bin] != thread) continue;
    const std::size_t lo = bin < kBins ? 0 : (bin - kBins) << part.shift;
    const std::size_t end = bin < kBins ? 1 : (bin - kBins + 1) << part.shift;
    part.lo_range.begin = std::min(part.lo_range.begin, lo);
    part.lo_range.end = std::max(part.lo_range.end, std::min(ranks, end));
  }
  part.lo_range.end = std::max(part.lo_range.begin, part.lo_range.end);
}

void SharedReducer::split(std::size_t item, RawLevel& raw, std::size_t thread) {
  Part& part = *parts_[thread];
  choose_ranges(item, raw, thread);
  part.size = raw.size();
  part.known = all_.nodes.size();
  part.ranks_below = all_.below(item).size();
  const Range pieces = raw.share(thread, threads_);
  const std::size_t most = std::min(pieces.size() * NodePool::kPiece, raw.living_nodes());
  part.is_passed_on.resize(part.ranks_below);
  std::ranges::fill(part.is_passed_on.all(), 0);
  for (const Rank decided : {kDead, kMember}) part.is_passed_on[decided] = 1;  // in any case
  std::uint8_t* const is_passed_on = part.is_passed_on.data();
  // Whatever is here may be read anew after each byte that is written, unless it is a copy.
  const Rank* const ranks = all_.below(item).of_child.data();
  const std::array<std::uint8_t, 2 * kBins> owners = part.owners;
  const unsigned shift = part.shift;
  const std::size_t passed_on = threads_;
  std::array<Ranked*, kMost + 1> ends;
  for (std::size_t s = 0; s <= threads_; ++s) {
    part.streams[s].resize(most);
    ends[s] = part.streams[s].data();
  }
  for (std::size_t piece = pieces.begin; piece < pieces.end; ++piece) {
    auto k = static_cast<std::uint32_t>(piece * NodePool::kPiece);
    for (const RawNode& node : raw.piece(piece)) {
      const Rank lo = ranks[node.lo], hi = ranks[node.hi];
      const Rank empty = hi == kDead ? 1 : 0;
      is_passed_on[lo & (0 - empty)] = 1;
      const std::size_t owner = owners[bin_of(lo, hi, shift)];
      *ends[owner + (passed_on - owner) * empty]++ = {lo, hi, k++};
    }
  }
  for (std::size_t s = 0; s <= threads_; ++s) {
    part.streams[s].resize(static_cast<std::size_t>(ends[s] - part.streams[s].data()));
  }
}

/// For all that the level can become.
void SharedReducer::make_room(std::size_t item) {
  const Part& part = *parts_[0];
  Ranks& here = all_.here(item);
  here.of_child.resize(part.size + kFirstChild);
  here.passed_on.resize(part.ranks_below);
  all_.nodes.resize(part.known + part.size);
}

/// Gives ranks to what is passed on of this thread's range.
void SharedReducer::pass_on(std::size_t thread) {
  Part& part = *parts_[thread];
  const Range range = part.range;
  part.is_passed_on_by_any.resize(range.size());
  std::uint8_t* const by_any = part.is_passed_on_by_any.data();
  std::ranges::fill(part.is_passed_on_by_any.all(), 0);
  for (const auto& from : parts_) {
    const std::uint8_t* const flags = from->is_passed_on.data() + range.begin;
    for (std::size_t i = 0; i < range.size(); ++i) by_any[i] |= flags[i];
  }
  part.passed_rank.resize(range.size());
  part.passed_on.resize(range.size() + 1);
  Rank next = 0;
  for (std::size_t i = 0; i < range.size(); ++i) {
    part.passed_rank[i] = next;
    part.passed_on[next] = static_cast<Rank>(range.begin + i);
    next += by_any[i];
  }
  part.passed_on.resize(next);
}

/// Sorts what becomes new nodes by (lo, hi).
void SharedReducer::deal(std::size_t thread) {
  Part& part = *parts_[thread];
  const auto begin = static_cast<Rank>(part.lo_range.begin);
  std::size_t size = 0;
  for (const auto& from : parts_) size += from->streams[thread].size();
  part.by_hi.resize(size);
  part.by_lo.resize(size);
  part.hi.begin(part.ranks_below);
  part.lo.begin(part.lo_range.size());
  for (const auto& from : parts_) {
    for (const Ranked& node : from->streams[thread].all()) {
      part.hi.count(node.hi);
      part.lo.count(node.lo - begin);
    }
  }
  part.hi.end_count();
  part.lo.end_count();
  Ranked* const by_hi = part.by_hi.data();
  std::uint32_t k = 0;
  for (const auto& from : parts_) {
    for (const Ranked& node : from->streams[thread].all()) {
      by_hi[part.hi.next(node.hi)] = {node.lo, node.hi, k++};
    }
  }
  if (part.lo_range.size() <= 1) return std::swap(part.by_hi, part.by_lo);
  Ranked* const by_lo = part.by_lo.data();
  for (const Ranked& node : part.by_hi.all()) by_lo[part.lo.next(node.lo - begin)] = node;
}

void SharedReducer::find_new(std::size_t thread) {
  Part& part = *parts_[thread];
  part.ranks.resize(part.by_lo.size());
  part.nodes.resize(part.by_lo.size());
  RawNode* const nodes = part.nodes.data();
  Rank* const ranks = part.ranks.data();
  RawNode last{kDead, kDead};  // no node's
  Rank count = 0;
  for (const Ranked& next : part.by_lo.all()) {
    count += (next.lo != last.lo) | (next.hi != last.hi);
    last = {next.lo, next.hi};
    nodes[count - 1] = last;
    ranks[next.node] = count - 1;
  }
  part.nodes.resize(count);
}

void SharedReducer::place(std::size_t item, std::size_t thread) {
  // Ranks of what is passed on come before those of new nodes, and either's by thread.
  std::array<Rank, kMost> passed_on, made;
  Rank next = 0;
  for (std::size_t t = 0; t < threads_; ++t) {
    passed_on[t] = next;
    next += static_cast<Rank>(parts_[t]->passed_on.size());
  }
  const Rank first_made = next;
  for (std::size_t t = 0; t < threads_; ++t) {
    made[t] = next;
    next += static_cast<Rank>(parts_[t]->nodes.size());
  }
  Part& part = *parts_[thread];
  Ranks& here = all_.here(item);
  const std::size_t node = part.known + made[thread] - first_made;
  place_own(part, all_.below(item).refs(), here.passed_on.data() + passed_on[thread], node);
  Rank* const ranks = here.of_child.data() + kFirstChild;
  for (std::size_t owner = 0; owner < threads_; ++owner) {
    const Rank* from = parts_[owner]->ranks.data();
    for (std::size_t t = 0; t < thread; ++t) from += parts_[t]->streams[owner].size();
    for (const Ranked& mine : part.streams[owner].all()) ranks[mine.node] = *from++ + made[owner];
  }
  std::array<const Rank*, kMost> passed_ranks;
  std::array<std::size_t, kMost> begins;
  for (std::size_t t = 0; t < threads_; ++t) {
    passed_ranks[t] = parts_[t]->passed_rank.data();
    begins[t] = parts_[t]->range.begin;
  }
  for (const Ranked& mine : part.streams[threads_].all()) {
    const std::size_t owner = part.holders[mine.lo >> part.shift];
    ranks[mine.node] = passed_ranks[owner][mine.lo - begins[owner]] + passed_on[owner];
  }
  if (thread != 0) return;
  for (const Child decided : {kDead, kMember}) here.of_child[decided] = decided;
  here.passed_on.resize(first_made);
  here.first = part.known + kFirstNode;
  here.own = next - first_made;
  all_.nodes.resize(part.known + next - first_made);
}

/// Writes the thread's new nodes, and the references of what it passes on.
void SharedReducer::place_own(const Part& part, const Refs& below, NodeRef* passed_on,
                              std::size_t first) const {
  for (const Rank rank : part.passed_on.all()) *passed_on++ = below[rank];
  PackedNode* to = all_.nodes.data() + first;
  for (const RawNode& node : part.nodes.all()) *to++ = pack(below[node.lo], below[node.hi]);
}

}  // namespace kinjo::paths::detail
