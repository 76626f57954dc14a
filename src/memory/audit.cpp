#include <kinjo/audit.hpp>

#include <array>
#include <cerrno>
#include <cstdint>

#include <fmt/format.h>
#include <kinjo/memory.hpp>

#include "base/kernel.hpp"
#include "base/text.hpp"

namespace kinjo {

namespace {

/// Pages that one system call asks about: enough to hide its cost, little enough for the stack.
constexpr std::size_t kBatch = 1024;

void count(Audit& audit, std::span<const int> nodes) {
  for (int node : nodes) {
    if (node >= 0) {
      ++audit.by_node[node];
    } else if (node == -ENOENT || node == -EFAULT) {  // which of the two depends on the kernel
      ++audit.not_present;
    } else {
      ++audit.unknown;
    }
  }
}

}  // namespace

std::size_t Audit::on(int node) const {
  const auto found = by_node.find(node);
  return found == by_node.end() ? 0 : found->second;
}

Audit& Audit::operator+=(const Audit& other) {
  page_bytes = other.page_bytes;
  pages += other.pages;
  for (const auto& [node, n] : other.by_node) by_node[node] += n;
  not_present += other.not_present;
  unknown += other.unknown;
  if (refusal == 0) refusal = other.refusal;
  return *this;
}

std::string Audit::to_string() const {
  std::string text = fmt::format("{} pages", pages);
  const char* separator = ": ";
  const auto add = [&](std::size_t n, const std::string& where) {
    if (n == 0) return;
    text += fmt::format("{}{} {}", separator, n, where);
    separator = ", ";
  };
  for (const auto& [node, n] : by_node) add(n, fmt::format("on node {}", node));
  add(not_present, "not present");
  add(unknown, refusal
                   ? fmt::format("unknown (move_pages returned {})", detail::errno_name(refusal))
                   : "unknown");
  return text;
}

Audit audit(const void* data, std::size_t bytes) {
  Audit result{.page_bytes = page_bytes()};
  if (bytes == 0) return result;
  const std::uintptr_t page = result.page_bytes;
  const std::uintptr_t first = reinterpret_cast<std::uintptr_t>(data) / page;
  const std::uintptr_t last = (reinterpret_cast<std::uintptr_t>(data) + bytes - 1) / page;
  result.pages = last - first + 1;
  std::array<void*, kBatch> pages;
  std::array<int, kBatch> nodes;
  for (std::size_t done = 0; done < result.pages;) {
    const std::size_t n = std::min(kBatch, result.pages - done);
    for (std::size_t i = 0; i < n; ++i) {
      pages[i] = reinterpret_cast<void*>((first + done + i) * page);
    }
    result.refusal = detail::query_pages({pages.data(), n}, {nodes.data(), n});
    if (result.refusal != 0) {
      result.unknown += result.pages - done;
      break;
    }
    count(result, {nodes.data(), n});
    done += n;
  }
  return result;
}

}  // namespace kinjo
