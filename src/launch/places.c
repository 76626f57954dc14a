#include "launch/places.h"

#include <limits.h>
#include <string.h>
#include <sys/mman.h>

enum { kWordBits = sizeof(unsigned long) * CHAR_BIT };

/// Far above any machine, so that a damaged list cannot ask for gigabytes.
static const unsigned long kMaxCpu = (1UL << 20) - 1;

/// Reads a number of digits alone (strtoul would take signs and spaces) and moves `*text` past it.
static int read_cpu(const char** text, unsigned long* cpu) {
  const char* at = *text;
  if (*at < '0' || *at > '9') return -1;
  *cpu = 0;
  for (; *at >= '0' && *at <= '9'; ++at) {
    *cpu = *cpu * 10 + (unsigned long)(*at - '0');
    if (*cpu > kMaxCpu) return -1;
  }
  *text = at;
  return 0;
}

/// Reads `4` or `4-7` and moves `*text` past it.
static int read_range(const char** text, unsigned long* first, unsigned long* last) {
  if (read_cpu(text, first) != 0) return -1;
  *last = *first;
  if (**text == '-') {
    ++*text;
    if (read_cpu(text, last) != 0) return -1;
  }
  return *last < *first ? -1 : 0;
}

/// Walks over the whole text. The first walk measures (`places->masks` is null) and so proves the
/// text good before anything is allocated; the second fills the masks.
static int walk(const char* text, struct kinjo_places* places) {
  size_t place = 0;
  for (;;) {
    unsigned long first = 0;
    unsigned long last = 0;
    if (read_range(&text, &first, &last) != 0) return -1;
    if (places->masks == NULL && last / kWordBits >= places->words) {
      places->words = last / kWordBits + 1;
    }
    for (unsigned long cpu = first; places->masks != NULL && cpu <= last; ++cpu) {
      places->masks[place * places->words + cpu / kWordBits] |= 1UL << (cpu % kWordBits);
    }
    if (*text == '\0') break;
    if (*text != ',' && *text != ';') return -1;
    if (*text == ';') ++place;
    ++text;
  }
  places->count = place + 1;
  return 0;
}

static size_t bytes_of(const struct kinjo_places* places) {
  return places->count * places->words * sizeof *places->masks;
}

int kinjo_places_parse(const char* text, struct kinjo_places* places) {
  memset(places, 0, sizeof *places);
  if (walk(text, places) == 0) {
    // Not calloc: the program's allocator may start threads of its own when it is first called,
    // and would then wait for the initialisation that is calling it.
    void* zeroed =
        mmap(NULL, bytes_of(places), PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (zeroed != MAP_FAILED) {
      places->masks = zeroed;
      return walk(text, places);
    }
  }
  memset(places, 0, sizeof *places);
  return -1;
}

void kinjo_places_free(struct kinjo_places* places) {
  if (places->masks != NULL) munmap(places->masks, bytes_of(places));
  memset(places, 0, sizeof *places);
}

const unsigned long* kinjo_places_mask(const struct kinjo_places* places, unsigned long thread) {
  return places->masks + (thread % places->count) * places->words;
}
