/// kinjo.Team: a `Team` that can be closed.
#pragma once

#include <memory>

#include <kinjo/team.hpp>

#include "mapping.hpp"

namespace kinjo::python {

class PythonTeam {
 public:
  PythonTeam(const SharedMapping& mapping, BindLevel bind);

  /// To be called with the interpreter's lock and kept while the team works, since another thread
  /// may close it. Throws `Error` (`usage`) if it was closed.
  std::shared_ptr<Team> get() const;
  void close();
  const SharedMapping& mapping() const { return mapping_; }

 private:
  SharedMapping mapping_;
  std::shared_ptr<Team> team_;
};

/// What a call works with: the team or, where that is one thread which nobody has placed, the
/// calling one. To wake another and to wait for it takes longer than small work, and many may do so
/// at once.
class WorkingTeam {
 public:
  /// Throws as `PythonTeam::get`.
  explicit WorkingTeam(const PythonTeam& team);
  Team& operator*() const { return *team_; }
  bool is_caller() const { return is_caller_; }

 private:
  std::shared_ptr<Team> team_;
  bool is_caller_;
};

}  // namespace kinjo::python
