/// Libraries that are looked for when they are needed, so that who does without pays nothing.
#pragma once

#include <string>
#include <vector>

namespace kinjo::comm::detail {

/// An opened library; stays open until the process ends, because such libraries start threads.
class SharedObject {
 public:
  /// Throws `Error` (`not_supported`): "cells on other hosts need libucp.so.0: install the package
  /// libucx0 (REASON)".
  SharedObject(const char* name, const char* package);

  /// Sets `function` to what is called `name` there. Throws as above.
  template <class F>
  void find(const char* name, F*& function) const {
    function = reinterpret_cast<F*>(address(name));
  }

 private:
  void* address(const char* name) const;
  [[noreturn]] void refuse(const std::string& reason) const;

  const char* name_;
  const char* package_;
  void* handle_;
};

}  // namespace kinjo::comm::detail
