/// ELEMENTS: the coefficients B_ij = F_i • (X⁻¹ F_j Y) of the Schur complement (S1, figure 14).
///
/// For each cone and each constraint j a *column* of sums u = X⁻¹ F_j Y + its transpose is formed
/// at the positions that later constraints read, and then F_i • u for all of these. Constraints are
/// in the order of their density, the densest first, and so B_ij is computed once, from the denser
/// of the two. Three formulas, after Fujisawa, Kojima and Nakata (1997), chosen by their
/// operations:
///
/// - F1: u in full, from the product X⁻¹ (F_j Y). What is not sparse enough for another.
/// - F2: F_j = Σ_q a_q b_qᵀ over its rows (a_q a unit vector), or as one product where F_j has rank
///   one; u at the positions alone, Σ_q (X⁻¹ a_q)(Y b_q)ᵀ.
/// - F3: F2 for an F_j of at most two rows, where a position costs less than to look it up.
///
/// Columns of eight constraints are computed together (`kLanes`): an index of F_i is read once for
/// all of them.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "sdp/crew.hpp"
#include "sdp/kernels.hpp"
#include "sdp/model.hpp"
#include "sdp/schur.hpp"

namespace kinjo::sdp::detail {

/// The matrices of a cone that ELEMENTS reads, n × n, full.
struct ConeMatrices {
  const double* inverse = nullptr;  ///< X⁻¹
  const double* dual = nullptr;     ///< Y
};

/// F_j as a sum of products of vectors.
struct Products {
  std::vector<Index> rows;     ///< a_q = e_rows[q], unless `vector` is there
  std::vector<double> vector;  ///< F_j = scale · vector vectorᵀ
  double scale = 0;

  std::size_t rank() const { return vector.empty() ? rows.size() : 1; }
  /// Vectors of the matrix' order that are to be kept while its products are formed.
  std::size_t spare_rows() const { return vector.empty() ? rows.size() : 2; }
};

enum class Formula : std::uint8_t { f1, f2, f3 };

/// What is computed for one cone, found out once.
class ConeElements {
 public:
  /// The cone must live on.
  explicit ConeElements(const Cone& cone);
  /// The same of a copy of its cone, in this thread's memory.
  ConeElements(const ConeElements& other, const Cone& copy) : ConeElements(other) { cone_ = &copy; }

  std::size_t order() const { return order_; }
  std::size_t constraints() const { return cone_->constraints.size(); }
  Index constraint(std::size_t p) const { return cone_->constraints[p]; }
  const std::vector<Position>& positions() const { return cone_->positions; }

  /// Constraints of a batch are computed together; batch by batch the later ones are left.
  struct Batch {
    std::size_t first = 0, count = 0;
    Formula formula = Formula::f1;
    double operations = 0;
  };
  const std::vector<Batch>& batches() const { return batches_; }
  double operations() const;
  /// Numbers that `columns` needs to work with.
  std::size_t work_size() const;
  /// Bytes that a copy takes.
  std::uint64_t bytes() const;

  /// The sums of a batch: out[(p − first)·kLanes + lane] for p ≥ first and constraint first + lane.
  void columns(const Crew& crew, const ConeMatrices& matrices, const Batch& batch, double* work,
               double* out) const;

 private:
  void find_needed();
  void find_products();
  void choose_batches();
  /// Of a batch: the greatest rank, rows to spare for each constraint, and products at a time.
  struct Shape {
    std::size_t rank = 0, rows = 0, chunk = 0;
  };
  Shape shape_of(const Batch& batch) const;
  std::size_t work_size(const Batch& batch) const;
  void find_vectors(std::size_t p, const ConeMatrices& m, double* spare, const double** left,
                    const double** right) const;
  void dual_rows(std::size_t p, const double* dual, double* rows) const;
  bool is_lonely(const Batch& batch) const;
  void directly(const ConeMatrices& m, const Batch& batch, double* work, double* out) const;
  void by_products(const ConeMatrices& m, const Batch& batch, double* work, double* sums) const;
  void in_full(const Crew& crew, const ConeMatrices& m, const Batch& batch, double* work,
               double* sums) const;

  const Cone* cone_;  ///< p is a place among its constraints
  std::size_t order_;
  std::vector<Products> products_;
  std::vector<std::size_t> needed_;  ///< the first position that p or a later one reads
  std::vector<Batch> batches_;
};

/// All of ELEMENTS.
class Elements {
 public:
  Elements(const Model& model, const Schur& schur, const Crew& crew);
  /// Bytes that `allocate` takes, and what must be done before `compute`.
  std::uint64_t bytes() const;
  void allocate();

  /// B ← Σ over cones and linear inequalities. `matrices` by cone; x and y of the linear part. B
  /// has the pattern of the one that this was made for.
  void compute(Schur& b, const std::vector<ConeMatrices>& matrices, const std::vector<double>& x,
               const std::vector<double>& y);
  /// Columns by formula.
  std::array<std::uint64_t, 3> formulas() const;

 private:
  /// A cone whose sums go to a table of its own first, since B's entries belong to several.
  struct Pooled {
    std::size_t cone = 0;
    std::size_t begin = 0;        ///< in the pool
    std::vector<Index> by_index;  ///< its constraints' places here, by these
  };
  /// On a machine of several nodes each has X⁻¹ and Y of its own, and the terms: all of them are
  /// read all over, by everyone.
  struct NodeCopy {
    std::vector<std::size_t> threads;  ///< of the team, on this node
    std::vector<double> values;
    std::vector<ConeMatrices> matrices;
    std::vector<Cone> terms;
    std::vector<ConeElements> elements;
  };
  void copy_to_nodes(const std::vector<ConeMatrices>& matrices);
  void copy_terms(NodeCopy& copy) const;
  const ConeMatrices& near(std::size_t cone, std::size_t thread) const {
    return copies_.empty() ? (*matrices_)[cone] : copies_[node_of_[thread]].matrices[cone];
  }
  const ConeElements& elements(std::size_t cone, std::size_t thread) const {
    return copies_.empty() ? cones_[cone] : copies_[node_of_[thread]].elements[cone];
  }
  void compute_pooled();
  void compute_direct(Schur& b, std::size_t c);
  void add_pooled(Schur& b, const Pooled& pooled, std::size_t from, std::size_t to) const;
  void add_pool(Schur& b);
  void add_linear(Schur& b, const std::vector<double>& x, const std::vector<double>& y);

  const Model& model_;
  Crew crew_;
  std::vector<ConeElements> cones_;
  std::vector<Pooled> pooled_;
  std::vector<std::size_t> direct_;
  std::vector<double> pool_;
  std::size_t pool_size_ = 0, work_size_ = 0;
  std::vector<std::size_t> row_begins_;           ///< the linear part by inequality
  std::vector<Linear::Item> row_items_;           ///< `row` is a constraint here
  std::vector<std::unique_ptr<double[]>> works_;  ///< by thread, in its memory

  std::vector<NodeCopy> copies_;      ///< none where there is one node
  std::vector<std::size_t> node_of_;  ///< which of the copies is a thread's
  const std::vector<ConeMatrices>* matrices_ = nullptr;
};

}  // namespace kinjo::sdp::detail
