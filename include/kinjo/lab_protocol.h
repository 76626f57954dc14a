#ifndef KINJO_LAB_PROTOCOL_H
#define KINJO_LAB_PROTOCOL_H
/* What a program in the laboratory says to the access counter, and how.  Plain C.
 *
 * The counter (tests/guest/plugin) sees the instructions of a virtual CPU and the addresses of
 * their memory accesses, but neither registers nor memory contents.  So everything is said by
 * instructions that mean nothing to a real CPU:
 *
 * - A mark is the 8-byte no-op `nopl imm32(%rax,%rax,1)` whose immediate is
 *   'k' << 24 | operation << 20 | tag.  Compilers pad with the same no-op, but with immediate 0.
 * - A byte is said by the load `movb disp32(%rdi), %al` with a displacement that no compiler
 *   would choose, from a board of 256 bytes which is aligned to 256: the low 8 bits of the loaded
 *   address are the byte, the rest of it tells one sender from another.  Each load carries its
 *   mark in itself, so an interrupt, a change of CPU or another thread between two bytes does no
 *   harm; a program sends one message at a time.
 *
 * A message is its length (one byte), then that many bytes: the kind, then its payload, numbers
 * in little-endian order and names without a final zero. */

#include <stdint.h>

#define KINJO_LAB_MARK 0x6b000000u /* 'k' << 24 */
#define KINJO_LAB_TAG_BITS 20
#define KINJO_LAB_TAG_MASK 0xfffffu

/* What a mark says. */
enum kinjo_lab_operation {
  KINJO_LAB_PHASE_BEGIN = 1, /* tag: the phase */
  KINJO_LAB_PHASE_END = 2,   /* tag: the phase */
  KINJO_LAB_BARRIER_BEGIN = 3,
  KINJO_LAB_BARRIER_END = 4,
  KINJO_LAB_COUNT_ON = 5,
  KINJO_LAB_COUNT_OFF = 6,
  KINJO_LAB_CPU_PHASE_BEGIN = 7, /* tag: the phase, of the CPU that says so */
  KINJO_LAB_CPU_PHASE_END = 8    /* tag: the phase */
};

#define KINJO_LAB_BYTE_DISP 0x6b4c4142  /* the load says a byte */
#define KINJO_LAB_PROBE_DISP 0x6b4c4150 /* the load's physical address belongs to the last 'C' */

/* The kind of a message, and its payload. */
enum kinjo_lab_message {
  KINJO_LAB_NAME = 'P',       /* u32 tag, name of the phase */
  KINJO_LAB_REGION = 'R',     /* u64 address, u64 bytes, name */
  KINJO_LAB_FORGET = 'U',     /* u64 address */
  KINJO_LAB_CALIBRATION = 'C' /* u32 node, u64 guest physical address of the page probed next */
};

#define KINJO_LAB_NAME_BYTES 64 /* longer names are cut */

/* A region of this name counts as barrier, whichever thread and CPU reads or writes it. */
#define KINJO_LAB_BARRIER_REGION "(barrier)"

#if defined(__x86_64__) && defined(__GNUC__)
#define KINJO_LAB_CAN_SPEAK 1
/* Emits a mark; both arguments are constants. Ordered with the memory accesses around it. */
#define KINJO_LAB_EMIT(operation, tag)                                                      \
  __asm__ volatile(".byte 0x0f, 0x1f, 0x84, 0x00\n.long %c0"                                \
                   :                                                                        \
                   : "i"((int)(KINJO_LAB_MARK | (operation) << KINJO_LAB_TAG_BITS | (tag))) \
                   : "memory")
/* Emits a marked load of one byte; `displacement` is one of the two above. */
#define KINJO_LAB_LOAD(displacement, address)                                                 \
  __asm__ volatile(".byte 0x8a, 0x87\n.long %c0"                                              \
                   :                                                                          \
                   : "i"(displacement), "D"((uintptr_t)(address) - (uintptr_t)(displacement)) \
                   : "rax", "memory")
#endif

#endif
