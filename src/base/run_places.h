/// The variable of the environment by which `kinjo run` tells a process its places: one list of
/// CPUs for each thread, `;` between them, e.g. `0;2;4-5,8`. Plain C, for the preloaded library.
#ifndef KINJO_BASE_RUN_PLACES_H
#define KINJO_BASE_RUN_PLACES_H

#define KINJO_RUN_PLACES "KINJO_RUN_PLACES"

#endif
