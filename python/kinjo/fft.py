"""Discrete Fourier transforms with the names and the arguments of ``numpy.fft``.

``workers=N`` computes over so many threads, ``team=`` over those of a ``kinjo.Team``; without either
the calling thread does it alone. float32 and complex64 stay in single precision. The module is also
a backend: ``scipy.fft.set_backend(kinjo.fft)``.
"""

import inspect
import operator
import os
import sys
import threading
from collections import OrderedDict
from collections.abc import Callable, Sequence
from numbers import Number
from typing import Any, Literal, SupportsIndex, TypeAlias

import numpy as np
from numpy.fft import fftfreq, fftshift, ifftshift, rfftfreq
from numpy.typing import ArrayLike, NDArray

from kinjo._kinjo import InvalidArgumentError, Team, _FftPlan
from kinjo._workers import refuse as _refuse
from kinjo._workers import teams
from kinjo._workers import worker_count as _worker_count

__all__ = [
    "fft", "fft2", "fftfreq", "fftn", "fftshift", "hfft", "ifft", "ifft2", "ifftn", "ifftshift",
    "ihfft", "irfft", "irfft2", "irfftn", "rfft", "rfft2", "rfftfreq", "rfftn",
]

_Array: TypeAlias = NDArray[Any]
_Out: TypeAlias = _Array | tuple[_Array] | None     # as numpy's ufuncs take it
_Count: TypeAlias = SupportsIndex | None
_Lengths: TypeAlias = Sequence[SupportsIndex | None] | None
_Axes: TypeAlias = Sequence[SupportsIndex]

# What forward and backward transforms are multiplied with, by norm.
_SCALES = {
    None: ("one", "by_n"),
    "backward": ("one", "by_n"),
    "ortho": ("by_root_n", "by_root_n"),
    "forward": ("by_n", "one"),
}
_OPPOSITE = {None: "forward", "backward": "forward", "ortho": "ortho", "forward": "backward"}


class AxisError(InvalidArgumentError, np.exceptions.AxisError):
    """An array does not have that axis; numpy's class of the name is caught too."""


class ArgumentTypeError(InvalidArgumentError, TypeError):
    """An argument is of a wrong type."""


def _scales(norm: Any) -> tuple[str, str] | None:
    try:
        return _SCALES.get(norm)
    except TypeError:           # a list cannot be looked up
        return None


class _Plans:
    """The plans of the last calls.

    Making a plan can cost more than using it, so large ones are kept too: tables and working memory of
    a sixteenth of what the machine has, in all."""

    MOST = 16                   # plans that are kept
    MOST_BYTES = os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE") // 16

    def __init__(self) -> None:
        self.clear()

    def clear(self) -> None:
        self._lock = threading.RLock()
        self._bytes = 0
        self._plans: OrderedDict[tuple[Any, ...], _FftPlan] = OrderedDict()

    def plan(self, key: tuple[Any, ...], team: Team | None) -> _FftPlan:
        wanted = (*key, team)
        with self._lock:
            kept = self._plans.get(wanted)
            if kept is not None:
                self._plans.move_to_end(wanted)
                return kept
        made = _FftPlan(*wanted)
        # Of a caller's own team nothing is kept: it may be closed.
        if (team is None or teams.owns(team)) and made.bytes <= self.MOST_BYTES:
            self._keep(wanted, made)
        return made

    def _keep(self, key: tuple[Any, ...], made: _FftPlan) -> None:
        with self._lock:
            if (other := self._plans.pop(key, None)) is not None:    # of another thread, meanwhile
                self._bytes -= other.bytes
            self._plans[key] = made
            self._bytes += made.bytes
            while len(self._plans) > self.MOST or self._bytes > self.MOST_BYTES:
                self._bytes -= self._plans.popitem(last=False)[1].bytes


_plans = _Plans()
os.register_at_fork(after_in_child=_plans.clear)    # as their teams are, see _workers.py


class _Call:
    """One call of a public function: its name for messages, its scaling, and who computes."""

    def __init__(self, function: str, norm: str | None, workers: _Count, team: Team | None):
        if _scales(norm) is None:
            raise _refuse(function, f"norm is {norm!r}: expected backward, ortho or forward")
        if team is not None and workers is not None:
            raise _refuse(function, "workers and team: expected one of them")
        self.function, self.norm, self.team = function, norm, team
        if not (team is None or isinstance(team, Team)):
            raise self.expected("a kinjo.Team", "team", team)
        self.workers = _worker_count(
            function, None if workers is None else self.integer("workers", workers))

    def wrong_type(self, text: str) -> ArgumentTypeError:
        return ArgumentTypeError(f"{self.function}: {text}")

    def expected(self, wanted: str, name: str, value: Any) -> ArgumentTypeError:
        return self.wrong_type(f"{name} is of type {type(value).__name__}: expected {wanted}")

    def integer(self, name: str, value: Any) -> int:
        try:
            return operator.index(value)
        except TypeError:
            raise self.expected("an integer", name, value) from None

    def several(self, name: str, values: Any) -> list[Any]:
        try:
            return list(values)
        except TypeError:
            raise self.expected("a sequence", name, values) from None

    def numbers(self, a: ArrayLike, real: bool) -> _Array:
        """An array that can be transformed; in single precision only if it is that."""
        array = np.asarray(a)
        kind, size = array.dtype.kind, array.dtype.itemsize
        if kind not in "biufc" or (kind == "f" and size > 8) or (kind == "c" and size > 16):
            raise self.wrong_type(f"a is an array of {array.dtype}: expected integers, float16 to "
                                  "float64, complex64 or complex128")
        if real and kind == "c":
            raise self.wrong_type(f"a is an array of {array.dtype}: expected real numbers")
        self.narrow = kind == "f" and size == 2         # in either order of bytes
        single = (kind == "f" and size <= 4) or (kind == "c" and size == 8)
        if real:
            return array.astype(np.float32 if single else np.float64, copy=False)
        return array.astype(np.complex64 if single else np.complex128, copy=False)

    def axis(self, axis: Any, ndim: int) -> int:
        k = self.integer("axis", axis)
        if not -ndim <= k < ndim:
            raise AxisError(f"{self.function}: axis is {k}: expected one of an array with {ndim} "
                            f"dimension{'' if ndim == 1 else 's'}")
        return k % ndim

    def axes(self, axes: Any, ndim: int) -> list[int]:
        return [self.axis(axis, ndim) for axis in self.several("axes", axes)]

    def lengths(self, a: _Array, s: _Lengths, axes: _Axes | None,
                first: Literal["last", "half", "all"] = "last") -> tuple[list[int], list[int]]:
        """The axes to transform, and how long each is to be made; as numpy.fft reads s and axes.

        None in s is the length that an axis has when its turn comes. One that is there twice was made another
        by then: the last one comes first, or half of its spectrum; or all are as the array is."""
        wanted = None if s is None else self.several("s", s)
        if axes is not None:
            numbers = self.axes(axes, a.ndim)
        elif wanted is None:
            numbers = list(range(a.ndim))
        elif len(wanted) <= a.ndim:
            numbers = list(range(a.ndim - len(wanted), a.ndim))
        else:
            raise AxisError(f"{self.function}: s has {len(wanted)} lengths: expected no more than "
                            f"the array has dimensions, {a.ndim}")
        if wanted is not None and len(wanted) != len(numbers):
            raise _refuse(self.function, f"s has {len(wanted)} lengths and axes {len(numbers)}: "
                                         "expected as many")
        now, lengths = list(a.shape), [0] * len(numbers)
        for i, axis in reversed(list(enumerate(numbers))):
            is_now = wanted is not None and wanted[i] is None
            n = None if wanted is None or is_now or wanted[i] == -1 else wanted[i]
            lengths[i] = self.length(n, now[axis] if is_now else a.shape[axis])
            if first != "all":
                is_half = first == "half" and i == len(numbers) - 1
                now[axis] = lengths[i] // 2 + 1 if is_half else lengths[i]
        return numbers, lengths

    def length(self, n: Any, usual: int) -> int:
        length = usual if n is None else self.integer("a length", n)
        if length < 1:
            raise _refuse(self.function, f"a transform of {length} numbers: expected 1 or more")
        return length

    def fitted(self, a: _Array, axes: Sequence[int], lengths: Sequence[int]) -> _Array:
        """Cut off, or with zeros behind, and contiguous."""
        shape = list(a.shape)
        for axis, n in zip(axes, lengths):
            shape[axis] = n
        if tuple(shape) == a.shape:
            fits = a.flags.c_contiguous and a.flags.aligned
            return a if fits else np.require(a, requirements=["C", "A"])
        part = tuple(slice(min(old, new)) for old, new in zip(a.shape, shape))
        padded = np.zeros(shape, a.dtype)
        padded[part] = a[part]
        return padded

    def run(self, real: bool, forward: bool, a: _Array, out: _Array, shape: Sequence[int],
            axes: Sequence[int]) -> None:
        """From a to out, both contiguous; `shape` is that of the real array, or of both."""
        if out.size == 0:
            return
        key = (real, a.dtype.itemsize == (8 if a.dtype.kind == "c" else 4), tuple(shape),
               tuple(sorted(axes)), *_SCALES[self.norm])
        if self.workers > 1:
            team, lock = teams.team(self.workers)
            with lock:
                self.call(_plans.plan(key, team), forward, a, out)
        else:
            self.call(_plans.plan(key, self.team), forward, a, out)

    @staticmethod
    def call(plan: _FftPlan, forward: bool, a: _Array, out: _Array) -> None:
        (plan.forward if forward else plan.backward)(a, out)

    def complex(self, forward: bool, a: _Array, axes: Sequence[int], lengths: Sequence[int],
                out: _Array | None = None) -> _Array:
        if _has_twice(axes):        # one after the other, as numpy.fft does: the first comes last
            a = self.complex(forward, a, axes[1:], lengths[1:])
            axes, lengths = axes[:1], lengths[:1]
        x = self.fitted(a, axes, lengths)
        y = self.target(out, x, x.shape, x.dtype)
        if axes:
            self.run(False, forward, x, y, x.shape, axes)
        else:
            y[...] = x
        return self.result(y, out)

    def half(self, a: _Array, axis: int, n: int, out: _Array | None = None,
             rest: Sequence[int] = (), lengths: Sequence[int] = ()) -> _Array:
        """Along `axis`, and then along the rest of the axes."""
        x = self.fitted(a, [axis], [n])
        shape = [*x.shape]
        shape[axis] = n // 2 + 1
        y = self.target(out, x, shape, np.complex64 if x.dtype == np.float32 else np.complex128)
        self.run(True, True, x, y, x.shape, [axis])
        if rest:
            self.complex(True, y, rest, lengths, y)
        return self.result(y, out)

    def whole(self, a: _Array, axis: int, n: int, out: _Array | None = None) -> _Array:
        x = self.fitted(a, [axis], [n // 2 + 1])
        shape = [*x.shape]
        shape[axis] = n
        y = self.target(out, x, shape, np.float32 if x.dtype == np.complex64 else np.float64)
        self.run(True, False, x, y, shape, [axis])
        return self.result(y, out)

    def given(self, out: _Out) -> _Array | None:
        """The array that `out` is, or that is alone in it."""
        if out is None:
            return None
        array: Any = out[0] if isinstance(out, tuple) and len(out) == 1 else out
        if isinstance(array, np.ndarray):
            return array
        raise self.expected("an array", "out", out)

    def target(self, out: _Array | None, x: _Array, shape: Sequence[int], dtype: Any) -> _Array:
        """`out` where what is made of x can go there directly, else a new array."""
        if out is None:
            return np.empty(shape, dtype)
        converts = out.dtype.kind in "fc" and np.can_cast(dtype, out.dtype, "same_kind")
        if out.shape != tuple(shape) or not converts:
            text = (f"out has shape {out.shape} and {out.dtype}: expected {tuple(shape)} and "
                    f"{np.dtype(dtype)}")
            raise _refuse(self.function, text) if converts else self.wrong_type(text)
        if not out.flags.writeable:
            raise _refuse(self.function, "out is read-only: expected an array that can be written")
        fits = out.flags.carray and out.dtype == dtype and _is_apart(x, out)
        return out if fits else np.empty(shape, dtype)

    @staticmethod
    def result(y: _Array, out: _Array | None) -> _Array:
        if out is None or out is y:
            return y
        out[...] = y
        return out

    def narrowed(self, y: _Array, out: _Array | None) -> _Array:
        """float16 where it was that, as numpy.fft returns real numbers."""
        return y.astype(np.float16) if self.narrow and out is None else y


def _has_twice(axes: Sequence[int]) -> bool:
    return len(set(axes)) < len(axes)


def _is_apart(x: _Array, out: _Array) -> bool:
    """Whether a plan takes these two contiguous arrays: none overlaps another but itself."""
    if x is out or (x.flags.owndata and out.flags.owndata):     # asked first: it is the quicker
        return True
    if not np.may_share_memory(x, out):
        return True
    return (x.dtype == out.dtype and x.shape == out.shape
            and x.__array_interface__["data"] == out.__array_interface__["data"])


_FLOAT32, _FLOAT64 = np.dtype(np.float32), np.dtype(np.float64)
_COMPLEX64, _COMPLEX128 = np.dtype(np.complex64), np.dtype(np.complex128)


def _usual(forward: bool, a: _Array, axes: Sequence[int], norm: str | None,
           out: _Out) -> _Array | None:
    """What `_Call.complex` does with arrays that need no change, in a third of the time; None for others.

    Nothing is refused here: who goes on from None says what is wrong."""
    dtype, shape, flags = a.dtype, a.shape, a.flags
    single = dtype is _COMPLEX64
    scales = _scales(norm)
    if not ((single or dtype is _COMPLEX128) and flags.c_contiguous and flags.aligned and scales
            and axes and 0 not in shape):
        return None
    if out is None:
        out = np.empty(shape, dtype)
    elif not (type(out) is np.ndarray and out.dtype is dtype and out.shape == shape
              and out.flags.carray and _is_apart(a, out)):
        return None
    plan = _plans.plan((False, single, shape, axes, *scales), None)
    (plan.forward if forward else plan.backward)(a, out)
    return out


def _usual_half(forward: bool, a: ArrayLike, axis: Any, norm: str | None) -> _Array | None:
    """The same for `_Call.half` and `_Call.whole` of all of an axis, without `out`."""
    if not (type(a) is np.ndarray and type(axis) is int):
        return None
    dtype, shape, flags = a.dtype, a.shape, a.flags
    single = dtype is (_FLOAT32 if forward else _COMPLEX64)
    double = dtype is (_FLOAT64 if forward else _COMPLEX128)
    scales = _scales(norm)
    k = axis if axis >= 0 else axis + a.ndim
    if not ((single or double) and flags.c_contiguous and flags.aligned and scales and 0 <= k < a.ndim
            and 0 not in shape):
        return None
    length = shape[k] // 2 + 1 if forward else 2 * (shape[k] - 1)
    if length == 0:
        return None
    result = (*shape[:k], length, *shape[k + 1:])
    plan = _plans.plan((True, single, shape if forward else result, (k,), *scales), None)
    if forward:
        y: _Array = np.empty(result, _COMPLEX64 if single else _COMPLEX128)
        plan.forward(a, y)
    else:
        y = np.empty(result, _FLOAT32 if single else _FLOAT64)
        plan.backward(a, y)
    return y


def _is_alone(workers: Any) -> bool:
    return workers is None or (type(workers) is int and workers == 1)


def _line(function: str, forward: bool, a: ArrayLike, n: _Count, axis: SupportsIndex, norm: str | None,
          out: _Out, workers: _Count, team: Team | None) -> _Array:
    if (type(a) is np.ndarray and n is None and type(axis) is int and _is_alone(workers)
            and team is None):
        k = axis if axis >= 0 else axis + a.ndim
        usual = _usual(forward, a, (k,) if 0 <= k < a.ndim else (), norm, out)
        if usual is not None:
            return usual
    call = _Call(function, norm, workers, team)
    x = call.numbers(a, real=False)
    k = call.axis(axis, x.ndim)
    return call.complex(forward, x, [k], [call.length(n, x.shape[k])], call.given(out))


def _array(function: str, forward: bool, a: ArrayLike, s: _Lengths,
           axes: _Axes | None, norm: str | None, out: _Out, workers: _Count,
           team: Team | None) -> _Array:
    if (type(a) is np.ndarray and s is None and axes is None and _is_alone(workers)
            and team is None):
        usual = _usual(forward, a, tuple(range(a.ndim)), norm, out)
        if usual is not None:
            return usual
    call = _Call(function, norm, workers, team)
    x = call.numbers(a, real=False)
    numbers, lengths = call.lengths(x, s, axes)
    array = call.given(out)
    if array is None and not numbers:
        return np.array(a)              # as it is, integers too
    return call.complex(forward, x, numbers, lengths, array)


def fft(a: ArrayLike, n: _Count = None, axis: SupportsIndex = -1, norm: str | None = None,
        out: _Out = None, *, workers: _Count = None,
        team: Team | None = None) -> _Array:
    """The transform along one axis, as ``numpy.fft.fft``."""
    return _line("fft", True, a, n, axis, norm, out, workers, team)


def ifft(a: ArrayLike, n: _Count = None, axis: SupportsIndex = -1, norm: str | None = None,
         out: _Out = None, *, workers: _Count = None,
         team: Team | None = None) -> _Array:
    """The inverse of ``fft``."""
    return _line("ifft", False, a, n, axis, norm, out, workers, team)


def fftn(a: ArrayLike, s: _Lengths = None, axes: _Axes | None = None,
         norm: str | None = None, out: _Out = None, *, workers: _Count = None,
         team: Team | None = None) -> _Array:
    """The transform along several axes, or all."""
    return _array("fftn", True, a, s, axes, norm, out, workers, team)


def ifftn(a: ArrayLike, s: _Lengths = None, axes: _Axes | None = None,
          norm: str | None = None, out: _Out = None, *, workers: _Count = None,
          team: Team | None = None) -> _Array:
    """The inverse of ``fftn``."""
    return _array("ifftn", False, a, s, axes, norm, out, workers, team)


def fft2(a: ArrayLike, s: _Lengths = None, axes: _Axes = (-2, -1),
         norm: str | None = None, out: _Out = None, *, workers: _Count = None,
         team: Team | None = None) -> _Array:
    """The transform along two axes."""
    return _array("fft2", True, a, s, axes, norm, out, workers, team)


def ifft2(a: ArrayLike, s: _Lengths = None, axes: _Axes = (-2, -1),
          norm: str | None = None, out: _Out = None, *, workers: _Count = None,
          team: Team | None = None) -> _Array:
    """The inverse of ``fft2``."""
    return _array("ifft2", False, a, s, axes, norm, out, workers, team)


def _rfft(call: _Call, a: _Array, n: _Count, axis: SupportsIndex, out: _Out) -> _Array:
    k = call.axis(axis, a.ndim)
    return call.half(a, k, call.length(n, a.shape[k]), call.given(out))


def _irfft(call: _Call, a: _Array, n: _Count, axis: SupportsIndex, out: _Out) -> _Array:
    k, array = call.axis(axis, a.ndim), call.given(out)
    return call.narrowed(call.whole(a, k, call.length(n, 2 * (a.shape[k] - 1)), array), array)


def rfft(a: ArrayLike, n: _Count = None, axis: SupportsIndex = -1, norm: str | None = None,
         out: _Out = None, *, workers: _Count = None,
         team: Team | None = None) -> _Array:
    """The first n // 2 + 1 numbers of the transform of real ones."""
    if n is None and out is None and _is_alone(workers) and team is None:
        usual = _usual_half(True, a, axis, norm)
        if usual is not None:
            return usual
    call = _Call("rfft", norm, workers, team)
    return _rfft(call, call.numbers(a, real=True), n, axis, out)


def irfft(a: ArrayLike, n: _Count = None, axis: SupportsIndex = -1, norm: str | None = None,
          out: _Out = None, *, workers: _Count = None,
          team: Team | None = None) -> _Array:
    """The inverse of ``rfft``; n is the number of real numbers, 2 (m - 1) unless given."""
    if n is None and out is None and _is_alone(workers) and team is None:
        usual = _usual_half(False, a, axis, norm)
        if usual is not None:
            return usual
    call = _Call("irfft", norm, workers, team)
    return _irfft(call, call.numbers(a, real=False), n, axis, out)


def hfft(a: ArrayLike, n: _Count = None, axis: SupportsIndex = -1, norm: str | None = None,
         out: _Out = None, *, workers: _Count = None,
         team: Team | None = None) -> _Array:
    """The real spectrum of numbers of which the first half is given, the others being conjugate."""
    call = _Call("hfft", norm, workers, team)
    call.norm = _OPPOSITE[norm]
    return _irfft(call, np.conjugate(call.numbers(a, real=False)), n, axis, out)


def ihfft(a: ArrayLike, n: _Count = None, axis: SupportsIndex = -1, norm: str | None = None,
          out: _Out = None, *, workers: _Count = None,
          team: Team | None = None) -> _Array:
    """The inverse of ``hfft``."""
    call = _Call("ihfft", norm, workers, team)
    call.norm = _OPPOSITE[norm]
    y = _rfft(call, call.numbers(a, real=True), n, axis, out)
    return np.conjugate(y, out=y)


def _rfftn(call: _Call, a: ArrayLike, s: _Lengths, axes: _Axes | None,
           out: _Out) -> _Array:
    x = call.numbers(a, real=True)
    numbers, lengths = call.lengths(x, s, axes, "half")
    if not numbers:
        raise _refuse(call.function, "no axes: expected at least one")
    *rest, last = numbers
    array = call.given(out)
    if _has_twice(numbers):
        return call.complex(True, call.half(x, last, lengths[-1]), rest, lengths[:-1], array)
    return call.half(call.fitted(x, rest, lengths[:-1]), last, lengths[-1], array, rest,
                     lengths[:-1])


def _irfftn(call: _Call, a: ArrayLike, s: _Lengths,
            axes: _Axes | None, out: _Out) -> _Array:
    x = call.numbers(a, real=False)
    s = None if s is None else call.several("s", s)
    numbers, lengths = call.lengths(x, s, axes, "all")
    if not numbers:
        raise _refuse(call.function, "no axes: expected at least one")
    *rest, last = numbers
    if s is None or s[-1] is None:
        lengths[-1] = call.length(None, 2 * (x.shape[last] - 1))
    if not _has_twice(numbers):
        x = call.fitted(x, numbers, [*lengths[:-1], lengths[-1] // 2 + 1])
    if rest:            # here the last of them comes last
        x = call.complex(False, x, rest[::-1], lengths[-2::-1])
        if s is not None and s[-1] is None:     # of an axis that is there twice, what it is now
            lengths[-1] = call.length(None, 2 * (x.shape[last] - 1))
    array = call.given(out)
    y = call.whole(x, last, lengths[-1], array)
    return y if rest else call.narrowed(y, array)


def rfftn(a: ArrayLike, s: _Lengths = None, axes: _Axes | None = None,
          norm: str | None = None, out: _Out = None, *, workers: _Count = None,
          team: Team | None = None) -> _Array:
    """``rfft`` along the last of the axes, then ``fft`` along the others."""
    return _rfftn(_Call("rfftn", norm, workers, team), a, s, axes, out)


def irfftn(a: ArrayLike, s: _Lengths = None, axes: _Axes | None = None,
           norm: str | None = None, out: _Out = None, *, workers: _Count = None,
           team: Team | None = None) -> _Array:
    """The inverse of ``rfftn``."""
    return _irfftn(_Call("irfftn", norm, workers, team), a, s, axes, out)


def rfft2(a: ArrayLike, s: _Lengths = None, axes: _Axes = (-2, -1),
          norm: str | None = None, out: _Out = None, *, workers: _Count = None,
          team: Team | None = None) -> _Array:
    """``rfftn`` along two axes."""
    return _rfftn(_Call("rfft2", norm, workers, team), a, s, axes, out)


def irfft2(a: ArrayLike, s: _Lengths = None, axes: _Axes = (-2, -1),
           norm: str | None = None, out: _Out = None, *, workers: _Count = None,
           team: Team | None = None) -> _Array:
    """The inverse of ``rfft2``."""
    return _irfftn(_Call("irfft2", norm, workers, team), a, s, axes, out)


# scipy.fft.set_backend(kinjo.fft): uarray's protocol.
__ua_domain__ = "numpy.scipy.fft"

_BACKEND: dict[str, Callable[..., _Array]] = {
    function.__name__: function
    for function in (fft, ifft, fft2, ifft2, fftn, ifftn, rfft, irfft, rfft2, irfft2, rfftn, irfftn,
                     hfft, ihfft)
}


def __ua_function__(method: Callable[..., Any], args: Sequence[Any], kwargs: dict[str, Any]) -> Any:
    """What scipy.fft's function would return, or NotImplemented for what kinjo does not have."""
    function = _BACKEND.get(method.__name__)
    if function is None:
        return NotImplemented
    given = inspect.signature(method).bind(*args, **kwargs).arguments
    if given.pop("plan", None) is not None:
        return NotImplemented
    given.pop("overwrite_x", None)
    if given.get("workers") is None:               # scipy.fft.set_workers(N)
        given["workers"] = sys.modules["scipy.fft"].get_workers()
    a = np.asarray(given.pop("x"))
    if a.dtype.kind not in "biufc" or a.dtype.itemsize > (16 if a.dtype.kind == "c" else 8):
        return NotImplemented
    call = _Call(method.__name__, None, None, None)
    for name in ("s", "axes"):                     # scipy takes one number for a tuple of one
        if (value := given.get(name)) is not None:
            given[name] = [value] if isinstance(value, Number) else call.several(name, value)
    _refuse_numpys(call, a.ndim, **given)
    if a.dtype == np.float16:                      # of which numpy makes float16
        a = a.astype(np.float32)
    return function(a, **given)


def _refuse_numpys(call: _Call, ndim: int, s: list[Any] | None = None,
                   axes: list[Any] | None = None, **_: Any) -> None:
    """What numpy.fft takes and scipy.fft does not."""
    if s is not None and any(n is None for n in s):
        raise _refuse(call.function, "s has None in it: expected integers")
    if axes is not None and _has_twice(call.axes(axes, ndim)):
        raise _refuse(call.function, f"axes are {axes}: expected each once")
