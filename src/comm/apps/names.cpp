#include <kinjo/comm_apps.hpp>

namespace kinjo::comm {

const char* to_string(Form form) noexcept {
  switch (form) {
    case Form::put:
      return "put";
    case Form::get:
      return "get";
    case Form::send:
      return "send";
    case Form::direct:
      break;
  }
  return "direct";
}

const char* to_string(PingWay way) noexcept {
  switch (way) {
    case PingWay::by_hand:
      return "by_hand";
    case PingWay::put:
      return "put";
    case PingWay::put_short:
      return "put_short";
    case PingWay::get:
      return "get";
    case PingWay::am:
      return "am";
    case PingWay::send:
      return "send";
    case PingWay::copy:
      break;
  }
  return "copy";
}

}  // namespace kinjo::comm
