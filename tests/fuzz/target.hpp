/// The entry point that libFuzzer, or `replay.cpp` in its place, calls with every input.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstdlib>

#include <kinjo/error.hpp>

/// Parses; what is no `Error` for bad input is found.
template <class Parse>
void attempt(Parse parse) {
  try {
    parse();
  } catch (const kinjo::Error& error) {
    if (error.code() != kinjo::Errc::bad_input) std::abort();
  }
}

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size);
