/// What shells read to complete command lines of kinjo, written from the tables of options.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "option_table.hpp"

namespace kinjo::cli {

/// Functions of the shell and what registers them; to be sourced, or found by name in the shell's
/// own folder. Where neither choices nor a file are known for a value, the shell's default holds.
std::string bash_completion(const std::vector<CommandRow>& table);
std::string zsh_completion(const std::vector<CommandRow>& table);
std::string fish_completion(const std::vector<CommandRow>& table);

/// `text` in single quotes; `quote` is how the shell writes one between them.
std::string quoted(std::string_view text, std::string_view quote);

}  // namespace kinjo::cli
