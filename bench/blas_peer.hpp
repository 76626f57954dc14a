/// Another BLAS, loaded at run time: peers are no dependencies.
#pragma once

#include <dlfcn.h>

#include <cstddef>
#include <cstdio>
#include <string>

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

/// Loads `path`, and takes `set_threads` from the first of `setters` that it has. Says on standard
/// error why it could not; then the peer has no functions.
template <class... Setter>
BlasPeer load_peer(std::string name, const std::string& path, Setter... setters) {
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
  (take(peer.set_threads, setters), ...);
  return peer;
}

}  // namespace kinjo::bench
