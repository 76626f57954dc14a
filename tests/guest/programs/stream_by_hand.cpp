// STREAM's four operations on arrays that are not placed by their threads, for comparison:
//
//   stream_by_hand first ELEMENTS        one thread on the first CPU touches everything
//   stream_by_hand interleaved ELEMENTS  pages are dealt to all nodes in turn
//
// A team with a thread on every CPU computes; phases and regions are named as those of kinjo's own.

#include <algorithm>
#include <cstdio>
#include <kinjo/kinjo.hpp>
#include <kinjo/lab.hpp>
#include <span>
#include <string>

#include "kernel_says.hpp"

namespace {

using namespace kinjo;

class Array {
 public:
  Array(const char* name, bool interleaved, std::size_t size)
      : buffer_(interleaved ? alloc_interleaved(Topology::this_machine().allowed_nodes(),
                                                size * sizeof(double))
                            : alloc(size * sizeof(double))),
        mark_(name, buffer_.data(), buffer_.size()),
        all_(static_cast<double*>(buffer_.data()), size) {}
  std::span<double> all() const { return all_; }

 private:
  Buffer buffer_;
  RegionMark mark_;
  std::span<double> all_;
};

struct Arrays {
  Arrays(bool interleaved, std::size_t size)
      : a("a", interleaved, size), b("b", interleaved, size), c("c", interleaved, size) {}
  Array a, b, c;
};

/// Runs `f(a, b, c, i)` for every index, each part in its thread.
template <class F>
void everywhere(Team& team, const Partition& parts, const Arrays& x, F&& f) {
  double* const a = x.a.all().data();
  double* const b = x.b.all().data();
  double* const c = x.c.all().data();
  team.parallel_for(parts, [=](const Range& range, const Place&) {
    for (std::size_t i = range.begin; i < range.end; ++i) f(a[i], b[i], c[i]);
  });
}

void compute(Team& team, const Partition& parts, const Arrays& x) {
  {
    KINJO_PHASE("copy");
    everywhere(team, parts, x, [](double& a, double&, double& c) { c = a; });
  }
  {
    KINJO_PHASE("scale");
    everywhere(team, parts, x, [](double&, double& b, double& c) { b = 3 * c; });
  }
  {
    KINJO_PHASE("add");
    everywhere(team, parts, x, [](double& a, double& b, double& c) { c = a + b; });
  }
  {
    KINJO_PHASE("triad");
    everywhere(team, parts, x, [](double& a, double& b, double& c) { a = b + 3 * c; });
  }
}

void initialise(const Arrays& x) {
  KINJO_PHASE("init");
  set_thread_affinity({Topology::this_machine().allowed_cpus().first()});
  std::ranges::fill(x.a.all(), 1);
  std::ranges::fill(x.b.all(), 2);
  std::ranges::fill(x.c.all(), 0);
}

}  // namespace

int main(int argc, char** argv) {
  const std::string how = argc == 3 ? argv[1] : "";
  if (how != "first" && how != "interleaved") return 2;
  const std::size_t size = std::stoul(argv[2]);
  const Topology& machine = Topology::this_machine();
  Team team(Mapping(machine, Policy::scatter(), machine.allowed_cpus().count()));
  const Arrays x(how == "interleaved", size);
  initialise(x);
  const Partition parts = Partition::block(size, team.size(), page_bytes() / sizeof(double));
  compute(team, parts, x);
  std::printf("a %s\n", kernel::pages_by_node(x.a.all().data(), size * sizeof(double)).c_str());
  return x.a.all()[size - 1] == 15 && x.c.all()[0] == 4 ? 0 : 1;
}
