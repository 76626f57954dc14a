#include "comm/ucx/handles.hpp"

#include <cstdio>
#include <cstdlib>
#include <memory>
#include <string_view>

#include <fmt/format.h>
#include <kinjo/error.hpp>

namespace kinjo::comm::detail {

namespace {

/// What UCX prints into a file, as text.
template <class Print>
std::string printed(const Print& print) {
  char* text = nullptr;
  std::size_t size = 0;
  std::FILE* const file = open_memstream(&text, &size);
  if (file == nullptr) return {};
  print(file);
  std::fclose(file);
  std::string result(text, size);
  std::free(text);
  return result;
}

/// The user's configuration, from the environment or UCX's file; what is not there is UCX's
/// default. Where the user leaves transports open, those through shared memory are left out: cells
/// of one host do not come here, and UCX would take hosts that share a kernel for one.
class Config {
 public:
  explicit Config(const Ucp& ucp) : ucp_(ucp) {
    check_ucx(ucp, ucp.config_read(nullptr, nullptr, &config_), "read its configuration");
    const std::string text = printed([&](std::FILE* file) {
      ucp.config_print(config_, file, nullptr, UCS_CONFIG_PRINT_CONFIG);
    });
    if (text.find("UCX_TLS=all\n") != std::string::npos) {
      check_ucx(ucp, ucp.config_modify(config_, "TLS", "^shm"), "choose transports");
    }
  }
  ~Config() { ucp_.config_release(config_); }
  Config(const Config&) = delete;
  Config& operator=(const Config&) = delete;
  ucp_config_t* get() const { return config_; }

 private:
  const Ucp& ucp_;
  ucp_config_t* config_ = nullptr;
};

}  // namespace

void check_ucx(const Ucp& ucp, ucs_status_t status, const char* what) {
  if (status == UCS_OK) return;
  throw Error(Errc::system, fmt::format("UCX cannot {}: {}", what, ucp.status_string(status)));
}

Worker::Worker() : ucp_(Ucp::get()) {
  const Config config(ucp_);
  ucp_params_t features{};
  features.field_mask = UCP_PARAM_FIELD_FEATURES;
  features.features = UCP_FEATURE_AM | UCP_FEATURE_WAKEUP;
  check_ucx(ucp_,
            ucp_.init_version(UCP_API_MAJOR, UCP_API_MINOR, &features, config.get(), &context_),
            "start");
  ucp_worker_params_t mode{};
  mode.field_mask = UCP_WORKER_PARAM_FIELD_THREAD_MODE;
  mode.thread_mode = UCS_THREAD_MODE_SERIALIZED;
  ucs_status_t status = ucp_.worker_create(context_, &mode, &worker_);
  if (status == UCS_OK) status = ucp_.worker_get_efd(worker_, &descriptor_);
  if (status == UCS_OK) return;
  if (worker_ != nullptr) ucp_.worker_destroy(worker_);
  ucp_.cleanup(context_);
  check_ucx(ucp_, status, "make a worker");
}

Worker::~Worker() {
  ucp_.worker_destroy(worker_);
  ucp_.cleanup(context_);
}

void Worker::receive_with(ucp_am_recv_callback_t function, void* argument) {
  ucp_am_handler_param_t handler{};
  handler.field_mask = UCP_AM_HANDLER_PARAM_FIELD_ID | UCP_AM_HANDLER_PARAM_FIELD_FLAGS |
                       UCP_AM_HANDLER_PARAM_FIELD_CB | UCP_AM_HANDLER_PARAM_FIELD_ARG;
  handler.id = 0;
  handler.flags = UCP_AM_FLAG_WHOLE_MSG;
  handler.cb = function;
  handler.arg = argument;
  check_ucx(ucp_, ucp_.worker_set_am_recv_handler(worker_, &handler), "take active messages");
}

std::vector<std::byte> Worker::address() const {
  ucp_address_t* address = nullptr;
  std::size_t size = 0;
  check_ucx(ucp_, ucp_.worker_get_address(worker_, &address, &size), "tell its address");
  const auto* bytes = reinterpret_cast<const std::byte*>(address);
  std::vector<std::byte> copy(bytes, bytes + size);
  ucp_.worker_release_address(worker_, address);
  return copy;
}

void Link::open(Worker& worker, const std::vector<std::byte>& address, ucp_err_handler_cb_t failed,
                void* argument) {
  ucp_ep_params_t parameters{};
  parameters.field_mask = UCP_EP_PARAM_FIELD_REMOTE_ADDRESS | UCP_EP_PARAM_FIELD_ERR_HANDLING_MODE |
                          UCP_EP_PARAM_FIELD_ERR_HANDLER;
  parameters.address = reinterpret_cast<const ucp_address_t*>(address.data());
  parameters.err_mode = UCP_ERR_HANDLING_MODE_PEER;
  parameters.err_handler.cb = failed;
  parameters.err_handler.arg = argument;
  check_ucx(worker.ucp(), worker.ucp().ep_create(worker.get(), &parameters, &endpoint_),
            "connect to another cell");
}

bool Link::is_tcp(Worker& worker) const {
  // There is no other question that UCX 1.13 answers.
  const std::string text =
      printed([&](std::FILE* file) { worker.ucp().ep_print_info(endpoint_, file); });
  int lanes = 0, of_tcp = 0;
  for (std::size_t at = text.find("lane["); at != std::string::npos;
       at = text.find("lane[", at + 1)) {
    const std::string_view line(text.data() + at, text.find('\n', at) - at);
    ++lanes;
    if (line.find("tcp/") != std::string_view::npos) ++of_tcp;
  }
  return lanes > 0 && of_tcp == lanes;
}

ucs_status_ptr_t Link::close(Worker& worker) {
  if (endpoint_ == nullptr) return nullptr;
  ucp_request_param_t parameters{};
  parameters.op_attr_mask = UCP_OP_ATTR_FIELD_FLAGS;
  parameters.flags = UCP_EP_CLOSE_FLAG_FORCE;
  ucs_status_ptr_t closing = worker.ucp().ep_close_nbx(endpoint_, &parameters);
  endpoint_ = nullptr;
  return UCS_PTR_IS_ERR(closing) ? nullptr : closing;
}

}  // namespace kinjo::comm::detail
