"""What the tests of the Python package share."""

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
