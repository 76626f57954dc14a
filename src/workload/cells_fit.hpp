/// Times of messages from the records of `kinjo cells pingpong --format json`, for the LogGP model.
#pragma once

#include <string>
#include <string_view>

#include <kinjo/comm_model.hpp>

namespace kinjo {

/// Reads the latency of every size of one way (`put`, `am`, `send` …) in the file's text; `name` is
/// the file's, for messages. The interval between messages is that of the smallest size, as its
/// bandwidth has it; overheads are read where the file has them. Throws `Error` (`bad_input`):
/// `cannot read the records 'NAME': WHERE: WHAT`.
comm::MessageTimes parse_pingpong(std::string_view text, const std::string& name,
                                  const std::string& way);

/// The same of a file. Throws also `not_found`.
comm::MessageTimes read_pingpong(const std::string& path, const std::string& way);

}  // namespace kinjo
