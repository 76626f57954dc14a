/// Audits: `move_pages` without targets tells for each page the node that holds it, or why none
/// does. Addresses are asked about in portions; pages are counted by node.
#include <kinjo/audit.hpp>

#include <array>
#include <cerrno>
#include <cstdint>
#include <limits>

#include <fmt/format.h>
#include <kinjo/error.hpp>
#include <kinjo/memory.hpp>

#include "base/kernel.hpp"
#include "base/text.hpp"
#include "memory/page_query.hpp"

namespace kinjo {

namespace {

void count(Audit& audit, int node) {
  if (node >= 0) {
    ++audit.by_node[node];
  } else if (node == -ENOENT || node == -EFAULT) {  // which of the two depends on the kernel
    ++audit.not_present;
  } else {
    ++audit.unknown;
  }
}

}  // namespace

std::size_t Audit::on(int node) const {
  const auto found = by_node.find(node);
  return found == by_node.end() ? 0 : found->second;
}

Audit& Audit::operator+=(const Audit& other) {
  if (other.page_bytes != 0) page_bytes = other.page_bytes;
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
  detail::PageQuery query;
  query.add(data, bytes, result);
  query.finish();
  return result;
}

namespace detail {

void PageQuery::add(const void* data, std::size_t bytes, Audit& into) {
  const std::uintptr_t page = page_bytes();
  into.page_bytes = page;
  if (bytes == 0) return;
  const auto address = reinterpret_cast<std::uintptr_t>(data);
  if (bytes - 1 > std::numeric_limits<std::uintptr_t>::max() - address) {
    throw Error(
        Errc::invalid_argument,
        fmt::format("{} bytes from {}: expected an end within the address space", bytes, data));
  }
  const std::uintptr_t begin = address / page;
  const std::uintptr_t end = (address + bytes - 1) / page + 1;
  into.pages += end - begin;
  for (std::uintptr_t p = begin; p < end; ++p) {
    pages_[size_] = reinterpret_cast<void*>(p * page);
    owners_[size_] = &into;
    if (++size_ == kBatch) finish();
  }
}

void PageQuery::finish() {
  std::array<int, kBatch> nodes;
  if (refusal_ == 0 && size_ > 0)
    refusal_ = query_pages({pages_.data(), size_}, {nodes.data(), size_});
  for (std::size_t i = 0; i < size_; ++i) {
    if (refusal_ == 0) {
      count(*owners_[i], nodes[i]);
    } else {
      owners_[i]->refusal = refusal_;
      ++owners_[i]->unknown;
    }
  }
  size_ = 0;
}

}  // namespace detail
}  // namespace kinjo
