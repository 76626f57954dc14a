/// Commands that compute in two ways: on arrays in files, or in memory (--size), to be measured.
#pragma once

#include <string>
#include <vector>

#include "command.hpp"
#include "measuring.hpp"

namespace kinjo::cli {

/// The words in which a command speaks of its two ways.
struct TwoWays {
  const char* command;   ///< gemm
  const char* verb;      ///< multiply
  const char* result;    ///< product; several of them get an s
  const char* files;     ///< matrices in files
  const char* no_files;  ///< no files
  const char* of_files;  ///< the product of files
  const char* inputs;    ///< A.npy B.npy
  const char* output;    ///< C.npy
  const char* verifies;  ///< check the products: samples, and Freivalds' test
};

/// What computations on files have in common.
struct FilesOptions {
  std::string output;
  bool verify = false;
  Format format = Format::text;
  PlacementOptions placement;
  std::string bind = "cpu";

  /// Takes over what both ways have, as far as files can have it. Throws `Error` for the rest.
  void take_over(const MeasureOptions& given, const TwoWays& words);
};

enum class Way { files, memory };

/// What only one of the ways has.
struct OnlyOptions {
  std::vector<const CLI::Option*> memory, files;
};

/// Which way is meant, by whether there are sizes and a first file (empty: none). Throws `Error` if
/// neither is there, or something of the other way.
Way way_of(const TwoWays& words, const MeasureOptions& memory, const std::string& file,
           const OnlyOptions& only);

/// Lists options of one way under a heading of their own.
void set_group(CLI::App& command, const std::vector<const CLI::Option*>& options,
               const std::string& heading);

/// Adds the options that both ways have.
void add_both(CLI::App& command, MeasureOptions& options, const TwoWays& words);

/// A command's options: `Memory` is a MeasureOptions and `Files` a FilesOptions, each with the
/// options that only it has in `add_to`.
template <class Memory, class Files>
struct BothOptions {
  Memory memory;  ///< and what both ways have
  Files files;
  OnlyOptions only;

  void add_to(CLI::App& command, const TwoWays& words) {
    only.files = added(command, [&] { files.add_to(command); });
    only.memory = added(command, [&] { memory.add_to(command); });
    set_group(command, only.files, std::string("For ") + words.files);
    set_group(command, only.memory, std::string("For ") + words.result + "s in memory (--size)");
    add_both(command, memory, words);
  }
};

}  // namespace kinjo::cli
