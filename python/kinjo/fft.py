"""Discrete Fourier transforms with the names and the arguments of ``numpy.fft``.

``workers=N`` computes over so many threads, ``team=`` over those of a ``kinjo.Team``; without either
the calling thread does it alone. float32 and complex64 stay in single precision. The module is also
a backend: ``scipy.fft.set_backend(kinjo.fft)``.
"""

import inspect
import os
import threading
from collections import OrderedDict
from collections.abc import Callable, Iterable, Sequence
from typing import Any, TypeAlias

import numpy as np
from numpy.fft import fftfreq, fftshift, ifftshift, rfftfreq
from numpy.typing import ArrayLike, NDArray

from kinjo._kinjo import Team, _FftPlan
from kinjo._workers import refuse as _refuse
from kinjo._workers import teams
from kinjo._workers import worker_count as _worker_count

__all__ = [
    "fft", "fft2", "fftfreq", "fftn", "fftshift", "hfft", "ifft", "ifft2", "ifftn", "ifftshift",
    "ihfft", "irfft", "irfft2", "irfftn", "rfft", "rfft2", "rfftfreq", "rfftn",
]

_Array: TypeAlias = NDArray[Any]

# What forward and backward transforms are multiplied with, by norm.
_SCALES = {
    None: ("one", "by_n"),
    "backward": ("one", "by_n"),
    "ortho": ("by_root_n", "by_root_n"),
    "forward": ("by_n", "one"),
}
_OPPOSITE = {None: "forward", "backward": "forward", "ortho": "ortho", "forward": "backward"}


class _Plans:
    """The plans of the last calls.

    Making a plan can cost more than using it, so large ones are kept too: tables and working memory of
    a sixteenth of what the machine has, in all."""

    MOST = 16                   # plans that are kept
    MOST_BYTES = os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE") // 16

    def __init__(self) -> None:
        self.clear()

    def clear(self) -> None:
        self._lock = threading.Lock()
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

    def __init__(self, function: str, norm: str | None, workers: int | None, team: Team | None):
        if norm not in _SCALES:
            raise _refuse(function, f"norm is {norm!r}: expected backward, ortho or forward")
        if team is not None and workers is not None:
            raise _refuse(function, "workers and team: expected one of them")
        self.function, self.norm, self.team = function, norm, team
        self.workers = _worker_count(function, workers)

    def numbers(self, a: ArrayLike, real: bool) -> _Array:
        """An array that can be transformed; in single precision only if it is that."""
        array = np.asarray(a)
        kind, size = array.dtype.kind, array.dtype.itemsize
        if kind not in "biufc" or (kind == "f" and size > 8) or (kind == "c" and size > 16):
            raise _refuse(self.function, f"a is an array of {array.dtype}: expected integers, "
                                         "float16 to float64, complex64 or complex128")
        if real and kind == "c":
            raise _refuse(self.function, f"a is an array of {array.dtype}: expected real numbers")
        single = (kind == "f" and size <= 4) or (kind == "c" and size == 8)
        if real:
            return array.astype(np.float32 if single else np.float64, copy=False)
        return array.astype(np.complex64 if single else np.complex128, copy=False)

    def axis(self, axis: int, ndim: int) -> int:
        if not -ndim <= axis < ndim:
            raise _refuse(self.function, f"axis is {axis}: expected one of an array with {ndim} "
                                         f"dimension{'' if ndim == 1 else 's'}")
        return axis % ndim

    def lengths(self, a: _Array, s: Sequence[int | None] | None,
                axes: Sequence[int] | None) -> tuple[list[int], list[int]]:
        """The axes to transform, and how long each is to be made; as numpy.fft reads s and axes."""
        if axes is None:
            axes = range(a.ndim) if s is None else range(a.ndim - len(s), a.ndim)
        numbers = [self.axis(axis, a.ndim) for axis in axes]
        if s is not None and len(s) != len(numbers):
            raise _refuse(self.function, f"s has {len(s)} lengths and axes {len(numbers)}: expected "
                                         "as many")
        wanted: Iterable[int | None] = [None] * len(numbers) if s is None else s
        lengths = [a.shape[axis] if n is None or n == -1 else int(n)
                   for n, axis in zip(wanted, numbers)]
        for n in lengths:
            self.length(n)
        return numbers, lengths

    def length(self, n: int) -> int:
        if n < 1:
            raise _refuse(self.function, f"a transform of {n} numbers: expected 1 or more")
        return n

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
        x = self.fitted(a, axes, lengths)
        y = self.target(out, x.shape, x.dtype)
        # An axis that is named twice is transformed twice, as numpy.fft does.
        rest = list(axes)
        while rest:
            now = sorted(set(rest))
            for axis in now:
                rest.remove(axis)
            self.run(False, forward, x, y, x.shape, now)
            x = y
        return self.result(y if axes else x.copy(), out)

    def half(self, a: _Array, axis: int, n: int, out: _Array | None = None) -> _Array:
        x = self.fitted(a, [axis], [n])
        shape = [*x.shape]
        shape[axis] = n // 2 + 1
        y = self.target(out, shape, np.complex64 if x.dtype == np.float32 else np.complex128)
        self.run(True, True, x, y, x.shape, [axis])
        return self.result(y, out)

    def whole(self, a: _Array, axis: int, n: int, out: _Array | None = None) -> _Array:
        x = self.fitted(a, [axis], [n // 2 + 1])
        shape = [*x.shape]
        shape[axis] = n
        y = self.target(out, shape, np.float32 if x.dtype == np.complex64 else np.float64)
        self.run(True, False, x, y, shape, [axis])
        return self.result(y, out)

    def target(self, out: _Array | None, shape: Sequence[int], dtype: Any) -> _Array:
        """`out` where it will do as it is, else a new array."""
        if out is None:
            return np.empty(shape, dtype)
        if out.shape != tuple(shape) or not np.can_cast(dtype, out.dtype, "same_kind"):
            raise _refuse(self.function, f"out has shape {out.shape} and {out.dtype}: expected "
                                         f"{tuple(shape)} and {np.dtype(dtype)}")
        fits = out.flags.c_contiguous and out.flags.aligned and out.dtype == dtype
        return out if fits else np.empty(shape, dtype)

    @staticmethod
    def result(y: _Array, out: _Array | None) -> _Array:
        if out is None or out is y:
            return y
        out[...] = y
        return out


_COMPLEX64, _COMPLEX128 = np.dtype(np.complex64), np.dtype(np.complex128)


def _usual(forward: bool, a: _Array, axes: Sequence[int], norm: str | None,
           out: _Array | None) -> _Array | None:
    """What `_Call.complex` does with arrays that need no change, in a third of the time; None for others.

    Nothing is refused here: who goes on from None says what is wrong."""
    dtype, shape, flags = a.dtype, a.shape, a.flags
    single = dtype is _COMPLEX64
    scales = _SCALES.get(norm)
    if not ((single or dtype is _COMPLEX128) and flags.c_contiguous and flags.aligned and scales
            and axes and 0 not in shape):
        return None
    if out is None:
        out = np.empty(shape, dtype)
    elif not (out.dtype is dtype and out.shape == shape and out.flags.carray):
        return None
    plan = _plans.plan((False, single, shape, axes, *scales), None)
    (plan.forward if forward else plan.backward)(a, out)
    return out


def _line(function: str, forward: bool, a: ArrayLike, n: int | None, axis: int, norm: str | None,
          out: _Array | None, workers: int | None, team: Team | None) -> _Array:
    if type(a) is np.ndarray and n is None and workers in (None, 1) and team is None:
        k = axis if axis >= 0 else axis + a.ndim
        usual = _usual(forward, a, (k,) if 0 <= k < a.ndim else (), norm, out)
        if usual is not None:
            return usual
    call = _Call(function, norm, workers, team)
    x = call.numbers(a, real=False)
    k = call.axis(axis, x.ndim)
    length = call.length(x.shape[k] if n is None else n)
    return call.complex(forward, x, [k], [length], out)


def _array(function: str, forward: bool, a: ArrayLike, s: Sequence[int | None] | None,
           axes: Sequence[int] | None, norm: str | None, out: _Array | None, workers: int | None,
           team: Team | None) -> _Array:
    if (type(a) is np.ndarray and s is None and axes is None and workers in (None, 1)
            and team is None):
        usual = _usual(forward, a, tuple(range(a.ndim)), norm, out)
        if usual is not None:
            return usual
    call = _Call(function, norm, workers, team)
    x = call.numbers(a, real=False)
    return call.complex(forward, x, *call.lengths(x, s, axes), out)


def fft(a: ArrayLike, n: int | None = None, axis: int = -1, norm: str | None = None,
        out: _Array | None = None, *, workers: int | None = None,
        team: Team | None = None) -> _Array:
    """The transform along one axis, as ``numpy.fft.fft``."""
    return _line("fft", True, a, n, axis, norm, out, workers, team)


def ifft(a: ArrayLike, n: int | None = None, axis: int = -1, norm: str | None = None,
         out: _Array | None = None, *, workers: int | None = None,
         team: Team | None = None) -> _Array:
    """The inverse of ``fft``."""
    return _line("ifft", False, a, n, axis, norm, out, workers, team)


def fftn(a: ArrayLike, s: Sequence[int | None] | None = None, axes: Sequence[int] | None = None,
         norm: str | None = None, out: _Array | None = None, *, workers: int | None = None,
         team: Team | None = None) -> _Array:
    """The transform along several axes, or all."""
    return _array("fftn", True, a, s, axes, norm, out, workers, team)


def ifftn(a: ArrayLike, s: Sequence[int | None] | None = None, axes: Sequence[int] | None = None,
          norm: str | None = None, out: _Array | None = None, *, workers: int | None = None,
          team: Team | None = None) -> _Array:
    """The inverse of ``fftn``."""
    return _array("ifftn", False, a, s, axes, norm, out, workers, team)


def fft2(a: ArrayLike, s: Sequence[int | None] | None = None, axes: Sequence[int] = (-2, -1),
         norm: str | None = None, out: _Array | None = None, *, workers: int | None = None,
         team: Team | None = None) -> _Array:
    """The transform along two axes."""
    return _array("fft2", True, a, s, axes, norm, out, workers, team)


def ifft2(a: ArrayLike, s: Sequence[int | None] | None = None, axes: Sequence[int] = (-2, -1),
          norm: str | None = None, out: _Array | None = None, *, workers: int | None = None,
          team: Team | None = None) -> _Array:
    """The inverse of ``fft2``."""
    return _array("ifft2", False, a, s, axes, norm, out, workers, team)


def _rfft(call: _Call, a: _Array, n: int | None, axis: int, out: _Array | None) -> _Array:
    k = call.axis(axis, a.ndim)
    return call.half(a, k, call.length(a.shape[k] if n is None else n), out)


def _irfft(call: _Call, a: _Array, n: int | None, axis: int, out: _Array | None) -> _Array:
    k = call.axis(axis, a.ndim)
    return call.whole(a, k, call.length(2 * (a.shape[k] - 1) if n is None else n), out)


def rfft(a: ArrayLike, n: int | None = None, axis: int = -1, norm: str | None = None,
         out: _Array | None = None, *, workers: int | None = None,
         team: Team | None = None) -> _Array:
    """The first n // 2 + 1 numbers of the transform of real ones."""
    call = _Call("rfft", norm, workers, team)
    return _rfft(call, call.numbers(a, real=True), n, axis, out)


def irfft(a: ArrayLike, n: int | None = None, axis: int = -1, norm: str | None = None,
          out: _Array | None = None, *, workers: int | None = None,
          team: Team | None = None) -> _Array:
    """The inverse of ``rfft``; n is the number of real numbers, 2 (m - 1) unless given."""
    call = _Call("irfft", norm, workers, team)
    return _irfft(call, call.numbers(a, real=False), n, axis, out)


def hfft(a: ArrayLike, n: int | None = None, axis: int = -1, norm: str | None = None,
         out: _Array | None = None, *, workers: int | None = None,
         team: Team | None = None) -> _Array:
    """The real spectrum of numbers of which the first half is given, the others being conjugate."""
    call = _Call("hfft", norm, workers, team)
    call.norm = _OPPOSITE[norm]
    return _irfft(call, np.conjugate(call.numbers(a, real=False)), n, axis, out)


def ihfft(a: ArrayLike, n: int | None = None, axis: int = -1, norm: str | None = None,
          out: _Array | None = None, *, workers: int | None = None,
          team: Team | None = None) -> _Array:
    """The inverse of ``hfft``."""
    call = _Call("ihfft", norm, workers, team)
    call.norm = _OPPOSITE[norm]
    y = _rfft(call, call.numbers(a, real=True), n, axis, out)
    return np.conjugate(y, out=y)


def _rfftn(call: _Call, a: ArrayLike, s: Sequence[int | None] | None, axes: Sequence[int] | None,
           out: _Array | None) -> _Array:
    x = call.numbers(a, real=True)
    numbers, lengths = call.lengths(x, s, axes)
    if not numbers:
        raise _refuse(call.function, "no axes: expected at least one")
    x = call.fitted(x, numbers[:-1], lengths[:-1])
    y = call.half(x, numbers[-1], lengths[-1], out)
    rest = numbers[:-1]
    return call.complex(True, y, rest, [y.shape[k] for k in rest], y) if rest else y


def _irfftn(call: _Call, a: ArrayLike, s: Sequence[int | None] | None,
            axes: Sequence[int] | None, out: _Array | None) -> _Array:
    x = call.numbers(a, real=False)
    numbers, lengths = call.lengths(x, s, axes)
    if not numbers:
        raise _refuse(call.function, "no axes: expected at least one")
    if s is None or s[-1] is None or s[-1] == -1:
        lengths[-1] = call.length(2 * (x.shape[numbers[-1]] - 1))
    x = call.fitted(x, numbers, [*lengths[:-1], lengths[-1] // 2 + 1])
    rest = numbers[:-1]
    if rest:
        x = call.complex(False, x, rest, [x.shape[k] for k in rest])
    return call.whole(x, numbers[-1], lengths[-1], out)


def rfftn(a: ArrayLike, s: Sequence[int | None] | None = None, axes: Sequence[int] | None = None,
          norm: str | None = None, out: _Array | None = None, *, workers: int | None = None,
          team: Team | None = None) -> _Array:
    """``rfft`` along the last of the axes, then ``fft`` along the others."""
    return _rfftn(_Call("rfftn", norm, workers, team), a, s, axes, out)


def irfftn(a: ArrayLike, s: Sequence[int | None] | None = None, axes: Sequence[int] | None = None,
           norm: str | None = None, out: _Array | None = None, *, workers: int | None = None,
           team: Team | None = None) -> _Array:
    """The inverse of ``rfftn``."""
    return _irfftn(_Call("irfftn", norm, workers, team), a, s, axes, out)


def rfft2(a: ArrayLike, s: Sequence[int | None] | None = None, axes: Sequence[int] = (-2, -1),
          norm: str | None = None, out: _Array | None = None, *, workers: int | None = None,
          team: Team | None = None) -> _Array:
    """``rfftn`` along two axes."""
    return _rfftn(_Call("rfft2", norm, workers, team), a, s, axes, out)


def irfft2(a: ArrayLike, s: Sequence[int | None] | None = None, axes: Sequence[int] = (-2, -1),
           norm: str | None = None, out: _Array | None = None, *, workers: int | None = None,
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
    a = np.asarray(given.pop("x"))
    if a.dtype.kind not in "biufc" or a.dtype.itemsize > (16 if a.dtype.kind == "c" else 8):
        return NotImplemented
    for name in ("s", "axes"):                     # scipy takes one number for a tuple of one
        if isinstance(given.get(name), int):
            given[name] = (given[name],)
    return function(a, **given)
