#include "comm/ucx/library.hpp"

namespace kinjo::comm::detail {

const Ucp& Ucp::get() {
  static const Ucp ucp;
  return ucp;
}

Ucp::Ucp() {
  const SharedObject library("libucp.so.0", "libucx0");
  library.find("ucp_config_read", config_read);
  library.find("ucp_config_modify", config_modify);
  library.find("ucp_config_print", config_print);
  library.find("ucp_config_release", config_release);
  library.find("ucp_init_version", init_version);
  library.find("ucp_cleanup", cleanup);
  library.find("ucp_worker_create", worker_create);
  library.find("ucp_worker_destroy", worker_destroy);
  library.find("ucp_worker_get_address", worker_get_address);
  library.find("ucp_worker_release_address", worker_release_address);
  library.find("ucp_worker_get_efd", worker_get_efd);
  library.find("ucp_worker_arm", worker_arm);
  library.find("ucp_worker_progress", worker_progress);
  library.find("ucp_worker_set_am_recv_handler", worker_set_am_recv_handler);
  library.find("ucp_ep_create", ep_create);
  library.find("ucp_ep_close_nbx", ep_close_nbx);
  library.find("ucp_ep_print_info", ep_print_info);
  library.find("ucp_am_send_nbx", am_send_nbx);
  library.find("ucp_am_recv_data_nbx", am_recv_data_nbx);
  library.find("ucp_request_check_status", request_check_status);
  library.find("ucp_request_free", request_free);
  // Of libucs, which libucp brings along.
  library.find("ucs_status_string", status_string);
}

}  // namespace kinjo::comm::detail
