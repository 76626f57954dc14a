/// Values are put and committed by each cell, collected by a fence, and got from its launcher's
/// daemon, which has them then. Where a cell does not come to the fence, the others ask for each
/// cell's: its daemon asks the other's. Neither has a deadline that all launchers keep, so both are
/// asked for by callback and given up here.
#include "comm/pmix.hpp"

#include <algorithm>
#include <condition_variable>
#include <cstdlib>
#include <cstring>
#include <mutex>
#include <thread>

#include <fmt/format.h>

#include "comm/shared_object.hpp"

#ifdef KINJO_HAVE_PMIX
#include <pmix.h>
#endif

namespace kinjo::comm::detail {

bool pmix_is_there() {
  return std::getenv("PMIX_NAMESPACE") != nullptr && std::getenv("PMIX_RANK") != nullptr;
}

#ifdef KINJO_HAVE_PMIX

namespace {

constexpr std::chrono::milliseconds kLongestPause{20};
/// How long a fence is waited for: now and then one of Open MPI 4.1 does not end though all cells
/// have come, and asking for each cell's by itself is a matter of seconds.
constexpr std::chrono::seconds kLongestFence{5};

/// The functions of libpmix that are used.
struct Pmix {
  Pmix();
  decltype(PMIx_Init)* init;
  decltype(PMIx_Finalize)* finalize;
  decltype(PMIx_Put)* put;
  decltype(PMIx_Commit)* commit;
  decltype(PMIx_Get)* get;
  decltype(PMIx_Get_nb)* get_nb;
  decltype(PMIx_Fence_nb)* fence_nb;
  decltype(PMIx_Error_string)* error_string;
};

Pmix::Pmix() {
  const SharedObject library("libpmix.so.2", "libpmix2");
  library.find("PMIx_Init", init);
  library.find("PMIx_Finalize", finalize);
  library.find("PMIx_Put", put);
  library.find("PMIx_Commit", commit);
  library.find("PMIx_Get", get);
  library.find("PMIx_Get_nb", get_nb);
  library.find("PMIx_Fence_nb", fence_nb);
  library.find("PMIx_Error_string", error_string);
}

/// What a call by callback comes to. Its owner may have gone by then, so the callback has a share.
struct Answer {
  std::mutex mutex;
  std::condition_variable changed;
  bool is_there = false;
  pmix_status_t status = PMIX_SUCCESS;
  std::vector<std::byte> value;
};

void take_answer(pmix_status_t status, pmix_value_t* value, void* holder) {
  const std::unique_ptr<std::shared_ptr<Answer>> share(
      static_cast<std::shared_ptr<Answer>*>(holder));
  Answer& answer = **share;
  const std::lock_guard lock(answer.mutex);
  answer.status = status;
  if (status == PMIX_SUCCESS && value != nullptr && value->type == PMIX_BYTE_OBJECT) {
    const auto* bytes = reinterpret_cast<const std::byte*>(value->data.bo.bytes);
    answer.value.assign(bytes, bytes + value->data.bo.size);
  }
  answer.is_there = true;
  answer.changed.notify_all();
}

void take_status(pmix_status_t status, void* holder) { take_answer(status, nullptr, holder); }

/// An attribute that is set.
pmix_info_t attribute(const char* key) {
  pmix_info_t info{};
  std::strncpy(info.key, key, sizeof(info.key) - 1);
  info.value.type = PMIX_BOOL;
  info.value.data.flag = true;
  return info;
}

class PmixExchange final : public Exchange {
 public:
  PmixExchange();
  ~PmixExchange() override { pmix_.finalize(nullptr, 0); }
  PmixExchange(const PmixExchange&) = delete;
  PmixExchange& operator=(const PmixExchange&) = delete;

  int cell() const override { return static_cast<int>(me_.rank); }
  int cells() const override { return cells_; }
  void publish(const std::string& key, std::span<const std::byte> value) override;
  void share(Clock::time_point deadline) override;
  std::vector<std::byte> fetch(int cell, const std::string& key,
                               Clock::time_point deadline) override;

 private:
  /// Calls `begin(share)`, which owns the share if it succeeds. Null if no answer has come in time.
  template <class Begin>
  std::shared_ptr<Answer> await(const Begin& begin, Clock::time_point deadline) const;
  /// One try, whose answer has come when this returns.
  std::shared_ptr<Answer> ask(int cell, const std::string& key, Clock::time_point deadline) const;
  void check(pmix_status_t status, const char* what) const {
    if (status == PMIX_SUCCESS) return;
    throw Error(Errc::system,
                fmt::format("the launcher refuses {}: {}", what, pmix_.error_string(status)));
  }
  pmix_proc_t process(pmix_rank_t rank) const {
    pmix_proc_t other = me_;
    other.rank = rank;
    return other;
  }

  Pmix pmix_;
  // Read until the answer has come.
  const pmix_info_t collect_ = attribute(PMIX_COLLECT_DATA);
  const pmix_info_t refresh_ = attribute(PMIX_GET_REFRESH_CACHE);
  pmix_proc_t me_{};
  int cells_ = 0;
  bool is_shared_ = false;  ///< by the last fence
};

PmixExchange::PmixExchange() {
  check(pmix_.init(&me_, nullptr, 0), "PMIx_Init");
  const pmix_proc_t job = process(PMIX_RANK_WILDCARD);
  pmix_value_t* size = nullptr;
  check(pmix_.get(&job, PMIX_JOB_SIZE, nullptr, 0, &size), "PMIx_Get of " PMIX_JOB_SIZE);
  cells_ = static_cast<int>(size->data.uint32);
  std::free(size);  // a plain number has nothing of its own
}

void PmixExchange::publish(const std::string& key, std::span<const std::byte> value) {
  std::vector<std::byte> bytes(value.begin(), value.end());
  pmix_value_t pinned{};
  pinned.type = PMIX_BYTE_OBJECT;
  pinned.data.bo.bytes = reinterpret_cast<char*>(bytes.data());
  pinned.data.bo.size = bytes.size();
  check(pmix_.put(PMIX_GLOBAL, key.c_str(), &pinned), "PMIx_Put");
  check(pmix_.commit(), "PMIx_Commit");
}

template <class Begin>
std::shared_ptr<Answer> PmixExchange::await(const Begin& begin, Clock::time_point deadline) const {
  const auto answer = std::make_shared<Answer>();
  auto share = std::make_unique<std::shared_ptr<Answer>>(answer);
  begin(share.get());
  share.release();  // take_answer has it
  std::unique_lock lock(answer->mutex);
  const bool is_there =
      answer->changed.wait_until(lock, deadline, [&] { return answer->is_there; });
  return is_there ? answer : nullptr;
}

void PmixExchange::share(Clock::time_point deadline) {
  // Half of the time is left to find out who is missing.
  const Clock::time_point now = Clock::now();
  const auto answer = await(
      [&](void* holder) {
        const auto status = pmix_.fence_nb(nullptr, 0, &collect_, 1, take_status, holder);
        // All had come: then nobody calls back.
        if (status == PMIX_OPERATION_SUCCEEDED) return take_status(PMIX_SUCCESS, holder);
        check(status, "PMIx_Fence_nb");
      },
      now + std::min<Clock::duration>((deadline - now) / 2, kLongestFence));
  is_shared_ = answer && answer->status == PMIX_SUCCESS;
}

std::shared_ptr<Answer> PmixExchange::ask(int cell, const std::string& key,
                                          Clock::time_point deadline) const {
  const pmix_proc_t other = process(static_cast<pmix_rank_t>(cell));
  auto answer = await(
      [&](void* holder) {
        check(pmix_.get_nb(&other, key.c_str(), &refresh_, is_shared_ ? 0 : 1, take_answer, holder),
              "PMIx_Get_nb");
      },
      deadline);
  if (!answer) throw not_come(cell);
  return answer;
}

std::vector<std::byte> PmixExchange::fetch(int cell, const std::string& key,
                                           Clock::time_point deadline) {
  // A daemon waits for the first value of a process, but of one that has published others before it
  // says at once that there is none.
  for (std::chrono::milliseconds pause(1);; pause = std::min(pause * 2, kLongestPause)) {
    const auto answer = ask(cell, key, deadline);
    if (answer->status == PMIX_SUCCESS) return answer->value;
    if (answer->status != PMIX_ERR_NOT_FOUND) check(answer->status, "PMIx_Get");
    if (Clock::now() + pause >= deadline) throw not_come(cell);
    std::this_thread::sleep_for(pause);
  }
}

}  // namespace

std::unique_ptr<Exchange> join_pmix() { return std::make_unique<PmixExchange>(); }

#else

std::unique_ptr<Exchange> join_pmix() {
  throw Error(Errc::not_supported,
              "kinjo was built without PMIx: install the package libpmix-dev and build it again");
}

#endif

}  // namespace kinjo::comm::detail
