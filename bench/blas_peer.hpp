/// Another BLAS, loaded at run time: peers are no dependencies.
#pragma once

#include <dlfcn.h>

#include <cstddef>
#include <cstdio>
#include <string>
#include <utility>
#include <vector>

#include "race.hpp"

namespace kinjo::bench {

/// The functions of one library, in CBLAS's form with 32-bit integers; null where it has none.
struct BlasPeer {
  std::string name;
  double (*sum)(int, const double*, int) = nullptr;
  double (*asum)(int, const double*, int) = nullptr;
  double (*nrm2)(int, const double*, int) = nullptr;
  double (*dot)(int, const double*, int, const double*, int) = nullptr;
  void (*axpy)(int, double, const double*, int, double*, int) = nullptr;
  void (*scal)(int, double, double*, int) = nullptr;
  void (*copy)(int, const double*, int, double*, int) = nullptr;
  std::size_t (*iamax)(int, const double*, int) = nullptr;
  void (*dgemm)(int, int, int, int, int, int, double, const double*, int, const double*, int,
                double, double*, int) = nullptr;
  void (*sgemm)(int, int, int, int, int, int, float, const float*, int, const float*, int, float,
                float*, int) = nullptr;
  void (*set_threads)(int) = nullptr;
};

/// Loads `path`, and takes `set_threads` by the name of `setter`. Says on standard error why it
/// could not; then the peer has no functions.
inline BlasPeer load_peer(std::string name, const std::string& path, const char* setter) {
  BlasPeer peer{std::move(name)};
  // Deep binding: each library calls its own functions, not those of the one loaded before.
  void* const library = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL | RTLD_DEEPBIND);
  if (!library) {
    std::fprintf(stderr, "%s is left out: %s\n", peer.name.c_str(), dlerror());
    return peer;
  }
  const auto take = [&](auto& function, const char* symbol) {
    if (!function)
      function = reinterpret_cast<std::decay_t<decltype(function)>>(dlsym(library, symbol));
  };
  take(peer.sum, "cblas_dsum");
  take(peer.asum, "cblas_dasum");
  take(peer.nrm2, "cblas_dnrm2");
  take(peer.dot, "cblas_ddot");
  take(peer.axpy, "cblas_daxpy");
  take(peer.scal, "cblas_dscal");
  take(peer.copy, "cblas_dcopy");
  take(peer.iamax, "cblas_idamax");
  take(peer.dgemm, "cblas_dgemm");
  take(peer.sgemm, "cblas_sgemm");
  take(peer.set_threads, setter);
  return peer;
}

/// The libraries that the options name and that have what is asked for, each in a process of its
/// own if so wished.
template <class HasAll>
std::vector<BlasPeer> load_peers(const Options& options, HasAll&& has_all) {
  struct Library {
    const char *option, *name, *set_threads;
  };
  constexpr Library kLibraries[] = {{"--openblas", "OpenBLAS", "openblas_set_num_threads"},
                                    {"--blis", "BLIS", "bli_thread_set_num_threads"},
                                    {"--mkl", "MKL", "MKL_Set_Num_Threads"}};
  PeerNames names;
  for (const Library& library : kLibraries) names.emplace_back(library.option, library.name);
  start_processes(options, names);
  std::vector<BlasPeer> peers;
  for (const Library& library : kLibraries) {
    const std::string& path = options[library.option];
    if (path.empty()) continue;
    BlasPeer peer = load_peer(library.name, path, library.set_threads);
    if (has_all(peer)) peers.push_back(std::move(peer));
  }
  return peers;
}

}  // namespace kinjo::bench
