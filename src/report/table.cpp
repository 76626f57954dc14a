#include "report/table.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "base/contract.hpp"
#include "base/text.hpp"

namespace kinjo {

namespace {

/// A number, a percentage, or nothing; ranges and lists of numbers are words.
bool is_number(std::string_view cell) {
  if (cell.ends_with(" %")) cell.remove_suffix(2);
  return cell.empty() || cell == "-" || detail::parse_number<double>(cell).has_value();
}

/// Columns on a terminal: bytes of UTF-8 without the continuation bytes.
std::size_t width(const std::string& cell) {
  return static_cast<std::size_t>(
      std::count_if(cell.begin(), cell.end(), [](char c) { return (c & 0xC0) != 0x80; }));
}

std::string csv_cell(const std::string& cell) {
  if (cell.find_first_of(",\"\n\r") == cell.npos) return cell;
  std::string quoted = "\"";
  for (char c : cell) {
    if (c == '"') quoted += '"';
    quoted += c;
  }
  return quoted + '"';
}

}  // namespace

void Table::add(std::vector<std::string> row) {
  KINJO_ASSERT(row.size() == header_.size());
  rows_.push_back(std::move(row));
}

bool Table::is_numeric(std::size_t column) const {
  return !rows_.empty() &&
         std::ranges::all_of(rows_, [&](const auto& row) { return is_number(row[column]); });
}

std::string Table::to_text() const {
  std::vector<std::size_t> widths;
  std::vector<bool> right;
  for (std::size_t c = 0; c < header_.size(); ++c) {
    widths.push_back(width(header_[c]));
    right.push_back(is_numeric(c));
    for (const auto& row : rows_) widths[c] = std::max(widths[c], width(row[c]));
  }
  std::string text;
  const auto write = [&](const std::vector<std::string>& row) {
    std::string line;
    for (std::size_t c = 0; c < row.size(); ++c) {
      const std::string blank(widths[c] - width(row[c]), ' ');
      line += (c ? "  " : "") + (right[c] ? blank + row[c] : row[c] + blank);
    }
    line.erase(line.find_last_not_of(' ') + 1);
    text += line + '\n';
  };
  write(header_);
  for (const auto& row : rows_) write(row);
  return text;
}

std::string Table::to_csv() const {
  std::string text;
  const auto write = [&](const std::vector<std::string>& row) {
    for (std::size_t c = 0; c < row.size(); ++c) text += (c ? "," : "") + csv_cell(row[c]);
    text += '\n';
  };
  write(header_);
  for (const auto& row : rows_) write(row);
  return text;
}

}  // namespace kinjo
