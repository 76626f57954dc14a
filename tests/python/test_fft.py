"""kinjo.fft beside numpy.fft: the same arguments, shapes, types and numbers; and beside scipy.fft as its
backend, where SciPy is installed."""

import multiprocessing
import pickle
import threading
import warnings

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import kinjo

COMPLEX = ["fft", "ifft"]
REAL_IN = ["rfft", "ihfft"]
REAL_OUT = ["irfft", "hfft"]
ARRAYS = ["fft2", "ifft2", "fftn", "ifftn", "rfft2", "rfftn", "irfft2", "irfftn"]
NORMS = [None, "backward", "ortho", "forward"]
DTYPES = ["f4", "f8", "c8", "c16", "i4", "f2", "?", "u1"]


def numbers(shape, dtype, seed=0):
    random = np.random.default_rng(seed)
    values = random.uniform(-1, 1, shape)
    if np.dtype(dtype).kind == "c":
        values = values + 1j * random.uniform(-1, 1, shape)
    return (values * (100 if np.dtype(dtype).kind in "iu" else 1)).astype(dtype)


def assert_alike(found, expected, single):
    """Within 2 ε √log2 n of each other in the 2-norm, and of the type that goes with the input."""
    assert found.shape == expected.shape
    kind = expected.dtype.kind
    assert found.dtype == np.dtype({"c": "c8", "f": "f4"}[kind] if single else {"c": "c16", "f": "f8"}[kind])
    epsilon = 2.0**-23 if single else 2.0**-52
    most = 2 * epsilon * max(1, np.log2(max(expected.size, 2))) ** 0.5
    assert np.linalg.norm((found - expected).ravel()) <= most * np.linalg.norm(expected.ravel())


def is_single(dtype):
    return dtype in ("f2", "f4", "c8")


def expected_of(name, a, *arguments, **named):
    """numpy.fft in double precision."""
    wide = a.astype(np.complex128 if a.dtype.kind == "c" else np.float64)
    return getattr(np.fft, name)(wide, *arguments, **named)


def types_for(name):
    """What can be transformed, but float16 where that is what comes out too."""
    if name in (*REAL_OUT, "irfft2", "irfftn"):
        return [d for d in DTYPES if d != "f2"]
    return [d for d in DTYPES if name not in (*REAL_IN, "rfft2", "rfftn") or np.dtype(d).kind != "c"]


def assert_numpys(name, a, *arguments, **named):
    """Shape, type and numbers of numpy.fft, whose s may have None in it and no axes beside it."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)
        expected = getattr(np.fft, name)(a, *arguments, **named)
    found = getattr(kinjo.fft, name)(a, *arguments, **named)
    assert (found.shape, found.dtype) == (expected.shape, expected.dtype)
    np.testing.assert_allclose(found, expected, atol=1e-3 if found.dtype.itemsize < 8 else 1e-13)


@pytest.mark.parametrize("dtype", ["c8", "c16"])
@pytest.mark.parametrize("axis", [0, 1, -1])
def test_however_an_array_lies_its_lines_are_the_same(dtype, axis):
    a = numbers((6, 10), dtype)
    room = np.zeros(a.nbytes + 1, np.uint8)
    askew = room[1:].view(dtype).reshape(a.shape)
    askew[...] = a
    expected = kinjo.fft.fft(a, axis=axis)
    for same in (np.asfortranarray(a), np.repeat(a, 2, 1)[:, ::2], askew, a.astype(a.dtype.newbyteorder()),
                 a.view(np.ma.MaskedArray).data, a.tolist() if dtype == "c16" else a):
        np.testing.assert_array_equal(kinjo.fft.fft(same, axis=axis), expected)
        np.testing.assert_array_equal(kinjo.fft.fft(same, a.shape[axis], axis), expected)
    outs = (np.empty_like(a), np.empty_like(a, order="F"), np.empty((6, 20), dtype)[:, ::2], a)
    for out in outs:
        assert kinjo.fft.fft(a, axis=axis, out=out) is out
        np.testing.assert_array_equal(out, expected)


@pytest.mark.parametrize("name", [*COMPLEX, *REAL_IN, *REAL_OUT])
@settings(max_examples=80)
@given(st.lists(st.integers(2, 9), min_size=1, max_size=3), st.data())
def test_lines_are_those_of_numpy(name, shape, data):
    axis = data.draw(st.integers(-len(shape), len(shape) - 1))
    n = data.draw(st.one_of(st.none(), st.integers(1, 40)))
    norm = data.draw(st.sampled_from(NORMS))
    dtype = data.draw(st.sampled_from(types_for(name)))
    a = numbers(shape, dtype)
    assert_alike(getattr(kinjo.fft, name)(a, n, axis, norm), expected_of(name, a, n, axis, norm),
                 is_single(dtype))


@pytest.mark.parametrize("name", ARRAYS)
@settings(max_examples=60)
@given(st.lists(st.integers(2, 7), min_size=2, max_size=4), st.data())
def test_arrays_are_those_of_numpy(name, shape, data):
    ndim = len(shape)
    some = st.lists(st.integers(0, ndim - 1), min_size=1, max_size=ndim, unique=True)
    axes = (tuple(data.draw(st.permutations(range(ndim)))[:2]) if name.endswith("2")
            else data.draw(st.one_of(st.none(), some)))
    count = ndim if axes is None else len(axes)
    s = data.draw(st.one_of(st.none(), st.lists(st.integers(1, 9), min_size=count, max_size=count)))
    if s is not None and axes is None:
        axes = list(range(ndim))
    dtype = data.draw(st.sampled_from(types_for(name)))
    norm = data.draw(st.sampled_from(NORMS))
    a = numbers(shape, dtype)
    assert_alike(getattr(kinjo.fft, name)(a, s, axes, norm), expected_of(name, a, s, axes, norm),
                 is_single(dtype))


@pytest.mark.parametrize("name", ARRAYS)
@pytest.mark.parametrize("named", [
    {"axes": (0, 0)}, {"axes": (1, 1)}, {"axes": (1, -1), "s": (3, 5)}, {"axes": (0, 0), "s": (5, 2)},
    {"axes": (0, 0), "s": (2, 5)}, {"axes": (0, 1, 0), "s": (2, 3, 4)}, {"axes": (0, 0, 1), "s": (2, 3, 5)},
    {"axes": (1, 0, 0), "s": (7, 3, 2)}, {"axes": (1, 1), "s": (2, None)},
    {"axes": (1, 1), "s": (None, 3)}, {"axes": (0, 1, 0), "s": (None, 3, 2)}])
def test_an_axis_that_is_named_twice_is_transformed_twice(name, named):
    assert_numpys(name, numbers((3, 4), types_for(name)[-1]), **named)
    a = numbers((3, 4), "f8")
    expected = getattr(kinjo.fft, name)(a, **named)
    out = np.empty_like(expected)
    assert getattr(kinjo.fft, name)(a, **named, out=out) is out
    np.testing.assert_array_equal(out, expected)


@pytest.mark.parametrize("name", ARRAYS)
@pytest.mark.parametrize("s", [(3, -1), (-1, 3), (-1, -1), (3, None), np.array([2, 5]), [np.int8(2), 5]])
def test_lengths_are_read_as_numpy_reads_them(name, s):
    assert_numpys(name, numbers((3, 4), "f8"), s, (0, 1))
    assert_numpys(name, numbers((4, 3), "f8"), s, None)


def test_a_real_axis_of_one_is_left_as_long_as_it_is():
    assert_numpys("irfftn", numbers((3, 1), "c16"), (3, -1), (0, 1))


@pytest.mark.parametrize("a", [1.5, 3, np.float32(2), 1j, [1, 2], numbers((2, 3), "f4"), numbers(3, "f2")])
@pytest.mark.parametrize("name", ["fftn", "ifftn"])
def test_along_no_axes_an_array_stays_as_it_is(name, a):
    assert_numpys(name, a, axes=())
    if np.ndim(a) == 0:
        assert_numpys(name, a)


@pytest.mark.parametrize("name", [*REAL_OUT, "irfftn", "irfft2", *REAL_IN, *COMPLEX])
def test_of_float16_comes_what_numpy_makes_of_it(name):
    a = numbers((3, 4), "f2")
    assert_numpys(name, a)
    assert_numpys(name, a, norm="ortho")
    if name == "irfftn":
        assert_numpys(name, a, axes=(1,))


@pytest.mark.parametrize("n", [1, 2, 16, 127, 1000, 4096, 10007, 2**16])
@pytest.mark.parametrize("dtype", ["c8", "c16"])
def test_long_lines_are_those_of_numpy_and_come_back(n, dtype):
    a = numbers(n, dtype)
    y = kinjo.fft.fft(a)
    assert_alike(y, expected_of("fft", a), dtype == "c8")
    assert_alike(kinjo.fft.ifft(y), a.astype("c16"), dtype == "c8")


def test_slices_transposes_and_lists_are_taken():
    a = numbers((12, 10), "c16")
    for view in (a[::2], a[:, ::-1], a.T, a[3], np.asfortranarray(a), a.astype(">c16")):
        assert_alike(kinjo.fft.fft(view, axis=0), np.fft.fft(view.astype("c16"), axis=0), False)
    assert_alike(kinjo.fft.rfft([1, 2, 3]), np.fft.rfft([1, 2, 3]), False)


def test_the_input_is_left_as_it_was():
    a = numbers((6, 8), "c16")
    for name in ("fft", "fftn", "irfft", "irfftn", "hfft"):
        before = a.copy()
        getattr(kinjo.fft, name)(a)
        np.testing.assert_array_equal(a, before)
    assert kinjo.fft.fftn(a, axes=()) is not a


def test_out_is_written_and_returned():
    a = numbers((4, 6), "c16")
    expected = np.fft.fft(a)
    for out in (np.empty((4, 6), "c16"), np.empty((4, 12), "c16")[:, ::2], np.empty((6, 4), "c16").T):
        assert kinjo.fft.fft(a, out=out) is out
        assert_alike(np.ascontiguousarray(out), expected, False)
    assert kinjo.fft.fft(a, out=a) is a
    assert_alike(a, expected, False)


@pytest.mark.parametrize(("name", "a", "out"), [
    ("fft", lambda b: b[0:12], lambda b: b[1:13]),
    ("fft", lambda b: b[1:13], lambda b: b[0:12]),
    ("ifft", lambda b: b[0:12], lambda b: b[0:12]),
    ("fft", lambda b: b[0:10], lambda b: b[0:20:2]),
    ("fft", lambda b: b[11::-1], lambda b: b[0:12]),
    ("fftn", lambda b: b[0:12].reshape(3, 4), lambda b: b[1:13].reshape(3, 4)),
    ("rfft", lambda b: b.view("f8")[1:23], lambda b: b[0:12]),
    ("irfft", lambda b: b[0:12], lambda b: b.view("f8")[0:22]),
    ("rfftn", lambda b: b.view("f8")[3:21].reshape(3, 6), lambda b: b[0:12].reshape(3, 4)),
    ("irfftn", lambda b: b[0:12].reshape(3, 4), lambda b: b.view("f8")[3:21].reshape(3, 6)),
    ("ihfft", lambda b: b.view("f8")[0:6], lambda b: b[1:5]),
])
def test_out_may_lie_across_the_input(name, a, out):
    room = numbers(20, "c16")
    expected = getattr(kinjo.fft, name)(a(room).copy())
    written = out(room)
    assert getattr(kinjo.fft, name)(a(room), out=written) is written
    np.testing.assert_array_equal(written, expected)


@pytest.mark.parametrize("name", [*COMPLEX, *REAL_IN, *REAL_OUT, *ARRAYS])
def test_out_may_be_in_a_tuple_and_is_an_array_that_can_be_written(refusal, name):
    a = numbers((4, 6), "f8")
    transform = getattr(kinjo.fft, name)
    expected = transform(a)
    out = np.empty_like(expected)
    assert transform(a, out=(out,)) is out
    np.testing.assert_array_equal(out, expected)
    for other_type in ("G", ">c16") if expected.dtype.kind == "c" else ("g", ">f8"):
        other = np.zeros(out.shape, other_type)
        assert transform(a, out=other) is other
        np.testing.assert_array_equal(other, expected)
    for other in ([0] * 4, memoryview(out), (out, out), (), (None,), 3):
        assert refusal(transform, a, out=other) == (
            f"ArgumentTypeError: {name}: out is of type {type(other).__name__}: expected an array")
    for kind in ("int64", "object"):
        assert refusal(transform, a, out=np.empty(out.shape, kind)).startswith(
            f"ArgumentTypeError: {name}: out has shape {out.shape} and {kind}: expected ")
    out.flags.writeable = False
    assert refusal(transform, a, out=out) == (
        f"InvalidArgumentError: {name}: out is read-only: expected an array that can be written")


def test_frequencies_and_shifts_are_numpys():
    for name in ("fftfreq", "rfftfreq", "fftshift", "ifftshift"):
        assert getattr(kinjo.fft, name) is getattr(np.fft, name)


@pytest.mark.parametrize("workers", [1, 2, -1])
def test_workers_and_teams_compute_the_same(team, workers):
    # Of a line that fits any L2, and of many lines; a team may cut a larger line in its own way.
    for shape in (3 * 2**12, (8, 3 * 2**11)):
        a = numbers(shape, "c16")
        alone = kinjo.fft.fft(a)
        np.testing.assert_array_equal(kinjo.fft.fft(a, workers=workers), alone)
        np.testing.assert_array_equal(kinjo.fft.fft(a, team=team), alone)


@pytest.mark.parametrize("name", ["rfft", "ihfft"])
@pytest.mark.parametrize("shape", [(2, 4142), (3, 34606), (2, 30030)])
def test_several_long_real_lines_are_those_of_numpy_by_any_workers(name, shape):
    a = numbers(shape, "f8")
    np.testing.assert_allclose(getattr(kinjo.fft, name)(a, workers=2), getattr(np.fft, name)(a),
                               atol=1e-9)


def test_several_threads_transform_at_once():
    a = numbers(5000, "c16")
    expected, found = kinjo.fft.fft(a), {}
    threads = [threading.Thread(target=lambda i=i: found.update({i: kinjo.fft.fft(a, workers=1 + i % 2)}))
               for i in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    for i in range(6):
        np.testing.assert_array_equal(found[i], expected)


def transformed(n):
    return kinjo.fft.fft(np.ones(n), workers=-1)[0].real


def test_plans_are_kept_while_they_fit(monkeypatch):
    plans = kinjo.fft._Plans()
    key = lambda n: (False, False, (n,), (0,), "one", "by_n")
    first = plans.plan(key(4096), None)
    assert plans.plan(key(4096), None) is first
    monkeypatch.setattr(plans, "MOST_BYTES", 3 * first.bytes)
    for n in range(4001, 4021):
        plans.plan(key(n), None)
        assert sum(plan.bytes for plan in plans._plans.values()) == plans._bytes <= 3 * first.bytes
    assert plans.plan(key(4096), None) is not first


def test_a_forked_child_makes_its_own_team():
    assert transformed(64) == 64
    with multiprocessing.get_context("fork").Pool(1) as pool:
        assert pool.apply(transformed, (64,)) == 64


ARGUMENT, AXIS, TYPE = "InvalidArgumentError", "AxisError", "ArgumentTypeError"
REFUSALS = [
    ("fft", ([1.0],), {"n": 0}, ARGUMENT, "a transform of 0 numbers: expected 1 or more"),
    ("fft", ([1.0],), {"n": -3}, ARGUMENT, "a transform of -3 numbers: expected 1 or more"),
    ("irfft", ([1.0],), {}, ARGUMENT, "a transform of 0 numbers: expected 1 or more"),
    ("fft", ([1.0],), {"n": 4.0}, TYPE, "a length is of type float: expected an integer"),
    ("fftn", ([[1.0]],), {"s": (2.7, 3)}, TYPE, "a length is of type float: expected an integer"),
    ("irfft2", ([[1.0]],), {"s": ("2", 3)}, TYPE, "a length is of type str: expected an integer"),
    ("fftn", ([1.0],), {"s": 3}, TYPE, "s is of type int: expected a sequence"),
    ("fftn", ([1.0],), {"axes": 0}, TYPE, "axes is of type int: expected a sequence"),
    ("fft", ([1.0],), {"axis": 1}, AXIS, "axis is 1: expected one of an array with 1 dimension"),
    ("fft", (np.ones(3, "c16"),), {"axis": 0.0}, TYPE, "axis is of type float: expected an integer"),
    ("fft", (1.0,), {}, AXIS, "axis is -1: expected one of an array with 0 dimensions"),
    ("rfftn", ([[1.0]],), {"axes": (0, 2)}, AXIS, "axis is 2: expected one of an array with 2 dimensions"),
    ("rfft", ([1j],), {}, TYPE, "a is an array of complex128: expected real numbers"),
    ("rfftn", ([1j],), {}, TYPE, "a is an array of complex128: expected real numbers"),
    ("ihfft", ([1j],), {}, TYPE, "a is an array of complex128: expected real numbers"),
    ("fft", (["a"],), {}, TYPE, "a is an array of <U1: expected integers, float16 to float64, complex64 or "
                                "complex128"),
    ("fft", (np.ones(3, np.longdouble),), {}, TYPE, "a is an array of float128: expected integers, float16 "
                                                    "to float64, complex64 or complex128"),
    ("fft", ([1.0],), {"norm": "full"}, ARGUMENT, "norm is 'full': expected backward, ortho or forward"),
    ("fft", (np.ones(3, "c16"),), {"norm": ["ortho"]}, ARGUMENT,
     "norm is ['ortho']: expected backward, ortho or forward"),
    ("hfft", ([1.0],), {"norm": ["ortho"]}, ARGUMENT,
     "norm is ['ortho']: expected backward, ortho or forward"),
    ("fft", ([1.0],), {"workers": 1.5}, TYPE, "workers is of type float: expected an integer"),
    ("fft", (np.ones(3, "c16"),), {"workers": 1.0}, TYPE, "workers is of type float: expected an integer"),
    ("rfft", ([1.0],), {"team": 3}, TYPE, "team is of type int: expected a kinjo.Team"),
    ("fft2", ([[1.0]],), {"s": (1,)}, ARGUMENT, "s has 1 lengths and axes 2: expected as many"),
    ("rfftn", ([[1.0]],), {"axes": ()}, ARGUMENT, "no axes: expected at least one"),
    ("fft", ([1.0],), {"out": np.empty(2, "c16")}, ARGUMENT,
     "out has shape (2,) and complex128: expected (1,) and complex128"),
    *[(name, (np.arange(12.0),), {"s": (4, 5), "axes": None}, AXIS,
       "s has 2 lengths: expected no more than the array has dimensions, 1") for name in ARRAYS],
]


@pytest.mark.parametrize(("name", "arguments", "named", "kind", "message"), REFUSALS)
def test_what_cannot_be_transformed_is_refused_in_a_sentence(refusal, name, arguments, named, kind, message):
    assert refusal(getattr(kinjo.fft, name), *arguments, **named) == f"{kind}: {name}: {message}"


def test_errors_are_also_those_of_numpy():
    assert issubclass(kinjo.fft.AxisError, kinjo.InvalidArgumentError)
    assert issubclass(kinjo.fft.AxisError, np.exceptions.AxisError)
    assert issubclass(kinjo.fft.ArgumentTypeError, kinjo.InvalidArgumentError)
    assert issubclass(kinjo.fft.ArgumentTypeError, TypeError)
    for kind in (kinjo.fft.AxisError, kinjo.fft.ArgumentTypeError):
        again = pickle.loads(pickle.dumps(kind("a sentence")))
        assert (type(again), str(again), again.code) == (kind, "a sentence", "invalid_argument")


def test_workers_are_counted_as_scipy_counts_them(refusal, team):
    assert refusal(kinjo.fft.fft, [1.0], workers=0).startswith(
        "InvalidArgumentError: fft: workers is 0: expected -")
    assert refusal(kinjo.fft.fft, [1.0], workers=1, team=team) == (
        "InvalidArgumentError: fft: workers and team: expected one of them")


def test_every_function_of_numpy_is_there():
    assert set(np.fft.__all__) == set(kinjo.fft.__all__)


class TestBackendOfScipy:
    """Skipped where SciPy is not installed: it is no dependency of the tests."""

    @pytest.fixture
    def scipy_fft(self):
        scipy_fft = pytest.importorskip("scipy.fft", reason="SciPy is not installed")
        with scipy_fft.set_backend(kinjo.fft, only=True):
            yield scipy_fft

    @pytest.mark.parametrize("name", [*COMPLEX, *REAL_IN, *REAL_OUT, *ARRAYS])
    def test_computes_what_it_has(self, scipy_fft, name):
        a = numbers((6, 8), "f8" if name in (*REAL_IN, "rfft2", "rfftn") else "c16")
        assert_alike(getattr(scipy_fft, name)(a, workers=2, norm="ortho"),
                     expected_of(name, a, norm="ortho"), False)

    @pytest.mark.parametrize("name", ARRAYS)
    @pytest.mark.parametrize(("named", "same"), [
        ({"s": np.int64(3), "axes": None}, {"s": (3,), "axes": (-1,)}),
        ({"axes": np.int64(0)}, {"axes": (0,)}),
        ({"s": 3, "axes": 0}, {"s": (3,), "axes": (0,)}),
        ({"s": np.array([3, -1])}, {"s": (3, -1), "axes": (0, 1)})])
    def test_takes_a_number_for_a_tuple_of_one(self, scipy_fft, name, named, same):
        a = numbers((6, 8), "f8")
        np.testing.assert_array_equal(getattr(scipy_fft, name)(a, **named),
                                      getattr(kinjo.fft, name)(a, **same))

    @pytest.mark.parametrize("name", ARRAYS)
    @pytest.mark.parametrize(("named", "message"), [
        ({"axes": (0, -2)}, "axes are [0, -2]: expected each once"),
        ({"s": (None, 3)}, "s has None in it: expected integers"),
        ({"s": (2.7, 3)}, "a length is of type float: expected an integer"),
        ({"s": (4, 5, 6), "axes": None},
         "s has 3 lengths: expected no more than the array has dimensions, 2")])
    def test_refuses_what_scipy_refuses(self, scipy_fft, refusal, name, named, message):
        assert refusal(getattr(scipy_fft, name), np.ones((6, 8)), **named).endswith(f": {name}: {message}")

    def test_of_float16_comes_float32(self, scipy_fft):
        assert scipy_fft.irfft(np.ones(4, "f2")).dtype == np.float32

    def test_takes_as_many_workers_as_scipy_is_set_to(self, scipy_fft, monkeypatch):
        asked, count = [], kinjo.fft._worker_count
        monkeypatch.setattr(kinjo.fft, "_worker_count",
                            lambda name, workers: asked.append(workers) or count(name, workers))
        with scipy_fft.set_workers(2):
            scipy_fft.fftn(np.ones(4))
            scipy_fft.fftn(np.ones(4), workers=1)
        scipy_fft.fftn(np.ones(4))
        assert [workers for workers in asked if workers is not None] == [2, 1, 1]

    def test_leaves_the_rest(self, scipy_fft):
        with pytest.raises(NotImplementedError):
            scipy_fft.dct(np.ones(4))
