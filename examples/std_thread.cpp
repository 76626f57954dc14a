// Pins a program's own std::threads: each holds a Binding for as long as it should stay in place.
#include <cstdio>
#include <kinjo/kinjo.hpp>
#include <thread>
#include <vector>

int main() try {
  const kinjo::Topology machine = kinjo::Topology::discover();
  const kinjo::Mapping mapping(machine, kinjo::Policy::compact(), machine.allowed_cpus().count());

  std::vector<int> seen_on_cpu(mapping.size());
  {
    std::vector<std::jthread> threads;
    for (std::size_t t = 0; t < mapping.size(); ++t) {
      threads.emplace_back([&, t] {
        // An exception must not leave a thread; one that cannot be pinned keeps the CPU −1.
        try {
          const kinjo::Binding binding(mapping, t);
          seen_on_cpu[t] = kinjo::here().cpu == kinjo::current_cpu() ? kinjo::here().cpu : -1;
        } catch (const kinjo::Error&) {
          seen_on_cpu[t] = -1;
        }
      });
    }
  }

  std::size_t right = 0;
  for (const kinjo::Place& place : mapping) {
    const int seen = seen_on_cpu[static_cast<std::size_t>(place.thread)];
    std::printf("thread %d: asked for CPU %d on node %d, ran on CPU %d\n", place.thread, place.cpu,
                place.node, seen);
    right += seen == place.cpu;
  }
  if (right != mapping.size()) {
    std::printf("only %zu of %zu threads are where they should be\n", right, mapping.size());
    return 1;
  }
  std::printf("all %zu threads are where they should be\n", mapping.size());
  return 0;
} catch (const kinjo::Error& error) {
  std::fprintf(stderr, "std_thread: %s\n", error.what());
  return 1;
}
