/// Phases of the laboratory's counter in programs of cells.
#pragma once

#include <kinjo/lab.hpp>

/// Runs `work` in the phase `name` of this cell's CPU: cells are alone on theirs in the laboratory,
/// and each is in a phase of its own.
#define KINJO_CELLS_PHASE(name, work) \
  do {                                \
    KINJO_CPU_PHASE(name);            \
    work;                             \
  } while (false)
