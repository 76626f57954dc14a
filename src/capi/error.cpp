#include <cstdio>
#include <exception>
#include <new>
#include <stdexcept>

#include <kinjo/barrier.hpp>

#include "capi/guard.hpp"

namespace kinjo::capi {

namespace {

/// Fixed storage, since a failure for want of memory must be told too. Longer texts are cut.
struct Failure {
  int status = KINJO_OK;
  char message[1024] = "";
};
thread_local Failure last_failure;

int store(int status, const char* message) noexcept {
  last_failure.status = status;
  std::snprintf(last_failure.message, sizeof last_failure.message, "%s", message);
  return status;
}

}  // namespace

int record_failure() noexcept {
  try {
    throw;
  } catch (const Error& error) {
    return store(-static_cast<int>(error.code()), error.what());
  } catch (const FunctionFailed& failed) {
    return store(failed.status, failed.message.c_str());
  } catch (const BarrierBroken&) {
    return store(KINJO_USAGE, "the barrier is broken: another thread of the team has failed");
  } catch (const std::bad_alloc&) {
    return store(KINJO_OUT_OF_MEMORY, "not enough memory for kinjo's own tables");
  } catch (const std::length_error&) {
    return store(KINJO_OUT_OF_MEMORY,
                 "a count is larger than any memory: expected that of an array");
  } catch (const std::exception& error) {
    return store(KINJO_SYSTEM, error.what());
  } catch (...) {
    return store(KINJO_SYSTEM, "an exception that is not a std::exception");
  }
}

void forget_failure() noexcept { store(KINJO_OK, ""); }

std::size_t need_index(int index, std::size_t count, const char* what) {
  if (index < 0 || static_cast<std::size_t>(index) >= count) {
    throw Error(Errc::not_found,
                fmt::format("no {} {}: there are {}, counted from 0", what, index, count));
  }
  return static_cast<std::size_t>(index);
}

void need_flags(unsigned flags, unsigned accepted) {
  if (const unsigned wrong = flags & ~accepted) {
    throw Error(
        Errc::invalid_argument,
        fmt::format("flag {:#x} has no meaning here: expected flags of {:#x}", wrong, accepted));
  }
}

}  // namespace kinjo::capi

int kinjo_last_status(void) { return kinjo::capi::last_failure.status; }

const char* kinjo_last_error(void) { return kinjo::capi::last_failure.message; }

static_assert(KINJO_INVALID_ARGUMENT == -static_cast<int>(kinjo::Errc::invalid_argument));
static_assert(KINJO_BAD_INPUT == -static_cast<int>(kinjo::Errc::bad_input));
static_assert(KINJO_NOT_FOUND == -static_cast<int>(kinjo::Errc::not_found));
static_assert(KINJO_NOT_PERMITTED == -static_cast<int>(kinjo::Errc::not_permitted));
static_assert(KINJO_NOT_SUPPORTED == -static_cast<int>(kinjo::Errc::not_supported));
static_assert(KINJO_OUT_OF_MEMORY == -static_cast<int>(kinjo::Errc::out_of_memory));
static_assert(KINJO_SYSTEM == -static_cast<int>(kinjo::Errc::system));
static_assert(KINJO_USAGE == -static_cast<int>(kinjo::Errc::usage));
static_assert(KINJO_TIMED_OUT == -static_cast<int>(kinjo::Errc::timed_out));
static_assert(KINJO_CELL_LOST == -static_cast<int>(kinjo::Errc::cell_lost));

const char* kinjo_status_name(int status) {
  if (status >= 0) return "ok";
  if (status < KINJO_CELL_LOST) return "unknown";
  return kinjo::to_string(static_cast<kinjo::Errc>(-status));
}

const char* kinjo_version(void) { return KINJO_VERSION; }
