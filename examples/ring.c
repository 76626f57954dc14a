// Cells from C: each puts its number into the next one's memory and raises a flag there.
#include <kinjo/kinjo.h>
#include <stdio.h>

enum { kCells = 4 };

static int pass_on(void* context, kinjo_world* world) {
  const int me = kinjo_world_cell(world);
  const uint64_t number = (uint64_t)me + 1;
  uint64_t at = 0;  // of the value, and behind it its flag
  double sum = me;
  (void)context;
  if (kinjo_world_allocate(world, 16, 64, -1, &at) < 0) return kinjo_last_status();
  const kinjo_signal arrived = {.flag = at + 8, .value = 1};
  if (kinjo_world_put_short(world, (me + 1) % kCells, at, number, 8, &arrived, -1) < 0 ||
      kinjo_world_wait_flag(world, at + 8, KINJO_UNTIL_EQUAL, 1, -1, NULL) < 0 ||
      kinjo_world_all_reduce(world, &sum, 1, KINJO_SUM, -1) < 0) {
    return kinjo_last_status();
  }
  if (me == 0) {
    const uint64_t* value = kinjo_world_local(world, at);
    printf("cell 0 has %d, the sum of all is %g\n", (int)*value, sum);
  }
  return kinjo_world_barrier(world, -1);
}

int main(void) {
  kinjo_topology* machine = kinjo_topology_discover();
  kinjo_mapping* mapping =
      machine ? kinjo_mapping_create(machine, "none", kCells, KINJO_OVERSUBSCRIBE) : NULL;
  kinjo_team* team = mapping ? kinjo_team_create(mapping, 0) : NULL;
  const kinjo_world_options options = {.heap_bytes = 1 << 16};
  const int failed = !team || kinjo_world_run_threads(team, &options, pass_on, NULL) != KINJO_OK;
  if (failed) fprintf(stderr, "ring: %s\n", kinjo_last_error());
  kinjo_team_free(team);
  kinjo_mapping_free(mapping);
  kinjo_topology_free(machine);
  return failed;
}
