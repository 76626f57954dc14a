/// Phases of the laboratory's counter in programs of cells.
#pragma once

#include <kinjo/lab.hpp>

/// Runs `work` in the phase `name`. A phase belongs to the whole program, so one cell alone (for
/// which `opens` holds) opens it; what the others do meanwhile counts for it too.
#define KINJO_CELLS_PHASE(name, opens, work) \
  do {                                       \
    if (opens) {                             \
      KINJO_PHASE(name);                     \
      work;                                  \
    } else {                                 \
      work;                                  \
    }                                        \
  } while (false)
