/// What `kinjo tune` says and writes when its runs are done.
#pragma once

#include <string>
#include <vector>

#include "report/sweep_text.hpp"
#include "tune_options.hpp"

namespace kinjo::cli {

struct TuneOutput {
  const TuneOptions& options;
  const TuneSettings& settings;
  const Topology& machine;
  std::string command_line;
  std::string obstacle;  ///< to pinning threads one by one, said beforehand

  /// What people must know besides the table, on standard error.
  void complain(const SweptSubject& swept) const;
  void print_results(const std::vector<SweptSubject>& all) const;
  /// The report and the picture, if they are asked for.
  void write_files(const std::vector<SweptSubject>& all) const;
  /// 0, or 1: a program that fails under one placement may well be right under others; a
  /// computation of our own may not.
  int status_of(const std::vector<SweptSubject>& all) const;

 private:
  std::string text(const std::vector<SweptSubject>& all) const;
  std::string suite_text(const std::vector<SweptSubject>& all) const;
  void write_report(const std::vector<SweptSubject>& all) const;
};

}  // namespace kinjo::cli
