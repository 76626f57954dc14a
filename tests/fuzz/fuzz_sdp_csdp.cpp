/// Any bytes as CSDP's solution: an `Error`, or one of the problem's shape.
#include "sdp/files/solution_text.hpp"

#include "fuzz/sdp_input.hpp"
#include "fuzz/target.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  return kinjo::test::try_sdp(data, size, [](std::string_view text) {
    using namespace kinjo::test;
    check(kinjo::sdp::detail::parse_csdp_solution(small_problem(), text, "input"));
  });
}
