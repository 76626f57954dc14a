/// The places of a mapping as they travel from `kinjo run` to the preloaded library: one list of
/// CPUs for each thread, `;` between them, e.g. `0;2;4-5,8`.
///
/// Plain C on the C library alone, without malloc: this code runs inside programs that know nothing
/// of kinjo.
#ifndef KINJO_LAUNCH_PLACES_H
#define KINJO_LAUNCH_PLACES_H

#include <stddef.h>

#include "base/run_places.h"

#ifdef __cplusplus
extern "C" {
#endif

/// Other variables of the environment that `kinjo run` sets and the preloaded library reads.
#define KINJO_RUN_ACK "KINJO_RUN_ACK"  ///< `FD:INODE` of the socket on which one byte is awaited
#define KINJO_RUN_VERBOSE "KINJO_RUN_VERBOSE"  ///< set: each thread says where it was pinned

/// `count` masks of `words` words each, as sched_setaffinity(2) takes them.
struct kinjo_places {
  size_t count;
  size_t words;
  unsigned long* masks;  ///< owned; kinjo_places_free() unmaps it
};

/// Reads `text` into `places`. Returns 0, or −1 with `places` zeroed if the text is malformed or
/// memory is short.
int kinjo_places_parse(const char* text, struct kinjo_places* places);

void kinjo_places_free(struct kinjo_places* places);

/// The mask of the place for the `thread`-th thread; beyond the last place they start again.
const unsigned long* kinjo_places_mask(const struct kinjo_places* places, unsigned long thread);

#ifdef __cplusplus
}
#endif

#endif
