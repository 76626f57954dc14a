/* A plugin of QEMU that counts the bytes which a program loads and stores, by virtual CPU, phase,
 * class (region, stack, barrier, other) and node of the physical address.
 *
 * Which accesses count: those of instructions at user addresses while counting is on (the launcher
 * turns it on for the command).  Instructions of the kernel have addresses with the top bit set and
 * are not instrumented at all; what the kernel copies or clears for the program is not counted.
 * Bytes are added up and not accesses, because one wide load arrives in pieces of up to 8 or 16
 * bytes.  An access that crosses a page counts whole for its first byte's page.
 *
 * Which accesses are the stack's: those near the stack pointer of the virtual CPU, which is known
 * from the last push, pop, call or return there.  Named regions go first, so an array on the stack
 * can be told apart.  A barrier is what the thread says is one, and goes before everything.
 *
 * Phases belong to the program as a whole: a mark on one CPU holds for all.  A CPU may have phases
 * of its own, which go before the program's.
 *
 * All virtual CPUs must run in one host thread (-accel tcg,thread=single): the marks of one CPU
 * change what the others count for, and nothing here is locked. */

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cache_model.h"
#include "qemu_plugin.h"
#include "speech.h"

PLUGIN_EXPORT int qemu_plugin_version = 1;
PLUGIN_EXPORT int qemu_plugin_install(qemu_plugin_id_t id, const qemu_info_t* info, int argc,
                                      char** argv);

enum { MAX_OPEN_PHASES = 256 };
/* A stack; the last one counts. */
struct open_phases {
  int phases[MAX_OPEN_PHASES];
  int count;
};
static const uint64_t kBelowStackPointer = 4096, kAboveStackPointer = 65536;

struct bytes {
  uint64_t loaded, stored;
  uint64_t fetched, written; /* between memory and the modelled cache */
};
/* The last column is for memory of no known node. */
typedef struct bytes table[MAX_CLASSES][MAX_NODES + 1];

static struct vcpu {
  table* phases[MAX_PHASES];
  struct open_phases own;
  uint64_t stack_pointer;
  int barrier_depth;
  struct cache cache;
} * vcpus;
static int vcpu_count;

static struct speech speech;
static bool counting, skip_outside;
static struct cache_shape cache_shape; /* no bytes: no model */
static struct open_phases program;
static const char* out_path;

static int classify(const struct vcpu* cpu, uint64_t vaddr) {
  if (cpu->barrier_depth) return CLASS_BARRIER;
  const int region = speech_region(&speech, vaddr);
  if (region >= 0) return region;
  const uint64_t lowest = cpu->stack_pointer - kBelowStackPointer;
  return vaddr - lowest < kBelowStackPointer + kAboveStackPointer ? CLASS_STACK : CLASS_OTHER;
}

static table* table_of(struct vcpu* cpu, int phase) {
  if (!cpu->phases[phase]) cpu->phases[phase] = calloc(1, sizeof(table));
  if (!cpu->phases[phase]) abort();
  return cpu->phases[phase];
}

/* What the access would move between the cache and memory.  A line that leaves counts for the
 * phase in which it leaves, and for the region and node for which it came. */
static void model(struct vcpu* cpu, table* counts, uint64_t address, bool store, int class_index,
                  int column) {
  struct cache_line left;
  if (!cache_access(&cpu->cache, address, store, class_index, column, &left)) return;
  (*counts)[class_index][column].fetched += cache_shape.line;
  if (left.number && left.changed)
    (*counts)[left.class_index][left.node].written += cache_shape.line;
}

static void count(struct vcpu* cpu, qemu_plugin_meminfo_t info, uint64_t vaddr) {
  const struct open_phases* open = cpu->own.count ? &cpu->own : &program;
  if (!open->count && skip_outside) return;
  struct qemu_plugin_hwaddr* where = qemu_plugin_get_hwaddr(info, vaddr);
  const bool memory = where && !qemu_plugin_hwaddr_is_io(where);
  const uint64_t address = memory ? qemu_plugin_hwaddr_phys_addr(where) : 0;
  const int node = memory ? speech_node(&speech, address) : -1;
  const int column = node < 0 ? MAX_NODES : node, class_index = classify(cpu, vaddr);
  table* counts = table_of(cpu, open->count ? open->phases[open->count - 1] : 0);
  struct bytes* bytes = &(*counts)[class_index][column];
  const uint64_t size = 1ull << qemu_plugin_mem_size_shift(info);
  const bool store = qemu_plugin_mem_is_store(info);
  *(store ? &bytes->stored : &bytes->loaded) += size;
  if (cache_shape.bytes && memory) model(cpu, counts, address, store, class_index, column);
}

/* Whether an access is the program's: when an interrupt arrives, the processor's own accesses to
 * the kernel's tables and stack are reported with the instruction that it interrupted. */
static bool is_user(uint64_t vaddr) { return !(vaddr >> 63); }

static void on_access(unsigned vcpu, qemu_plugin_meminfo_t info, uint64_t vaddr, void* unused) {
  (void)unused;
  if (counting && is_user(vaddr)) count(&vcpus[vcpu], info, vaddr);
}

/* Push, pop, call and return: for calls and pushes of memory operands both addresses arrive, and
 * the stack's is the last or the nearest; a wrong one is put right by the next instruction. */
static void on_stack(unsigned vcpu, qemu_plugin_meminfo_t info, uint64_t vaddr, void* unused) {
  (void)unused;
  if (!is_user(vaddr)) return;
  vcpus[vcpu].stack_pointer = vaddr;
  if (counting) count(&vcpus[vcpu], info, vaddr);
}

static void on_byte(unsigned vcpu, qemu_plugin_meminfo_t info, uint64_t vaddr, void* unused) {
  (void)vcpu, (void)info, (void)unused;
  if (is_user(vaddr)) speech_hear(&speech, vaddr >> 8, vaddr & 255);
}

static void on_probe(unsigned vcpu, qemu_plugin_meminfo_t info, uint64_t vaddr, void* unused) {
  (void)vcpu, (void)unused;
  if (!is_user(vaddr)) return;
  struct qemu_plugin_hwaddr* address = qemu_plugin_get_hwaddr(info, vaddr);
  if (address) speech_probe(&speech, qemu_plugin_hwaddr_phys_addr(address));
}

static void begin_phase(struct open_phases* open, uint32_t tag) {
  if (open->count < MAX_OPEN_PHASES)
    open->phases[open->count++] = speech_phase(&speech, tag);
  else if (!speech.complaint[0])
    strcpy(speech.complaint, "too many phases are open at a time");
}

/* Ends the phase of that tag which was opened last: threads may end theirs in any order. */
static void end_phase(struct open_phases* open, uint32_t tag) {
  const int phase = speech_phase(&speech, tag);
  for (int i = open->count; i-- > 0;) {
    if (open->phases[i] != phase) continue;
    memmove(&open->phases[i], &open->phases[i + 1], (--open->count - i) * sizeof open->phases[0]);
    return;
  }
}

static void on_mark(unsigned vcpu, void* mark) {
  const uint32_t value = (uint32_t)(uintptr_t)mark, tag = value & KINJO_LAB_TAG_MASK;
  switch (value >> KINJO_LAB_TAG_BITS & 15) {
    case KINJO_LAB_PHASE_BEGIN:
      begin_phase(&program, tag);
      break;
    case KINJO_LAB_PHASE_END:
      end_phase(&program, tag);
      break;
    case KINJO_LAB_CPU_PHASE_BEGIN:
      begin_phase(&vcpus[vcpu].own, tag);
      break;
    case KINJO_LAB_CPU_PHASE_END:
      end_phase(&vcpus[vcpu].own, tag);
      break;
    case KINJO_LAB_BARRIER_BEGIN:
      ++vcpus[vcpu].barrier_depth;
      break;
    case KINJO_LAB_BARRIER_END:
      if (vcpus[vcpu].barrier_depth) --vcpus[vcpu].barrier_depth;
      break;
    case KINJO_LAB_COUNT_ON:
      counting = true;
      break;
    case KINJO_LAB_COUNT_OFF:
      counting = false;
      break;
  }
}

/* Whether it moves the stack pointer by its nature: push, pop, call, return, leave. */
static bool is_stack_instruction(const uint8_t* code, size_t size) {
  if (size > 1 && code[0] >= 0x40 && code[0] <= 0x4f) ++code; /* REX */
  return (code[0] >= 0x50 && code[0] <= 0x5f) || code[0] == 0x68 || code[0] == 0x6a ||
         code[0] == 0xe8 || code[0] == 0xc3 || code[0] == 0xc9;
}

static uint32_t little_endian(const uint8_t* bytes) {
  return bytes[0] | bytes[1] << 8 | bytes[2] << 16 | (uint32_t)bytes[3] << 24;
}

static qemu_plugin_vcpu_mem_cb_t access_callback(const uint8_t* code, size_t size) {
  if (size == 6 && code[0] == 0x8a && code[1] == 0x87) {
    const uint32_t displacement = little_endian(code + 2);
    if (displacement == KINJO_LAB_BYTE_DISP) return on_byte;
    if (displacement == KINJO_LAB_PROBE_DISP) return on_probe;
  }
  return is_stack_instruction(code, size) ? on_stack : on_access;
}

static void on_translation(qemu_plugin_id_t id, struct qemu_plugin_tb* block) {
  (void)id;
  static const uint8_t no_op[] = {0x0f, 0x1f, 0x84, 0x00};
  const size_t instructions = qemu_plugin_tb_n_insns(block);
  for (size_t i = 0; i < instructions; ++i) {
    struct qemu_plugin_insn* insn = qemu_plugin_tb_get_insn(block, i);
    if (!is_user(qemu_plugin_insn_vaddr(insn))) continue;
    const uint8_t* code = qemu_plugin_insn_data(insn);
    const size_t size = qemu_plugin_insn_size(insn);
    if (size == 8 && !memcmp(code, no_op, 4) && code[7] == KINJO_LAB_MARK >> 24)
      qemu_plugin_register_vcpu_insn_exec_cb(insn, on_mark, QEMU_PLUGIN_CB_NO_REGS,
                                             (void*)(uintptr_t)little_endian(code + 4));
    else
      qemu_plugin_register_vcpu_mem_cb(insn, access_callback(code, size), QEMU_PLUGIN_CB_NO_REGS,
                                       QEMU_PLUGIN_MEM_RW, NULL);
  }
}

static void write_names(FILE* out, const char* key, char names[][KINJO_LAB_NAME_BYTES + 1], int n) {
  fprintf(out, "\"%s\":[", key);
  for (int i = 0; i < n; ++i) fprintf(out, "%s\"%s\"", i ? "," : "", names[i]);
  fprintf(out, "],\n");
}

static void write_table(FILE* out, int cpu, int phase, table* counts, bool* first) {
  for (int c = 0; c < speech.class_count; ++c)
    for (int n = 0; n <= MAX_NODES; ++n) {
      const struct bytes* bytes = &(*counts)[c][n];
      if (!bytes->loaded && !bytes->stored && !bytes->written) continue;
      fprintf(out, "%s[%d,%d,%d,%d,%" PRIu64 ",%" PRIu64 ",%" PRIu64 ",%" PRIu64 "]",
              *first ? "" : ",\n", cpu, phase, c, n == MAX_NODES ? -1 : n, bytes->loaded,
              bytes->stored, bytes->fetched, bytes->written);
      *first = false;
    }
}

/* Writes what was counted: rows of CPU, phase, class, node (-1: none known), and the bytes loaded,
 * stored, fetched and written. */
static void on_end(qemu_plugin_id_t id, void* unused) {
  (void)id, (void)unused;
  FILE* out = fopen(out_path, "w");
  if (!out) return;
  fprintf(out, "{");
  write_names(out, "phases", speech.phases, speech.phase_count);
  write_names(out, "classes", speech.classes, speech.class_count);
  fprintf(out, "\"calibrated\":[");
  for (int n = 0; n < speech.node_count; ++n)
    fprintf(out, "%s%s", n ? "," : "", speech.nodes[n].known ? "true" : "false");
  fprintf(out, "],\n\"complaint\":\"%s\",\n\"rows\":[\n", speech.complaint);
  bool first = true;
  for (int cpu = 0; cpu < vcpu_count; ++cpu)
    for (int phase = 0; phase < speech.phase_count; ++phase)
      if (vcpus[cpu].phases[phase]) write_table(out, cpu, phase, vcpus[cpu].phases[phase], &first);
  fprintf(out, "\n]}\n");
  fclose(out);
}

/* out=FILE, low=MIB (memory below 4 GiB), nodes=MIB:MIB:... (memory of each node),
 * cache=BYTES:WAYS:LINE (model a cache of each CPU), outside=no (count in phases only). */
static void read_option(const char* option) {
  if (!strcmp(option, "outside=no")) skip_outside = true;
  if (!strncmp(option, "cache=", 6)) {
    char* next = (char*)option + 5;
    cache_shape.bytes = strtoull(next + 1, &next, 10);
    cache_shape.ways = strtoull(next + (*next == ':'), &next, 10);
    cache_shape.line = strtoull(next + (*next == ':'), &next, 10);
  }
  if (!strncmp(option, "out=", 4)) out_path = strdup(option + 4);
  if (!strncmp(option, "low=", 4)) speech.low_bytes = strtoull(option + 4, NULL, 10) << 20;
  if (strncmp(option, "nodes=", 6)) return;
  char* at = (char*)option + 5;
  while (*at && speech.node_count < MAX_NODES)
    speech.node_bytes[speech.node_count++] = strtoull(at + 1, &at, 10) << 20;
}

int qemu_plugin_install(qemu_plugin_id_t id, const qemu_info_t* info, int argc, char** argv) {
  speech_init(&speech);
  for (int i = 0; i < argc; ++i) read_option(argv[i]);
  vcpu_count = info->system.max_vcpus;
  vcpus = calloc(vcpu_count, sizeof vcpus[0]);
  if (!info->system_emulation || !out_path || !speech.node_count || !vcpus) return 1;
  for (int i = 0; i < vcpu_count && cache_shape.bytes; ++i)
    if (!cache_init(&vcpus[i].cache, cache_shape)) return 1;
  qemu_plugin_register_vcpu_tb_trans_cb(id, on_translation);
  qemu_plugin_register_atexit_cb(id, on_end, NULL);
  return 0;
}
