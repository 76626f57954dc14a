"""How a run ends when it is not the command's own end: one exit status and one line each."""

USAGE = 2  # unknown shape, bad option, missing file
SKIP = 77  # QEMU or the kernel is not here: a test harness reads 77 as "skipped"
NO_STATUS = 120  # the machine went away without saying how the command ended
PANIC = 121  # the guest's kernel panicked
CRASH = 122  # QEMU died or would not start
COUNTER = 123  # the access counter cannot be built, or its figures cannot be trusted
TIME_LIMIT = 124  # as timeout(1)
NOT_FOUND = 127  # as sh(1)


class Failure(Exception):
    """An end with a status of its own; the message is what the user reads."""

    def __init__(self, status, message):
        super().__init__(message)
        self.status = status
