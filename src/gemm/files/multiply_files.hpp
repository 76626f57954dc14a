/// C ← α·op(A)·op(B) of matrices in `.npy` files, within a limit of memory (S3's storage loop R and
/// its touch tasks).
///
///     choose the storage loops for the memory                    (storage_choice.hpp)
///     for each step C(m, n) += A(m, k) · B(k, n) of theirs:
///       start to fetch what the next steps use                   (unit_reader.hpp)
///       join the fetches of this step; multiply over the team
///       if k is at its end: start to write this panel of C, which is then recorded
///       (output_file.hpp)
///     C gets its name
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "gemm/files/output_file.hpp"
#include "gemm/files/storage_choice.hpp"
#include "gemm/files/storage_steps.hpp"
#include "gemm/files/stored_matrix.hpp"
#include "gemm/files/unit_reader.hpp"

namespace kinjo::gemm {

struct FilesRequest {
  std::string a, b, c;
  StoredMatrix::Transposed transpose_a = StoredMatrix::Transposed::no;
  StoredMatrix::Transposed transpose_b = StoredMatrix::Transposed::no;
  double alpha = 1;
  detail::NpyOrder order = detail::NpyOrder::c;  ///< of the product
  std::optional<std::string> plan;               ///< none: chosen
  std::uint64_t memory_limit = 0;                ///< bytes
  Touch touch = Touch::ahead;
  Access access = Access::direct;
  bool resume = false;
};

struct FilesResult {
  bool interrupted = false;
  std::size_t panels = 0, finished = 0;  ///< of C; recorded, also by runs before
  double flops = 0;                      ///< of this run
  std::uint64_t read_bytes = 0, written_bytes = 0;
  double waited_seconds = 0;  ///< that the team had nothing to do, since data was still to come
};

class FilesProduct {
 public:
  /// Opens the inputs and settles everything; nothing is written yet. `threads` over `nodes` will
  /// compute. Throws `Error`: what `StoredMatrix`, `Plan::parse` and `OutputFile` refuse, types or
  /// shapes that do not go together, a limit that is too small (it states the least), an output
  /// that cannot be written there or is another run's, and for `resume` anything that is not as it
  /// was.
  FilesProduct(FilesRequest request, std::size_t threads, std::vector<int> nodes);

  const Problem& problem() const { return problem_; }
  const Plan& plan() const { return plan_; }
  const StorageChoice& storage() const { return storage_; }
  /// Bytes of the limit that are left for panels; what checks the product may use as many.
  std::size_t budget() const { return budget_; }
  /// Peak of the process's memory and page cache.
  std::uint64_t memory_bytes() const;
  /// Steps, and how many of them an interrupted run has done.
  std::size_t steps() const { return steps_.all(); }
  std::size_t steps_done() const { return steps_.all() - steps_.count(); }
  std::size_t panels() const { return steps_.panels(); }
  /// Seconds until a block is on the output's disk, if somebody knows.
  std::optional<double> sync_seconds() const { return trial_.sync; }
  const std::string& part_path() const { return output_.part_path(); }
  const std::string& journal_path() const { return output_.journal_path(); }
  const StoredMatrix& a() const { return a_; }
  const StoredMatrix& b() const { return b_; }
  double alpha() const { return request_.alpha; }

  /// Reserves the disk and multiplies. `progress(steps done)` before the first step and after each;
  /// it returns whether to go on. Throws `Error`; what is recorded stays for `resume`.
  FilesResult run(Team& team, const std::function<bool(std::size_t)>& progress);
  /// How many panels are recorded.
  std::size_t finished() const { return output_.finished(); }
  OutputFile::Left left() const { return output_.left(); }
  /// Whether the inputs are as they were when they were opened, so that a run can go on.
  bool is_input_unchanged() const;
  /// Gives the finished product its name.
  void commit() { output_.commit(); }

 private:
  template <class T>
  class Loop;
  /// What the program takes beside panels and copies.
  std::uint64_t program_bytes() const;
  void check_operands() const;
  void take_plan(const ProductJournal& journal);
  void settle_storage();
  void settle_steps();
  /// Throw `Error` for a journal of another run: in what is compared, or in its plan and panels
  /// too.
  void check_same(const ProductJournal& journal, const ProductJournal::Fields& fields) const;
  void check_journal(const ProductJournal& journal) const;
  /// What makes a run: what it computes from, and all.
  ProductJournal::Fields inputs() const;
  ProductJournal::Fields fields() const;
  std::string header() const;
  FileLayout c_layout() const;
  std::uint64_t file_bytes() const;

  FilesRequest request_;
  StoredMatrix a_, b_;
  OutputFile output_;
  OutputFile::Trial trial_;
  std::optional<ProductJournal> journal_;
  std::vector<int> nodes_;
  Problem problem_;
  Plan plan_;
  StorageChoice storage_;
  std::size_t budget_ = 0;
  StorageSteps steps_;  ///< without those of panels that are recorded
};

}  // namespace kinjo::gemm
