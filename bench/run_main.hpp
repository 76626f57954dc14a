/// What a bench's `main` does with errors, and how numbers on its command line are read.
#pragma once

#include <cstddef>
#include <cstdio>
#include <exception>
#include <string>

#include <kinjo/error.hpp>

#include "base/text.hpp"

namespace kinjo::bench {

/// Runs a program's work. The status to end with: 2 behind an exception, of which it prints a line.
template <class F>
int run_main(const char* program, F&& work) {
  try {
    work();
    return 0;
  } catch (const std::exception& error) {
    std::fflush(stdout);
    std::fprintf(stderr, "%s: %s\n", program, error.what());
    return 2;
  }
}

/// All of `text` as a number. Throws `Error` (`bad_input`) for what is none; `what` names it.
inline std::size_t read_number(const std::string& text, const std::string& what) {
  const auto number = kinjo::detail::parse_number<std::size_t>(text);
  if (!number) throw Error(Errc::bad_input, what + " '" + text + "': expected a number");
  return *number;
}

}  // namespace kinjo::bench
