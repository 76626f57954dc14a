/// A figure as a page shows it.
#pragma once

#include <string>

#include "report/table.hpp"

namespace kinjo {

/// A drawing, what it says in words, and the same data as a table for those who cannot see it.
struct Picture {
  std::string title;
  std::string caption;
  std::string svg;  ///< to be placed into a page as it is
  Table table;
};

}  // namespace kinjo
