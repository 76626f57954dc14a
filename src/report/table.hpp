/// Plain text tables.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace kinjo {

/// Rows of cells under a header; columns of numbers alone are aligned right.
class Table {
 public:
  explicit Table(std::vector<std::string> header) : header_(std::move(header)) {}

  /// Adds a row; it must have as many cells as the header.
  void add(std::vector<std::string> row);
  const std::vector<std::string>& header() const { return header_; }
  const std::vector<std::vector<std::string>>& rows() const { return rows_; }
  /// Whether a column, by its index, holds numbers alone and so is aligned right.
  bool is_numeric(std::size_t column) const;
  std::string to_text() const;
  /// Quoted as RFC 4180 has it; lines end in a single line feed.
  std::string to_csv() const;

 private:
  std::vector<std::string> header_;
  std::vector<std::vector<std::string>> rows_;
};

}  // namespace kinjo
