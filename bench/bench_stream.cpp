/// STREAM: kinjo's arrays and kernels beside a plain OpenMP program compiled by the same compiler.
/// Usage: bench_stream [ELEMENTS] [ROUNDS]
#include <cstdlib>
#include <memory>
#include <string>

#include <omp.h>
#include <kinjo/stream.hpp>

#include "alternate.hpp"
#include "run_main.hpp"

namespace {

using kinjo::StreamOperation;

/// What one writes without a library: malloc, first touch in a parallel loop, plain loops.
class PlainStream {
 public:
  explicit PlainStream(long n) : n_(n), a_(make()), b_(make()), c_(make()) {
#pragma omp parallel for
    for (long i = 0; i < n_; ++i) {
      a_[i] = 1;
      b_[i] = 2;
      c_[i] = 0;
    }
  }

  void run(StreamOperation operation) {
    double* const a = a_.get();
    double* const b = b_.get();
    double* const c = c_.get();
    const double scalar = 3;
    switch (operation) {
      case StreamOperation::copy:
#pragma omp parallel for
        for (long i = 0; i < n_; ++i) c[i] = a[i];
        break;
      case StreamOperation::scale:
#pragma omp parallel for
        for (long i = 0; i < n_; ++i) b[i] = scalar * c[i];
        break;
      case StreamOperation::add:
#pragma omp parallel for
        for (long i = 0; i < n_; ++i) c[i] = a[i] + b[i];
        break;
      case StreamOperation::triad:
#pragma omp parallel for
        for (long i = 0; i < n_; ++i) a[i] = b[i] + scalar * c[i];
        break;
    }
  }

 private:
  struct Free {
    void operator()(double* p) const { std::free(p); }
  };
  using Array = std::unique_ptr<double[], Free>;
  Array make() const {
    auto* p = static_cast<double*>(std::malloc(static_cast<std::size_t>(n_) * sizeof(double)));
    if (!p) std::abort();
    return Array(p);
  }
  long n_;
  Array a_, b_, c_;
};

void compare(std::size_t threads, std::size_t elements, std::size_t rounds, kinjo::Pages pages,
             kinjo::StreamStores stores) {
  const auto& machine = kinjo::Topology::this_machine();
  kinjo::Team team(kinjo::Mapping(machine, kinjo::Policy::scatter(), threads));
  kinjo::Stream ours(team, elements, pages, stores);
  omp_set_num_threads(static_cast<int>(threads));
  PlainStream plain(static_cast<long>(elements));
  std::printf("%zu threads, %zu elements, %s stores, %s pages, ms\n", threads, elements,
              ours.streams() ? "streaming" : "cached",
              pages == kinjo::Pages::normal ? "normal" : "transparent huge");
  for (auto operation : {StreamOperation::copy, StreamOperation::scale, StreamOperation::add,
                         StreamOperation::triad}) {
    const auto pair = kinjo::bench::alternate(
        rounds, 1e3, [&] { ours.run(operation); }, [&] { plain.run(operation); });
    const double gigabytes = static_cast<double>(kinjo::stream_bytes_per_element(operation)) *
                             static_cast<double>(elements) / 1e6;
    char name[64];
    std::snprintf(name, sizeof name, "  %-6s %5.1f against %5.1f GB/s", to_string(operation),
                  gigabytes / kinjo::summarize(pair.kinjo).median,
                  gigabytes / kinjo::summarize(pair.peer).median);
    kinjo::bench::print_row(name, pair, "ms");
  }
}

}  // namespace

int main(int argc, char** argv) {
  const auto& machine = kinjo::Topology::this_machine();
  const std::size_t elements =
      argc > 1 ? std::strtoull(argv[1], nullptr, 10) : kinjo::stream_elements(machine);
  const std::size_t rounds = argc > 2 ? std::strtoull(argv[2], nullptr, 10) : 15;
  if (elements == 0 || rounds == 0) {
    std::fprintf(stderr, "usage: bench_stream [ELEMENTS] [ROUNDS]\n");
    return 2;
  }
  return kinjo::bench::run_main("bench_stream", [&] {
    const std::size_t cpus = machine.allowed_cpus().count();
    for (std::size_t threads = 1; threads <= cpus;
         threads = threads < cpus && threads * 2 > cpus ? cpus : threads * 2) {
      for (auto stores : {kinjo::StreamStores::streaming, kinjo::StreamStores::cached}) {
        for (auto pages : {kinjo::Pages::normal, kinjo::Pages::transparent}) {
          compare(threads, elements, rounds, pages, stores);
        }
      }
    }
  });
}
