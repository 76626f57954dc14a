#include "comm/shared_object.hpp"

#include <dlfcn.h>

#include <fmt/format.h>
#include <kinjo/error.hpp>

namespace kinjo::comm::detail {

SharedObject::SharedObject(const char* name, const char* package)
    : name_(name), package_(package), handle_(dlopen(name, RTLD_NOW | RTLD_LOCAL)) {
  if (handle_ == nullptr) refuse(dlerror());
}

void* SharedObject::address(const char* name) const {
  void* const found = dlsym(handle_, name);
  if (found == nullptr) refuse(fmt::format("there is no {} in it", name));
  return found;
}

void SharedObject::refuse(const std::string& reason) const {
  throw Error(Errc::not_supported, fmt::format("cells on other hosts need {}: install the package "
                                               "{} ({})",
                                               name_, package_, reason));
}

}  // namespace kinjo::comm::detail
