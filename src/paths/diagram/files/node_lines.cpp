#include "paths/diagram/files/node_lines.hpp"

#include <memory>
#include <utility>

namespace kinjo::paths::detail {

namespace {

class NodeLines {
 public:
  NodeLines(const DiagramData& diagram, std::string head, WriteLine line, std::string tail)
      : diagram_(diagram),
        line_(line),
        head_(std::move(head)),
        tail_(std::move(tail)),
        item_(diagram.items()) {}

  std::string_view next() {
    out_.clear();
    out_.append(std::exchange(head_, {}));
    const NodeRef end = diagram_.nodes + kFirstNode;
    for (; ref_ < end && out_.size() < kPiece; ++ref_) {
      while (ref_ >= diagram_.end(item_)) --item_;
      line_(out_, diagram_, item_, ref_);
    }
    if (ref_ == end) out_.append(std::exchange(tail_, {}));
    return {out_.data(), out_.size()};
  }

 private:
  static constexpr std::size_t kPiece = std::size_t{1} << 16;

  const DiagramData& diagram_;
  WriteLine line_;
  std::string head_, tail_;  ///< until they are written
  std::size_t item_;
  NodeRef ref_ = kFirstNode;  ///< whose line is next
  fmt::memory_buffer out_;
};

}  // namespace

kinjo::detail::NextPiece node_lines(const DiagramData& diagram, std::string head, WriteLine line,
                                    std::string tail) {
  const auto lines = std::make_shared<NodeLines>(diagram, std::move(head), line, std::move(tail));
  return [lines] { return lines->next(); };
}

}  // namespace kinjo::paths::detail
