/// How transforms are measured, by names and values.
#pragma once

#include <string>

#include "workload/fft_run.hpp"

namespace kinjo {

/// Sets what `name` is to `value`; the names are `kFftParameters` but for size. Throws `Error`
/// (`invalid_argument`) that says what is accepted.
void set_fft(FftSettings& settings, const std::string& name, const std::string& value);

/// Throws `Error` (`invalid_argument`) if they do not go together.
void check_fft_settings(const FftSettings& settings);

inline constexpr const char* kFftParameters =
    "size, precision, numbers, place, data, deal, in_cache, overlap, pages";

}  // namespace kinjo
