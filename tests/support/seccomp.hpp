/// A kernel that refuses a system call, as a container's profile does.
#pragma once

namespace kinjo::test {

/// From now on `number` returns `error` in this process, for good: use it in a child process. False
/// if the kernel does not let a filter be installed.
bool refuse_system_call(long number, int error);

}  // namespace kinjo::test
