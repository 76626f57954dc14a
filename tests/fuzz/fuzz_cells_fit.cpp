/// Any text as records of a ping-pong: an `Error` that names the file, or times that can be fitted
/// or are refused with a reason.
#include <cmath>
#include <cstdlib>
#include <string_view>

#include <kinjo/comm_model.hpp>
#include <kinjo/error.hpp>

#include "fuzz/target.hpp"
#include "workload/cells_fit.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  kinjo::comm::MessageTimes times;
  try {
    times = kinjo::parse_pingpong({reinterpret_cast<const char*>(data), size}, "input", "put");
  } catch (const kinjo::Error& error) {
    if (!std::string_view(error.what()).starts_with("cannot read the records 'input': ")) {
      std::abort();
    }
    return 0;
  }
  if (times.one_way.empty()) std::abort();
  try {
    for (const auto& p :
         {kinjo::comm::fit_log_gp(times).parameters, kinjo::comm::log_gp_at(times, 1 << 20)}) {
      for (const double value : {p.latency_s, p.overhead_s, p.gap_s, p.gap_per_byte_s}) {
        if (value < 0) std::abort();
      }
    }
  } catch (const kinjo::Error&) {
  }
  return 0;
}
