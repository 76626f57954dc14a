/// Other libraries' transforms, loaded at run time: peers are no dependencies.
#pragma once

#include <dlfcn.h>

#include <cstddef>
#include <cstdio>
#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace kinjo::bench {

/// A forward transform of interleaved numbers, row-major, unscaled.
struct FftProblem {
  std::vector<std::size_t> shape;
  std::size_t threads = 1;
  void* in = nullptr;
  void* out = nullptr;  ///< `in` for one in place
  bool real = false;    ///< of one axis, to the first half of its spectrum; not in place
};

/// A library, or one of its ways of planning.
struct FftPeer {
  std::string name;
  /// Makes a plan, which may overwrite the arrays; the call that runs it. Empty if there is none.
  std::function<std::function<void()>(const FftProblem&)> plan;
};

/// What `dlopen` gives, or null and a line on standard error.
inline void* open_peer(const char* name, const std::string& path) {
  // Deep binding: each library calls its own functions, not those of the one loaded before.
  void* const library = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL | RTLD_DEEPBIND);
  if (!library) std::fprintf(stderr, "%s is left out: %s\n", name, dlerror());
  return library;
}

template <class Function>
Function peer_function(void* library, const std::string& symbol) {
  return reinterpret_cast<Function>(dlsym(library, symbol.c_str()));
}

/// FFTW 3 with threads: ESTIMATE, and MEASURE with at most `measure_seconds` for each plan (0:
/// without it). `path` is libfftw3_threads.so, for floats libfftw3f_threads.so.
template <class T>
std::vector<FftPeer> load_fftw(const std::string& path, double measure_seconds) {
  constexpr int kForward = -1;
  constexpr unsigned kMeasure = 0, kEstimate = 64;
  void* const library = open_peer("FFTW", path);
  if (!library) return {};
  const std::string prefix = sizeof(T) == 4 ? "fftwf_" : "fftw_";
  const auto init = peer_function<int (*)()>(library, prefix + "init_threads");
  const auto set_threads = peer_function<void (*)(int)>(library, prefix + "plan_with_nthreads");
  const auto limit = peer_function<void (*)(double)>(library, prefix + "set_timelimit");
  const auto make = peer_function<void* (*)(int, const int*, void*, void*, int, unsigned)>(
      library, prefix + "plan_dft");
  const auto make_real = peer_function<void* (*)(int, const int*, void*, void*, unsigned)>(
      library, prefix + "plan_dft_r2c");
  const auto run = peer_function<void (*)(void*)>(library, prefix + "execute");
  const auto drop = peer_function<void (*)(void*)>(library, prefix + "destroy_plan");
  if (!init || !set_threads || !limit || !make || !make_real || !run || !drop || init() == 0) {
    std::fprintf(stderr, "FFTW is left out: '%s' lacks functions\n", path.c_str());
    return {};
  }
  const auto planner = [=](unsigned flags) {
    return [=](const FftProblem& p) -> std::function<void()> {
      set_threads(static_cast<int>(p.threads));
      limit(measure_seconds);
      const std::vector<int> n(p.shape.begin(), p.shape.end());
      const int axes = static_cast<int>(n.size());
      void* const plan = p.real ? make_real(axes, n.data(), p.in, p.out, flags)
                                : make(axes, n.data(), p.in, p.out, kForward, flags);
      if (!plan) return {};
      return [run, held = std::shared_ptr<void>(plan, drop)] { run(held.get()); };
    };
  };
  std::vector<FftPeer> peers{{"FFTW estimate", planner(kEstimate)}};
  if (measure_seconds > 0) peers.push_back({"FFTW measure", planner(kMeasure)});
  return peers;
}

/// MKL's DFTI. `path` is libmkl_rt.so.
template <class T>
std::vector<FftPeer> load_mkl(const std::string& path) {
  constexpr int kComplex = 32, kReal = 33, kSingle = 35, kDouble = 36, kPlacement = 11,
                kNotInPlace = 44, kHalfStorage = 10, kAsComplex = 39;
  void* const library = open_peer("MKL", path);
  if (!library) return {};
  using Handle = void*;
  const auto set_threads = peer_function<void (*)(int)>(library, "MKL_Set_Num_Threads");
  const auto create =
      peer_function<long (*)(Handle*, int, int, long, ...)>(library, "DftiCreateDescriptor");
  const auto set = peer_function<long (*)(Handle, int, ...)>(library, "DftiSetValue");
  const auto commit = peer_function<long (*)(Handle)>(library, "DftiCommitDescriptor");
  const auto run = peer_function<long (*)(Handle, void*, ...)>(library, "DftiComputeForward");
  const auto drop = peer_function<long (*)(Handle*)>(library, "DftiFreeDescriptor");
  if (!set_threads || !create || !set || !commit || !run || !drop) {
    std::fprintf(stderr, "MKL is left out: '%s' lacks functions\n", path.c_str());
    return {};
  }
  const auto plan = [=](const FftProblem& p) -> std::function<void()> {
    set_threads(static_cast<int>(p.threads));
    Handle handle = nullptr;
    const int type = sizeof(T) == 4 ? kSingle : kDouble;
    const std::vector<long> n(p.shape.begin(), p.shape.end());
    const long status =
        n.size() == 1 ? create(&handle, type, p.real ? kReal : kComplex, 1, n[0])
                      : create(&handle, type, kComplex, static_cast<long>(n.size()), n.data());
    if (status != 0) return {};
    const std::shared_ptr<void> held(handle, [drop](Handle h) { drop(&h); });
    if (p.out != p.in) set(handle, kPlacement, kNotInPlace);
    if (p.real) set(handle, kHalfStorage, kAsComplex);
    if (commit(handle) != 0) return {};
    if (p.out == p.in) return [run, held, x = p.in] { run(held.get(), x); };
    return [run, held, p] { run(held.get(), p.in, p.out); };
  };
  return {{"MKL", plan}};
}

}  // namespace kinjo::bench
