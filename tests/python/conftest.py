"""What the tests of the Python package share."""

import contextlib
import threading

import numpy as np
import pytest
from hypothesis import settings

import kinjo

# The same examples in every run, and no folder of those that failed.
settings.register_profile("kinjo", deadline=None, derandomize=True, database=None)
settings.load_profile("kinjo")


@pytest.fixture(scope="session")
def team():
    """Three threads, however many CPUs there are."""
    mapping = kinjo.mapping("scatter", 3, oversubscribe=True)
    with kinjo.Team(mapping) as made:
        yield made


@pytest.fixture
def others_run():
    """A context in which another thread counts; expects it to have come to do so."""

    @contextlib.contextmanager
    def counting():
        stop, count = threading.Event(), [0]

        def tick():
            while not stop.is_set():
                count[0] += 1

        ticking = threading.Thread(target=tick)
        ticking.start()
        try:
            yield
        finally:
            stop.set()
            ticking.join()
        assert count[0] > 0

    return counting


@pytest.fixture
def refusal():
    """Calls a function and returns its error's class and message in one line."""

    def call(function, *arguments, **named):
        with pytest.raises(kinjo.Error) as caught:
            function(*arguments, **named)
        return f"{type(caught.value).__name__}: {caught.value}"

    return call


@pytest.fixture
def numbers():
    """n numbers of both signs and several magnitudes."""

    def make(n, dtype=np.float64, seed=1):
        random = np.random.default_rng(seed)
        return (random.standard_normal(n) * 2.0 ** random.integers(-8, 9, n)).astype(dtype)

    return make
