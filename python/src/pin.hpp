/// Pins that end with a call.
#pragma once

#include <memory>
#include <vector>

namespace kinjo::python {

struct HeldPin;

/// What the calling thread pins while this lives is undone at its end at the latest. Left behind
/// by a function of a team, it would hold the team's thread at a wrong place for ever. Made, used
/// and ended with the interpreter's lock.
class PinScope {
 public:
  PinScope();
  ~PinScope();
  PinScope(const PinScope&) = delete;
  PinScope& operator=(const PinScope&) = delete;

  void add(const std::shared_ptr<HeldPin>& pin) { pins_.push_back(pin); }
  void forget(const HeldPin* pin);

 private:
  std::vector<std::shared_ptr<HeldPin>> pins_;
};

}  // namespace kinjo::python
