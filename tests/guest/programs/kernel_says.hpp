/// What the kernel says about threads and pages, asked without kinjo.
#pragma once

#include <sched.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cstdint>
#include <cstdio>
#include <fstream>
#include <map>
#include <sstream>
#include <string>
#include <vector>

namespace kernel {

struct Where {
  unsigned cpu = 0;
  unsigned node = 0;
};

/// Where the calling thread runs now.
inline Where where() {
  Where now;
  syscall(SYS_getcpu, &now.cpu, &now.node, nullptr);
  return now;
}

/// The value of `Label:` in a file of such lines, e.g. of /proc/PID/status; empty if there is none.
inline std::string field(const std::string& path, const std::string& label) {
  std::ifstream file(path);
  for (std::string line; std::getline(file, line);) {
    std::string name, value;
    std::istringstream words(line);
    words >> name >> value;
    if (name == label || name == label + ":") {
      if (value == ":") words >> value;
      return value;
    }
  }
  return {};
}

/// The CPUs that the calling thread may use, as a list.
inline std::string allowed_cpus() {
  const std::string task = "/proc/self/task/" + std::to_string(syscall(SYS_gettid));
  return field(task + "/status", "Cpus_allowed_list");
}

/// How many times the calling thread has changed its CPU.
inline long migrations() {
  const std::string task = "/proc/self/task/" + std::to_string(syscall(SYS_gettid));
  const std::string count = field(task + "/sched", "se.nr_migrations");
  return count.empty() ? -1 : std::stol(count);
}

/// The node of every page of 4096 bytes that overlaps a range, by move_pages; negative: none.
inline std::vector<int> nodes_of_pages(const void* data, std::size_t bytes) {
  const auto first = reinterpret_cast<std::uintptr_t>(data) / 4096 * 4096;
  const std::size_t count = (reinterpret_cast<std::uintptr_t>(data) + bytes - first + 4095) / 4096;
  std::vector<void*> pages(count);
  for (std::size_t i = 0; i < count; ++i) pages[i] = reinterpret_cast<void*>(first + i * 4096);
  std::vector<int> nodes(count, -1);
  if (syscall(SYS_move_pages, 0, count, pages.data(), nullptr, nodes.data(), 0) != 0) {
    std::perror("move_pages");
    std::_Exit(1);
  }
  return nodes;
}

/// Pages by node, e.g. `0:512 3:512`; pages that are not there stand under `-`.
inline std::string pages_by_node(const void* data, std::size_t bytes) {
  std::map<int, std::size_t> count;
  for (int node : nodes_of_pages(data, bytes)) ++count[node < 0 ? -1 : node];
  std::string text;
  for (const auto& [node, pages] : count) {
    text += (text.empty() ? "" : " ") + (node < 0 ? "-" : std::to_string(node)) + ":" +
            std::to_string(pages);
  }
  return text;
}

/// A line's value in KiB, e.g. of `AnonHugePages`, summed over the mappings in /proc/self/smaps
/// that lie in a range.
inline long smaps_kib(const void* data, std::size_t bytes, const std::string& label) {
  const auto begin = reinterpret_cast<std::uintptr_t>(data);
  std::ifstream file("/proc/self/smaps");
  bool inside = false;
  long sum = 0;
  for (std::string line; std::getline(file, line);) {
    unsigned long from = 0, to = 0;
    if (std::sscanf(line.c_str(), "%lx-%lx ", &from, &to) == 2) {
      inside = from < begin + bytes && to > begin;
    } else if (inside && line.rfind(label + ":", 0) == 0) {
      sum += std::stol(line.substr(label.size() + 1));
    }
  }
  return sum;
}

}  // namespace kernel
