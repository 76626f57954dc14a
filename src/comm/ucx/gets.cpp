#include "comm/ucx/gets.hpp"

namespace kinjo::comm::detail {

Gets::Open* Gets::find(const GotHead& head, std::size_t bytes) {
  const auto found = open_.find(head.get);
  if (found == open_.end()) return nullptr;
  Open& open = found->second;
  const bool fits =
      head.position <= open.total && bytes <= open.total - head.position && bytes <= open.missing;
  return open.cell == static_cast<int>(head.head.from) && fits ? &open : nullptr;
}

bool Gets::got(const GotHead& head, const std::byte* data, std::size_t bytes) {
  const Open* const open = find(head, bytes);
  if (open == nullptr) return false;
  open->to.write(head.position, data, bytes);
  landed(head, bytes);
  return true;
}

std::byte* Gets::direct(const GotHead& head, std::size_t bytes) {
  const Open* const open = find(head, bytes);
  if (open == nullptr || !open->to.is_contiguous()) return nullptr;
  return open->to.base + head.position;
}

void Gets::landed(const GotHead& head, std::size_t bytes) {
  Open* const open = find(head, bytes);
  if (open == nullptr) return;
  open->missing -= bytes;
  if (open->missing != 0) return;
  open->done->end();
  open_.erase(head.get);
}

}  // namespace kinjo::comm::detail
