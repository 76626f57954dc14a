/// kinjo.Team: a `Team` that can be closed, and that knows when a fork has taken its threads.
#pragma once

#include <memory>

#include <kinjo/team.hpp>

#include "mapping.hpp"

namespace kinjo::python {

class PythonTeam {
 public:
  PythonTeam(const SharedMapping& mapping, BindLevel bind);
  /// Ends the threads. In a process that was forked off they are not there to be ended.
  ~PythonTeam();

  /// To be called with the interpreter's lock and kept while the team works, since another thread
  /// may close it. Throws `Error` (`usage`) if it was closed, or made before this process was
  /// forked off.
  std::shared_ptr<Team> get() const;
  void close();
  const SharedMapping& mapping() const { return mapping_; }

 private:
  bool was_forked() const;
  void drop();

  SharedMapping mapping_;
  std::shared_ptr<Team> team_;
  unsigned forks_;  ///< of which this process comes, when the team was made
};

}  // namespace kinjo::python
