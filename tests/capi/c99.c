/* A C program's view of kinjo.h, compiled as strict C99; header_test.cpp calls it. */
#include <kinjo/kinjo.h>

static int add_rank(void* context, const kinjo_place* me) {
  int* sums = context;
  sums[me->thread] = me->thread + 1;
  return KINJO_OK;
}

/* Uses a part of every section of the header; the number of the first step that failed, else 0. */
int kinjo_c99_walk(void) {
  int sums[2] = {0, 0};
  double vector[3] = {1, -4, 2};
  const uint32_t ends[4] = {0, 1, 1, 2};
  int32_t parents[3] = {9, 9, 9};
  kinjo_bfs_result found;
  kinjo_graph* graph = kinjo_graph_from_edges(NULL, 3, 2, ends, 0);
  kinjo_bfs* bfs = kinjo_bfs_create(graph, NULL);
  const kinjo_problem trees = {.kind = KINJO_SPANNING_TREES};
  kinjo_network* network = kinjo_network_open(NULL, "complete:4", 0);
  kinjo_family* family = kinjo_family_create(network, &trees);
  char* digits = kinjo_family_count(family, NULL, 0);
  kinjo_place place;
  kinjo_topology* machine = kinjo_topology_from("synthetic:pack:2 numa:1 core:2 pu:1");
  kinjo_mapping* mapping = kinjo_mapping_create(machine, "scatter", 3, 0);
  kinjo_mapping* free_threads = kinjo_mapping_create(machine, "none", 2, 0);
  kinjo_team* team = kinjo_team_create(free_threads, 0);
  int step = 0;
  if (kinjo_topology_cpu_count(machine) != 4) step = 1;
  if (kinjo_mapping_get_place(mapping, 1, &place) != KINJO_OK || place.node != 1) step = 2;
  if (kinjo_team_run(team, add_rank, sums) != KINJO_OK || sums[0] + sums[1] != 3) step = 3;
  if (kinjo_here().thread != -1) step = 4;
  if (kinjo_mapping_size(NULL) != KINJO_INVALID_ARGUMENT) step = 5;
  if (kinjo_ddot(3, vector, 1, vector, -1) != 20) step = 6;
  if (kinjo_idamax(3, vector, 1) != 1) step = 7;
  if (kinjo_bfs_run(bfs, 2, parents, &found) != KINJO_OK || found.reached != 3) step = 8;
  if (parents[0] != 1 || parents[1] != 2 || parents[2] != 2) step = 9;
  if (!digits || digits[0] != '1' || digits[1] != '6' || digits[2] != 0) step = 10;
  kinjo_count_free(digits);
  kinjo_family_free(family);
  kinjo_network_free(network);
  kinjo_bfs_free(bfs);
  kinjo_graph_free(graph);
  kinjo_team_free(team);
  kinjo_mapping_free(free_threads);
  kinjo_mapping_free(mapping);
  kinjo_topology_free(machine);
  return step;
}
