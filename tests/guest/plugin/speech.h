#ifndef KINJO_TESTS_GUEST_PLUGIN_SPEECH_H
#define KINJO_TESTS_GUEST_PLUGIN_SPEECH_H
/* What the program in the guest has said: phases, regions, and where each node's memory lies. */

#include <stdbool.h>
#include <stdint.h>

#include "../../../include/kinjo/lab_protocol.h"

enum { MAX_PHASES = 64, MAX_CLASSES = 64, MAX_NODES = 32, MAX_REGIONS = 256 };

/* Classes of accesses; the named regions follow. */
enum { CLASS_OTHER, CLASS_STACK, CLASS_BARRIER, CLASS_FIRST_REGION };

struct region {
  uint64_t begin, end;
  int class_index;
};

/* The memory of a node, in the plugin's own addresses. */
struct node_range {
  uint64_t begin, end;
  bool known;
};

struct speech {
  char phases[MAX_PHASES][KINJO_LAB_NAME_BYTES + 1]; /* 0: outside of any phase */
  uint32_t tags[MAX_PHASES];
  int phase_count;
  char classes[MAX_CLASSES][KINJO_LAB_NAME_BYTES + 1];
  int class_count;
  struct region regions[MAX_REGIONS]; /* registered now, oldest first */
  int region_count;
  struct node_range nodes[MAX_NODES];
  uint64_t node_bytes[MAX_NODES]; /* as QEMU was given them */
  int node_count;
  uint64_t low_bytes;  /* memory below 4 GiB; the rest begins at 4 GiB */
  char complaint[256]; /* the first thing that makes the figures doubtful; else empty */
};

void speech_init(struct speech* speech);

/* Takes in the byte that a sender said. */
void speech_hear(struct speech* speech, uint64_t sender, uint8_t byte);

/* The page named by the last calibration message has this address for the plugin. */
void speech_probe(struct speech* speech, uint64_t plugin_address);

/* The number of the phase with this tag; 0 if it has not been named. */
int speech_phase(const struct speech* speech, uint32_t tag);

/* The class of the region that holds the address; -1 if none does. */
int speech_region(const struct speech* speech, uint64_t address);

/* The node whose memory holds it; -1 if unknown. */
int speech_node(const struct speech* speech, uint64_t plugin_address);

#endif
