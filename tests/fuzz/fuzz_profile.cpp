/// Any text as a machine profile: an `Error` that names the file, or a profile that its own JSON
/// reads back.
#include <cstdlib>
#include <string_view>

#include <kinjo/error.hpp>

#include "fuzz/target.hpp"
#include "report/profile_json.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  try {
    const auto profile = kinjo::parse_profile({reinterpret_cast<const char*>(data), size}, "input");
    const kinjo::Json json = kinjo::profile_json(profile);
    const auto again = kinjo::parse_profile(kinjo::json_text(json), "again");
    if (kinjo::profile_json(again) != json) std::abort();
  } catch (const kinjo::Error& error) {
    if (!std::string_view(error.what()).starts_with("cannot read the profile 'input': "))
      std::abort();
  }
  return 0;
}
