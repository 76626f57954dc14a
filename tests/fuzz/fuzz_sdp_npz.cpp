/// Any bytes as a solution's .npz: an `Error`, or one of the problem's shape.
#include "sdp/files/npz.hpp"

#include "fuzz/sdp_input.hpp"
#include "fuzz/target.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  return kinjo::test::try_sdp(data, size, [](std::string_view bytes) {
    using namespace kinjo::test;
    check(kinjo::sdp::detail::parse_npz(small_problem(), bytes, "input"));
  });
}
