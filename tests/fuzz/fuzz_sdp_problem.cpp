/// Any bytes as a problem in SDPA's sparse format: an `Error`, or one that is written and read
/// again as it was, of a size that its text can hold.
#include "sdp/files/problem_text.hpp"

#include "fuzz/sdp_input.hpp"
#include "fuzz/target.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  return kinjo::test::try_sdp(data, size, [&](std::string_view text) {
    using namespace kinjo::sdp::detail;
    const kinjo::sdp::Problem problem = parse_problem(text, "input");
    if (problem.constraints() > size || problem.blocks().size() > size) std::abort();
    const std::string written = problem_text(problem);
    if (problem_text(parse_problem(written, "input")) != written) std::abort();
  });
}
