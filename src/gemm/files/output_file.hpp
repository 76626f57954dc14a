/// The product's file while it is made, and the journal of its finished panels.
///
/// Beside `C.npy` lie `C.npy.kinjo-part`, which becomes `C.npy` when it is whole, and
/// `C.npy.kinjo-journal`: lines of text,
///
///     kinjo-gemm-journal/2
///     NAME: VALUE        what the product is made of: inputs, plan, factor, header
///     panel I SUM        panel I of C is on the disk
///
/// SUM is a hash of all lines before the first panel's and of `panel I`. A line is written, and is
/// on the disk, only after what it speaks of is. A last line without its newline is what a crash
/// leaves, and is dropped.
#pragma once

#include <sys/stat.h>

#include <atomic>
#include <cstdint>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "gemm/files/runs.hpp"

namespace kinjo::gemm {

struct ProductJournal {
  using Fields = std::vector<std::pair<std::string, std::string>>;
  Fields fields;
  /// Finished ones, in ascending ranges that do not meet: panels are recorded nearly in order, so
  /// that these are few.
  std::vector<Range> panels;
  std::size_t good_bytes = 0;  ///< up to the last whole line
  std::uint64_t seed = 0;      ///< the hash of what stands before the first panel

  std::size_t finished() const;
  const std::string* find(std::string_view name) const;
};

/// A panel's line, without its end.
std::string panel_record(std::size_t panel, std::uint64_t seed);

/// Throws `Error` (`bad_input`) that names the line.
ProductJournal parse_product_journal(std::string_view text, const std::string& name);

class OutputFile {
 public:
  /// Nothing is touched yet. Links are followed, also to a file that is not there yet. Throws
  /// `Error` (`cannot write 'PATH': …`) if something is there that is no ordinary file.
  explicit OutputFile(const std::string& path, Access access = Access::direct);
  ~OutputFile();
  OutputFile(const OutputFile&) = delete;
  OutputFile& operator=(const OutputFile&) = delete;

  /// What can be known before there is anything to write, from a file without a name in the same
  /// directory.
  struct Trial {
    Access access;               ///< `cached` also where nobody knows
    std::optional<double> sync;  ///< seconds until a block is on the disk
  };
  /// Throws `Error`: no such directory, or no permission to write there.
  Trial try_directory() const;
  /// Throws `Error` if a part or a journal is there already: another run's that goes on, or that
  /// was interrupted.
  void check_free() const;
  /// What an interrupted run left. Throws `Error`: `not_found` if there is nothing, `usage` if that
  /// run still goes on.
  ProductJournal interrupted() const;

  /// Makes the part, with all the space that it will need, and the journal. Throws `Error`: among
  /// others if there is one of an interrupted run, or the disk has not so much space.
  void begin(const std::string& header, std::uint64_t bytes, const ProductJournal::Fields& fields);
  /// Goes on with those of an interrupted run, whose header must be `header`.
  void resume(const ProductJournal& journal, const std::string& header, std::uint64_t bytes);

  /// Writes runs one after another: whole blocks past the page cache, if the access is so and the
  /// memory fits, and the rest through it. Of that there are never more than `kCachedMost` (with
  /// direct access `kEdgesMost`) bytes in whole pages, and nothing after `end`.
  class Piece {
   public:
    explicit Piece(OutputFile& file) : file_(file) {}
    /// Starts to read what is around a run that will be written: the system would read it while it
    /// lets nobody else write.
    void announce(const Run& run) const;
    void write(const Run& run);
    /// What went through the page cache is on the disk, and no longer in the cache.
    void end();

   private:
    std::size_t write_direct(const Run& run);
    void write_cached(Run run);

    OutputFile& file_;
    std::uint64_t begin_ = 0, end_ = 0;  ///< around all that is in the cache
    std::size_t cached_ = 0;             ///< bytes, in whole pages
  };
  static constexpr std::size_t kCachedMost = kLongestRun;
  static constexpr std::size_t kEdgesMost = std::size_t{256} << 10;

  void write(const Run& run);
  /// What was written is on the disk, so that `finish_panel` has less to wait for.
  void flush() { sync(part_); }
  /// Records that a panel is written: first what was written, then the record, reach the disk. Any
  /// thread may call it, as `write` and `flush`, and have a `Piece` of its own.
  void finish_panel(std::size_t panel);
  /// How many panels are recorded; not while one may be.
  std::size_t finished() const { return finished_; }
  /// What is there of the product besides the output's name.
  enum class Left {
    untouched,  ///< what was there before, if anything
    nothing,    ///< a part of which nothing is recorded, and which goes on destruction
    part,       ///< a part with recorded panels
    lost,       ///< recorded panels whose part somebody removed, replaced or cut off
  };
  Left left() const;

  /// The part gets the output's name, and is as private as the file that it replaces; the journal
  /// goes.
  /// Throws `Error` if somebody removed or replaced the part, or changed its length.
  void commit();
  /// Both go; also on destruction, unless a panel is recorded and the part is still there.
  void discard();

  const std::string& part_path() const { return part_path_; }
  const std::string& journal_path() const { return journal_path_; }

 private:
  [[noreturn]] void refuse(int error) const;
  [[noreturn]] void refuse_second() const;
  [[noreturn]] void refuse_part(const std::string& fault) const;
  /// Throws if somebody cut the part off or made it longer. What is written next would make it long
  /// enough again, with zeros where finished panels were.
  void check_length();
  void open_part(int flags);
  void check_alone() const;
  void take_over_access(mode_t beside);
  void append(const std::string& text);
  void sync(const FileHandle& file);

  std::string path_, part_path_, journal_path_;
  Access access_;
  FileHandle part_, direct_, journal_;
  std::mutex recording_;
  std::atomic<bool> is_cut_{false};
  std::size_t finished_ = 0;
  std::uint64_t bytes_ = 0;          ///< of the part
  std::uint64_t seed_ = 0;           ///< of the journal's records
  std::uint64_t journal_bytes_ = 0;  ///< in whole lines
  bool is_mine_ = false;             ///< made or taken over, and so to be removed
};

}  // namespace kinjo::gemm
