#include "speech.h"

#include <stdio.h>
#include <string.h>

enum { MAX_SENDERS = 64, MAX_MESSAGE = 256 };

static struct sender {
  uint64_t id;
  int length; /* of the message being heard; 0 between messages */
  int heard;
  uint8_t bytes[MAX_MESSAGE];
} senders[MAX_SENDERS];
static int sender_count;

static uint32_t calibrated_node;
static uint64_t calibrated_address;

static void complain(struct speech* speech, const char* what, const char* name) {
  if (!speech->complaint[0])
    snprintf(speech->complaint, sizeof speech->complaint, "%s%s", what, name);
}

void speech_init(struct speech* speech) {
  strcpy(speech->phases[0], "(outside)");
  speech->phase_count = 1;
  strcpy(speech->classes[CLASS_OTHER], "(other)");
  strcpy(speech->classes[CLASS_STACK], "(stack)");
  strcpy(speech->classes[CLASS_BARRIER], KINJO_LAB_BARRIER_REGION);
  speech->class_count = CLASS_FIRST_REGION;
}

static uint64_t number(const uint8_t* bytes, int count) {
  uint64_t value = 0;
  for (int i = count; i-- > 0;) value = value << 8 | bytes[i];
  return value;
}

/* Copies a name of the message and makes it safe to print between quotes. */
static void copy_name(char* to, const uint8_t* from, int length) {
  if (length < 0) length = 0;
  if (length > KINJO_LAB_NAME_BYTES) length = KINJO_LAB_NAME_BYTES;
  for (int i = 0; i < length; ++i)
    to[i] = from[i] < ' ' || from[i] == '"' || from[i] == '\\' || from[i] > '~' ? '?' : from[i];
  to[length] = 0;
}

static void name_phase(struct speech* speech, uint32_t tag, const char* name) {
  for (int i = 1; i < speech->phase_count; ++i) {
    if (speech->tags[i] != tag) continue;
    if (strcmp(speech->phases[i], name))
      complain(speech, "two phases have one tag, rename one: ", name);
    return;
  }
  if (speech->phase_count == MAX_PHASES) {
    complain(speech, "too many phases, not counted apart: ", name);
    return;
  }
  speech->tags[speech->phase_count] = tag;
  strcpy(speech->phases[speech->phase_count++], name);
}

static int class_of(struct speech* speech, const char* name) {
  for (int i = CLASS_BARRIER; i < speech->class_count; ++i)
    if (!strcmp(speech->classes[i], name)) return i;
  if (speech->class_count == MAX_CLASSES) {
    complain(speech, "too many names of regions, not counted apart: ", name);
    return CLASS_OTHER;
  }
  strcpy(speech->classes[speech->class_count], name);
  return speech->class_count++;
}

static void add_region(struct speech* speech, uint64_t begin, uint64_t bytes, const char* name) {
  if (speech->region_count == MAX_REGIONS) {
    complain(speech, "too many regions at a time, not counted apart: ", name);
    return;
  }
  speech->regions[speech->region_count++] =
      (struct region){begin, begin + bytes, class_of(speech, name)};
}

static void forget_region(struct speech* speech, uint64_t begin) {
  for (int i = speech->region_count; i-- > 0;) {
    if (speech->regions[i].begin != begin) continue;
    memmove(&speech->regions[i], &speech->regions[i + 1],
            (--speech->region_count - i) * sizeof speech->regions[0]);
    return;
  }
}

static void take(struct speech* speech, const uint8_t* message, int length) {
  char name[KINJO_LAB_NAME_BYTES + 1];
  const uint8_t* payload = message + 1;
  if (message[0] == KINJO_LAB_NAME && length >= 5) {
    copy_name(name, payload + 4, length - 5);
    name_phase(speech, number(payload, 4), name);
  } else if (message[0] == KINJO_LAB_REGION && length >= 17) {
    copy_name(name, payload + 16, length - 17);
    add_region(speech, number(payload, 8), number(payload + 8, 8), name);
  } else if (message[0] == KINJO_LAB_FORGET && length == 9) {
    forget_region(speech, number(payload, 8));
  } else if (message[0] == KINJO_LAB_CALIBRATION && length == 13) {
    calibrated_node = number(payload, 4);
    calibrated_address = number(payload + 4, 8);
  } else {
    char hex[2 * 24 + 1] = "";
    for (int i = 0; i < length && i < 24; ++i) snprintf(hex + 2 * i, 3, "%02x", message[i]);
    complain(speech, "a message was not understood: ", hex);
  }
}

void speech_hear(struct speech* speech, uint64_t id, uint8_t byte) {
  struct sender* sender = senders;
  while (sender < senders + sender_count && sender->id != id) ++sender;
  if (sender == senders + MAX_SENDERS) {
    complain(speech, "too many programs speak", "");
    return;
  }
  if (sender == senders + sender_count) {
    ++sender_count;
    sender->id = id;
  }
  if (sender->length == 0) {
    sender->length = byte;
    sender->heard = 0;
    return;
  }
  sender->bytes[sender->heard++] = byte;
  if (sender->heard < sender->length) return;
  take(speech, sender->bytes, sender->length);
  sender->length = 0;
}

/* One page fixes where a node's memory begins: guest physical memory is dealt to the nodes in
 * order, with a gap below 4 GiB, and a node's memory is one piece for the plugin.  So every
 * further page of the node must agree. */
void speech_probe(struct speech* speech, uint64_t plugin_address) {
  const uint64_t four_gib = 1ull << 32;
  uint64_t offset = calibrated_address;
  if (offset >= four_gib) offset = offset - four_gib + speech->low_bytes;
  for (uint32_t n = 0; n < calibrated_node && n < MAX_NODES; ++n) offset -= speech->node_bytes[n];
  if ((int)calibrated_node >= speech->node_count || offset >= speech->node_bytes[calibrated_node]) {
    complain(speech, "calibration: a page lies outside of its node", "");
    return;
  }
  struct node_range* range = &speech->nodes[calibrated_node];
  const uint64_t begin = plugin_address - offset;
  if (range->known && range->begin != begin)
    complain(speech, "calibration: a node's memory is not in one piece", "");
  *range = (struct node_range){begin, begin + speech->node_bytes[calibrated_node], true};
}

int speech_phase(const struct speech* speech, uint32_t tag) {
  for (int i = 1; i < speech->phase_count; ++i)
    if (speech->tags[i] == tag) return i;
  return 0;
}

int speech_region(const struct speech* speech, uint64_t address) {
  for (int i = speech->region_count; i-- > 0;) {
    const struct region* region = &speech->regions[i];
    if (address - region->begin < region->end - region->begin) return region->class_index;
  }
  return -1;
}

int speech_node(const struct speech* speech, uint64_t plugin_address) {
  for (int n = 0; n < speech->node_count; ++n) {
    const struct node_range* range = &speech->nodes[n];
    if (range->known && plugin_address >= range->begin && plugin_address < range->end) return n;
  }
  return -1;
}
