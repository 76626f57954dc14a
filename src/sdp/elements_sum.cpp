/// Sums the coefficients of all cones to B, in the same order for every team.
///
/// Cones of few constraints, and all of them where B is sparse, put theirs into places of their own
/// in a pool, a triangle by rows for each cone; then each value of B adds up its sources in the
/// order of the cones: rows of B are dealt to the threads. Cones of many constraints add straight
/// to B, one after the other. With several nodes each has a copy of X⁻¹ and Y, which its threads
/// make together, and of the terms, and takes the batches whose rows of B lie there first.
#include <algorithm>
#include <map>
#include <memory>
#include <numeric>

#include "sdp/elements.hpp"

namespace kinjo::sdp::detail {

namespace {

/// Cones of up to so many constraints go through the pool.
constexpr std::size_t kPooledConstraints = 256;

/// Where (p, later) of a triangle by rows lies.
std::size_t triangle_place(std::size_t count, std::size_t p, std::size_t later) {
  return p * count - p * (p + 1) / 2 + later;
}

/// Places of constraints in the order of these.
std::vector<Index> sorted_by_index(const ConeElements& cone) {
  std::vector<Index> order(cone.constraints());
  std::iota(order.begin(), order.end(), Index{0});
  std::ranges::sort(order, {}, [&](Index p) { return cone.constraint(p); });
  return order;
}

}  // namespace

Elements::Elements(const Model& model, const Schur& schur, const Crew& crew)
    : model_(model), crew_(crew), works_(crew.size()) {
  cones_.reserve(model.cones.size());
  for (const Cone& cone : model.cones) cones_.emplace_back(cone);
  std::size_t& size = pool_size_;
  std::size_t& work = work_size_;
  for (std::size_t c = 0; c < cones_.size(); ++c) {
    const std::size_t count = cones_[c].constraints();
    work = std::max(work, cones_[c].work_size() + count * kLanes);
    if (schur.sparse() || count <= kPooledConstraints) {
      pooled_.push_back({c, size, sorted_by_index(cones_[c])});
      size += count * (count + 1) / 2;
    } else {
      direct_.push_back(c);
    }
  }
  row_begins_.assign(model.linear.order() + 1, 0);
  for (const Linear::Item& item : model.linear.items) ++row_begins_[item.row + 1];
  std::partial_sum(row_begins_.begin(), row_begins_.end(), row_begins_.begin());
  row_items_.resize(model.linear.items.size());
  std::vector<std::size_t> next = row_begins_;
  for (Index i = 0; i < model.constraints; ++i) {
    for (std::size_t e = model.linear.begins[i]; e < model.linear.begins[i + 1]; ++e) {
      const Linear::Item& item = model.linear.items[e];
      row_items_[next[item.row]++] = {i, item.value};
    }
  }
}

std::uint64_t Elements::bytes() const {
  std::uint64_t copy = 0;
  for (const ConeElements& cone : cones_) {
    copy += 2 * sizeof(double) * cone.order() * cone.order() + cone.bytes();
  }
  const std::size_t nodes = crew_.team()->mapping().nodes().size();
  return sizeof(double) * (works_.size() * work_size_ + pool_size_) +
         (nodes > 1 ? nodes * copy : 0);
}

void Elements::allocate() {
  pool_.resize(pool_size_);
  Team& team = *crew_.team();
  std::map<int, std::size_t> slots;
  for (std::size_t t = 0; t < team.size(); ++t) {
    const int node = team.mapping()[t].node;
    const auto [slot, is_new] = slots.try_emplace(node, copies_.size());
    if (is_new) copies_.emplace_back();
    copies_[slot->second].threads.push_back(t);
    node_of_.push_back(slot->second);
  }
  if (copies_.size() == 1) copies_.clear();
  std::size_t size = 0;
  for (const ConeElements& cone : cones_) size += 2 * cone.order() * cone.order();
  // What a thread touches first lies on its node.
  team.run([&](const Place& me) {
    const auto thread = static_cast<std::size_t>(me.thread);
    // Not even zeroed: pages that no batch of this thread reaches are none.
    works_[thread] = std::make_unique_for_overwrite<double[]>(work_size_);
    if (copies_.empty()) return;
    NodeCopy& copy = copies_[node_of_[thread]];
    if (copy.threads.front() != thread) return;
    copy.values.resize(size);
    copy_terms(copy);
  });
  for (NodeCopy& copy : copies_) {
    double* next = copy.values.data();
    for (const ConeElements& cone : cones_) {
      const std::size_t square = cone.order() * cone.order();
      copy.matrices.push_back({next, next + square});
      next += 2 * square;
    }
  }
}

void Elements::copy_terms(NodeCopy& copy) const {
  copy.terms.reserve(model_.cones.size());  // elements point there
  for (std::size_t c = 0; c < cones_.size(); ++c) {
    copy.terms.push_back(model_.cones[c].copy_of_terms());
    copy.elements.emplace_back(cones_[c], copy.terms.back());
  }
}

/// Each node's threads share its copy.
void Elements::copy_to_nodes(const std::vector<ConeMatrices>& matrices) {
  matrices_ = &matrices;
  if (copies_.empty()) return;
  crew_.team()->run([&](const Place& me) {
    const auto thread = static_cast<std::size_t>(me.thread);
    NodeCopy& copy = copies_[node_of_[thread]];
    double* to = copy.values.data();
    const std::size_t threads = copy.threads.size();
    const auto rank =
        static_cast<std::size_t>(std::ranges::find(copy.threads, thread) - copy.threads.begin());
    for (std::size_t c = 0; c < cones_.size(); ++c) {
      const std::size_t square = cones_[c].order() * cones_[c].order();
      const std::size_t begin = square * rank / threads, end = square * (rank + 1) / threads;
      std::copy(matrices[c].inverse + begin, matrices[c].inverse + end, to + begin);
      std::copy(matrices[c].dual + begin, matrices[c].dual + end, to + square + begin);
      to += 2 * square;
    }
  });
}

void Elements::compute_pooled() {
  struct Task {
    std::size_t pooled, batch;
    double operations;
  };
  std::vector<Task> tasks;
  double all = 0;
  for (std::size_t k = 0; k < pooled_.size(); ++k) {
    const auto& batches = cones_[pooled_[k].cone].batches();
    for (std::size_t b = 0; b < batches.size(); ++b) {
      tasks.push_back({k, b, batches[b].operations});
      all += batches[b].operations;
    }
  }
  crew_.each(tasks.size(), all, [&](std::size_t t, std::size_t thread) {
    const Pooled& pooled = pooled_[tasks[t].pooled];
    const ConeElements& cone = elements(pooled.cone, thread);
    const ConeElements::Batch& batch = cone.batches()[tasks[t].batch];
    double* work = works_[thread].get();
    double* out = work + cone.work_size();
    cone.columns(Crew(), near(pooled.cone, thread), batch, work, out);
    const std::size_t count = cone.constraints();
    for (std::size_t lane = 0; lane < batch.count; ++lane) {
      const std::size_t p = batch.first + lane;
      double* row = pool_.data() + pooled.begin + triangle_place(count, p, 0);
      for (std::size_t q = p; q < count; ++q) row[q] = out[(q - batch.first) * kLanes + lane];
    }
  });
}

void Elements::compute_direct(Schur& b, std::size_t c) {
  const auto add = [&b](const ConeElements& cone, const ConeElements::Batch& batch,
                        const double* out) {
    for (std::size_t q = batch.first; q < cone.constraints(); ++q, out += kLanes) {
      const Index j = cone.constraint(q);
      const std::size_t lanes = std::min(batch.count, q - batch.first + 1);
      for (std::size_t lane = 0; lane < lanes; ++lane) {
        b.at(cone.constraint(batch.first + lane), j) += out[lane];
      }
    }
  };
  const ConeElements& cone = cones_[c];
  const auto& batches = cone.batches();
  std::vector<std::size_t> tasks;
  double all = 0;
  for (std::size_t k = 0; k < batches.size(); ++k) {
    // A large product is for all threads, and so before the rest.
    if (batches[k].formula == Formula::f1 && batches[k].count == 1) {
      double* work = works_[0].get();
      cone.columns(crew_, (*matrices_)[c], batches[k], work, work + cone.work_size());
      add(cone, batches[k], work + cone.work_size());
    } else {
      tasks.push_back(k);
      all += batches[k].operations;
    }
  }
  const auto owner = [&](std::size_t t) {
    return b.owner(cone.constraint(batches[tasks[t]].first));
  };
  crew_.each_near(tasks.size(), all, owner, [&](std::size_t t, std::size_t thread) {
    const ConeElements& own = elements(c, thread);
    const ConeElements::Batch& batch = own.batches()[tasks[t]];
    double* work = works_[thread].get();
    double* out = work + own.work_size();
    own.columns(Crew(), near(c, thread), batch, work, out);
    add(own, batch, out);
  });
}

/// What the pool has for lines from … to − 1 of B's triangle, of one cone.
void Elements::add_pooled(Schur& b, const Pooled& pooled, std::size_t from, std::size_t to) const {
  const ConeElements& cone = cones_[pooled.cone];
  const std::vector<Index>& order = pooled.by_index;
  const auto constraint = [&](Index p) { return cone.constraint(p); };
  const auto end = std::ranges::lower_bound(order, to, {}, constraint);
  for (auto p = std::ranges::lower_bound(order, from, {}, constraint); p != end; ++p) {
    Schur::Line line = b.line(cone.constraint(*p));
    for (auto q = p; q != order.end(); ++q) {
      const auto [low, high] = std::minmax(*p, *q);
      line.at(cone.constraint(*q)) +=
          pool_[pooled.begin + triangle_place(cone.constraints(), low, high)];
    }
  }
}

void Elements::add_pool(Schur& b) {
  crew_.ranges(model_.constraints, 8, static_cast<double>(pool_size_),
               [&](std::size_t from, std::size_t to, std::size_t) {
                 for (const Pooled& pooled : pooled_) add_pooled(b, pooled, from, to);
               });
}

void Elements::add_linear(Schur& b, const std::vector<double>& x, const std::vector<double>& y) {
  const Linear& linear = model_.linear;
  double* values = b.values();
  double all = 0;
  for (std::size_t r = 0; r < linear.order(); ++r) {
    const double count = static_cast<double>(row_begins_[r + 1] - row_begins_[r]);
    all += count * count;
  }
  crew_.ranges(model_.constraints, 8, all, [&](std::size_t from, std::size_t to, std::size_t) {
    for (std::size_t i = from; i < to; ++i) {
      for (std::size_t e = linear.begins[i]; e < linear.begins[i + 1]; ++e) {
        const Linear::Item& item = linear.items[e];
        const double weight = item.value * y[item.row] / x[item.row];
        for (std::size_t k = row_begins_[item.row]; k < row_begins_[item.row + 1]; ++k) {
          const Linear::Item& other = row_items_[k];
          if (other.row < i) continue;
          values[b.place(static_cast<Index>(i), other.row)] += weight * other.value;
        }
      }
    }
  });
}

void Elements::compute(Schur& b, const std::vector<ConeMatrices>& matrices,
                       const std::vector<double>& x, const std::vector<double>& y) {
  b.clear(crew_);
  copy_to_nodes(matrices);
  compute_pooled();
  add_pool(b);
  for (const std::size_t c : direct_) compute_direct(b, c);
  add_linear(b, x, y);
}

std::array<std::uint64_t, 3> Elements::formulas() const {
  std::array<std::uint64_t, 3> counts{};
  for (const ConeElements& cone : cones_) {
    for (const ConeElements::Batch& batch : cone.batches()) {
      counts[static_cast<std::size_t>(batch.formula)] += batch.count;
    }
  }
  return counts;
}

}  // namespace kinjo::sdp::detail
