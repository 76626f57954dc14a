/// The functions of libucp that are used, found when cells on other hosts are.
#pragma once

#include <ucp/api/ucp.h>

#include "comm/shared_object.hpp"

namespace kinjo::comm::detail {

struct Ucp {
  /// Throws `Error` (`not_supported`).
  static const Ucp& get();

  decltype(ucp_config_read)* config_read;
  decltype(ucp_config_modify)* config_modify;
  decltype(ucp_config_print)* config_print;
  decltype(ucp_config_release)* config_release;
  decltype(ucp_init_version)* init_version;
  decltype(ucp_cleanup)* cleanup;
  decltype(ucp_worker_create)* worker_create;
  decltype(ucp_worker_destroy)* worker_destroy;
  decltype(ucp_worker_get_address)* worker_get_address;
  decltype(ucp_worker_release_address)* worker_release_address;
  decltype(ucp_worker_get_efd)* worker_get_efd;
  decltype(ucp_worker_arm)* worker_arm;
  decltype(ucp_worker_progress)* worker_progress;
  decltype(ucp_worker_set_am_recv_handler)* worker_set_am_recv_handler;
  decltype(ucp_ep_create)* ep_create;
  decltype(ucp_ep_close_nbx)* ep_close_nbx;
  decltype(ucp_ep_print_info)* ep_print_info;
  decltype(ucp_am_send_nbx)* am_send_nbx;
  decltype(ucp_am_recv_data_nbx)* am_recv_data_nbx;
  decltype(ucp_request_check_status)* request_check_status;
  decltype(ucp_request_free)* request_free;
  decltype(ucs_status_string)* status_string;

 private:
  Ucp();
};

}  // namespace kinjo::comm::detail
