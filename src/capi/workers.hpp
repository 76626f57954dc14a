/// Who computes where a function takes a team that may be NULL.
#pragma once

#include <memory>

#include "capi/handles.hpp"

namespace kinjo::capi {

/// The caller's team, or one of a thread that nobody places.
class Workers {
 public:
  explicit Workers(kinjo_team* given) : given_(given) {
    if (given) return;
    own_ = std::make_unique<kinjo::Team>(kinjo::Mapping::alone());
  }
  kinjo::Team& team() { return given_ ? given_->value : *own_; }

 private:
  kinjo_team* given_;
  std::unique_ptr<kinjo::Team> own_;
};

}  // namespace kinjo::capi
