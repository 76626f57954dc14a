"""One class for each kind of fault, all kinjo.Error, each also what programs catch already."""

import pickle
import subprocess
import sys

import pytest

import kinjo

CLASSES = {
    "invalid_argument": (kinjo.InvalidArgumentError, ValueError),
    "bad_input": (kinjo.BadInputError, ValueError),
    "not_found": (kinjo.NotFoundError, LookupError),
    "not_permitted": (kinjo.NotPermittedError, PermissionError),
    "not_supported": (kinjo.NotSupportedError, OSError),
    "out_of_memory": (kinjo.OutOfMemoryError, MemoryError),
    "system": (kinjo.SystemCallError, OSError),
    "usage": (kinjo.UsageError, RuntimeError),
    "timed_out": (kinjo.WaitTimeoutError, TimeoutError),
    "cell_lost": (kinjo.CellLostError, ConnectionError),
}


@pytest.mark.parametrize("code", CLASSES)
def test_each_code_has_a_class_that_is_also_a_builtin_one(code):
    error, builtin = CLASSES[code]
    assert error.code == code
    assert issubclass(error, kinjo.Error)
    assert issubclass(error, builtin)
    assert str(error("a sentence")) == "a sentence"


@pytest.mark.parametrize("code", CLASSES)
def test_errors_can_be_sent_to_another_process(code):
    error = CLASSES[code][0]("a sentence")
    again = pickle.loads(pickle.dumps(error))
    assert type(again) is type(error)
    assert str(again) == "a sentence"


def test_a_file_that_is_not_there_is_not_found(refusal):
    assert refusal(kinjo.topology, "/no/such/file.xml").startswith("NotFoundError: ")


def test_a_thread_that_the_system_refuses_is_told_as_what_it_is():
    printed = subprocess.run([sys.executable, "-c", """
import kinjo, resource
team = kinjo.Team(kinjo.mapping("none", 2, oversubscribe=True))
with open("/proc/self/statm", encoding="ascii") as statm:
    used = int(statm.read().split()[0]) * resource.getpagesize()
resource.setrlimit(resource.RLIMIT_AS, (used + (1 << 20), resource.RLIM_INFINITY))
try:
    kinjo.paths.count("complete:5", 0, 4, team=team)
except kinjo.SystemCallError as error:
    print(error)
"""], capture_output=True, text=True, timeout=60, check=False)
    assert printed.stdout == ("cannot start a thread beside the team's: Resource temporarily unavailable "
                              "(a limit on threads or memory?)\n"), printed
