// The way out of a maze: a graph of edges, searched from its exit.
//
//   cc maze.c $(pkg-config --cflags --libs kinjo)      ./a.out
#include <kinjo/kinjo.h>
#include <stdint.h>
#include <stdio.h>

// Doors between rooms 0 to 7; room 7 has none.
static const uint32_t doors[] = {0, 1, 1, 2, 2, 3, 1, 4, 4, 5, 5, 6, 6, 3};

int main(void) {
  int32_t next[8];  // the room to go to from each, on the shortest way to the exit
  kinjo_bfs_result found;
  kinjo_graph* maze = kinjo_graph_from_edges(NULL, 8, sizeof doors / sizeof doors[0] / 2, doors, 0);
  kinjo_bfs* bfs = maze ? kinjo_bfs_create(maze, NULL) : NULL;
  if (!bfs || kinjo_bfs_run(bfs, 3, next, &found) != KINJO_OK) {
    fprintf(stderr, "bfs: %s\n", kinjo_last_error());
    return 1;
  }
  kinjo_bfs_free(bfs);
  kinjo_graph_free(maze);

  printf("the exit is reached from %d rooms\n", (int)found.reached);
  printf("the way out:");
  for (int32_t room = 0;; room = next[room]) {
    printf(" %d", (int)room);
    if (room == next[room]) break;
  }
  printf("\nroom 7: %s\n", next[7] < 0 ? "no way out" : "WRONG");
  return 0;
}
