/// The entry point that libFuzzer, or `replay.cpp` in its place, calls with every input.
#pragma once

#include <cstddef>
#include <cstdint>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size);
