/// PMIx: what `mpirun` of Open MPI, `prterun` and `srun --mpi=pmix` offer to what they start.
#pragma once

#include <memory>

#include "comm/exchange.hpp"

namespace kinjo::comm::detail {

/// Whether such a launcher has started this process: the variables PMIX_NAMESPACE and PMIX_RANK.
bool pmix_is_there();

/// Joins the launcher's job; call it where `pmix_is_there`, and keep it as long as the cell lives,
/// since launchers take a process that ends before for one that has failed.
/// Throws `Error` (`not_supported`) where libpmix.so.2 is missing or this build has no PMIx,
/// `system` where the launcher refuses.
std::unique_ptr<Exchange> join_pmix();

}  // namespace kinjo::comm::detail
