#include <kinjo/error.hpp>

namespace kinjo {

const char* to_string(Errc code) noexcept {
  switch (code) {
    case Errc::invalid_argument:
      return "invalid_argument";
    case Errc::bad_input:
      return "bad_input";
    case Errc::not_found:
      return "not_found";
    case Errc::not_permitted:
      return "not_permitted";
    case Errc::not_supported:
      return "not_supported";
    case Errc::out_of_memory:
      return "out_of_memory";
    case Errc::system:
      return "system";
    case Errc::usage:
      return "usage";
    case Errc::timed_out:
      return "timed_out";
    case Errc::cell_lost:
      return "cell_lost";
  }
  return "unknown";
}

}  // namespace kinjo
