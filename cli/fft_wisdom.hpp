/// The file of `--wisdom`: plans of Fourier transforms that were found by trying.
#pragma once

#include <string>

#include <kinjo/fft_plan.hpp>

namespace kinjo::cli {

enum class Absent { refused, empty };

/// What the file holds. Throws `Error` (`bad_input`, `not_found`) that names it; one that is not
/// there yet may count as empty.
fft::Wisdom read_wisdom(const std::string& path, Absent absent);

/// Adds to the file, as it is by now: of several programs that do so none loses what another one
/// found. Throws `Error`.
void add_wisdom(const std::string& path, const fft::Wisdom& found);

}  // namespace kinjo::cli
