// A Fourier transform in the guest:
//
//   fft PLACEMENT DEAL POLICY N1 N2
//
// of N1·N2 numbers by sweeps of N1 and N2, over a team on all CPUs, every step of the sweeps in a
// phase of its own (`load 1` … `store 2`). Input and output are the regions `in` and `out`, what
// lies between the sweeps is `work`. PLACEMENT of input and output: block, cyclic, or none (S2's
// default: touched by one thread). DEAL of the lines to threads: block or cyclic.
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <optional>

#include <kinjo/error.hpp>
#include <kinjo/fft.hpp>
#include <kinjo/lab.hpp>
#include <kinjo/partitioned_array.hpp>

namespace {

using namespace kinjo;
using Complex = std::complex<double>;

/// An array whose pages lie as asked.
class Numbers {
 public:
  Numbers(Team& team, const char* placement, std::size_t size) {
    if (std::strcmp(placement, "none") == 0) {
      buffer_ = alloc(size * sizeof(Complex));
      team.run([&](const Place& me) {
        if (me.thread == 0) std::memset(buffer_.data(), 0, buffer_.size());
      });
    } else {
      const bool block = std::strcmp(placement, "block") == 0;
      placed_.emplace(team, size, ArrayOptions{.layout = block ? Layout::block : Layout::cyclic});
    }
  }
  Complex* data() { return placed_ ? placed_->data() : static_cast<Complex*>(buffer_.data()); }

 private:
  std::optional<PartitionedArray<Complex>> placed_;
  Buffer buffer_;
};

int run(const char* placement, const char* deal, const char* policy, std::size_t n1,
        std::size_t n2) {
  const Topology& machine = Topology::this_machine();
  Team team(Mapping(machine, Policy::parse(policy), machine.allowed_cpus().count()),
            {.caller = Caller::joins});
  const std::size_t n = n1 * n2;
  Numbers in(team, placement, n), out(team, placement, n);
  const RegionMark mark_in("in", in.data(), n * sizeof(Complex)),
      mark_out("out", out.data(), n * sizeof(Complex));
  const Fft<double> plan(
      team, n,
      {.overlap = fft::Overlap::off,
       .deal = std::strcmp(deal, "block") == 0 ? fft::Deal::block : fft::Deal::cyclic,
       .cuts = {fft::Cut{{n1, n2}, 8}}});
  in.data()[1] = 1;
  plan.profile(in.data(), out.data());
  std::printf("%s", plan.describe().c_str());
  return std::abs(std::abs(out.data()[n / 3]) - 1) < 1e-12 ? 0 : 1;
}

}  // namespace

int main(int argc, char** argv) {
  try {
    if (argc == 6) {
      return run(argv[1], argv[2], argv[3], std::strtoull(argv[4], nullptr, 10),
                 std::strtoull(argv[5], nullptr, 10));
    }
  } catch (const Error& error) {
    std::fprintf(stderr, "fft: %s\n", error.what());
    return 1;
  }
  std::fprintf(stderr, "usage: fft block|cyclic|none block|cyclic POLICY N1 N2\n");
  return 2;
}
