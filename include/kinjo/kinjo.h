/// kinjo for C: the machine, placement, pinned threads, memory on chosen nodes, and what computes
/// on them: BLAS-1, matrix multiply, Fourier transforms, graphs, paths, and cells. Pure C99.
///
/// *Status.* A function that returns `int` returns 0 or more, or a negative `kinjo_status`; one
/// that returns a pointer returns NULL on failure. `kinjo_last_error` then says in one line what
/// was wrong. (What is named as in CBLAS returns what CBLAS does; its sections say what then.) No
/// C++ exception leaves a function of this header.
///
/// *Numbers.* `cpu`, `node` and `package` are the operating system's numbers, which may have gaps;
/// −1 means that there is none or that the system decides. A `node_index` is something else: it
/// counts the nodes that have threads, 0, 1, 2 … without gaps, so that arrays can be indexed by it.
///
/// *Ownership.* What `_discover`, `_from`, `_create` or `_alloc…` returns belongs to the caller,
/// who hands it to the `_free` (or `_undo`) of the same noun. `_free(NULL)` does nothing.
///
/// *Threads.* Functions may be called by any thread at any time, unless they say otherwise.
#ifndef KINJO_KINJO_H
#define KINJO_KINJO_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

// ---- Errors ------------------------------------------------------------------------------------

typedef enum kinjo_status {
  KINJO_OK = 0,
  KINJO_INVALID_ARGUMENT = -1,  ///< a value that was passed is not acceptable
  KINJO_BAD_INPUT = -2,         ///< a file, or a variable of the environment, is malformed
  KINJO_NOT_FOUND = -3,         ///< a file, node, CPU or thread does not exist
  KINJO_NOT_PERMITTED = -4,     ///< the system refused (EPERM, EACCES, seccomp)
  KINJO_NOT_SUPPORTED = -5,     ///< the system cannot do this
  KINJO_OUT_OF_MEMORY = -6,     ///< not enough memory, or a limit on it
  KINJO_SYSTEM = -7,            ///< another system call failed; the message holds its errno
  KINJO_USAGE = -8,             ///< a call at a moment when it is not allowed
  KINJO_TIMED_OUT = -9,         ///< a wait has lasted longer than its caller allowed
  KINJO_CELL_LOST = -10         ///< another cell has died or cannot be reached
} kinjo_status;

/// The calling thread's last failure: its status (`KINJO_OK` if there was none) and its message (an
/// empty string). Success changes neither. The text stays until the thread's next failure.
int kinjo_last_status(void);
const char* kinjo_last_error(void);

/// A status in words, e.g. `"not_found"`; `"ok"` for 0 and more, `"unknown"` for other numbers.
const char* kinjo_status_name(int status);

/// The library's version, e.g. `"0.1.0"`.
const char* kinjo_version(void);

// ---- The machine -------------------------------------------------------------------------------

typedef struct kinjo_topology kinjo_topology;

typedef struct kinjo_cpu {
  int cpu;
  int node;  ///< nearest node with ordinary memory, −1: none
  int package;
  int core;     ///< rank of the core in its package
  int smt;      ///< rank in the core
  int allowed;  ///< 1: this process may use it, 0: it may not
} kinjo_cpu;

typedef struct kinjo_node {
  int node;
  int cpu_count;          ///< local CPUs, allowed or not; 0 for memory of its own
  int allowed;            ///< 1: this process may have memory there
  uint64_t memory_bytes;  ///< 0 where a description does not say
} kinjo_node;

/// The running system. For the duration of the call it sets HWLOC_PLUGINS_PATH to nothing and
/// HWLOC_HIDE_ERRORS to 2, unless they are so already: no other thread may read or change the
/// environment meanwhile. What needs to know this machine does the same once, at its first call.
/// `KINJO_BAD_INPUT` where a variable such as HWLOC_XMLFILE makes hwloc describe another machine.
kinjo_topology* kinjo_topology_discover(void);
/// Another machine: an hwloc XML file, a directory with a `/sys` and `/proc` tree, or
/// `synthetic:pack:2 numa:1 core:4 pu:2`. No thread may change the environment meanwhile.
kinjo_topology* kinjo_topology_from(const char* input);
void kinjo_topology_free(kinjo_topology* topology);

/// How many there are of each; what `…_get_cpu` and `…_get_node` count up to.
int kinjo_topology_cpu_count(const kinjo_topology* topology);
int kinjo_topology_allowed_cpu_count(const kinjo_topology* topology);
int kinjo_topology_node_count(const kinjo_topology* topology);
int kinjo_topology_package_count(const kinjo_topology* topology);

/// The index-th CPU in hwloc's order, or node in ascending order; 0 ≤ index < count.
int kinjo_topology_get_cpu(const kinjo_topology* topology, int index, kinjo_cpu* out);
int kinjo_topology_get_node(const kinjo_topology* topology, int index, kinjo_node* out);
/// The CPU or node with this OS number; `KINJO_NOT_FOUND` if there is none.
int kinjo_topology_find_cpu(const kinjo_topology* topology, int cpu, kinjo_cpu* out);
int kinjo_topology_find_node(const kinjo_topology* topology, int node, kinjo_node* out);
/// SLIT distance between two nodes (10: the same); `KINJO_NOT_FOUND` where the machine is silent.
int kinjo_topology_distance(const kinjo_topology* topology, int from_node, int to_node);

// ---- Mappings ----------------------------------------------------------------------------------

/// The table thread → place. Immutable, and independent of the topology once made.
typedef struct kinjo_mapping kinjo_mapping;

/// Where a thread is. Numbers are −1 where the policy leaves the thread to the system.
typedef struct kinjo_place {
  int thread;  ///< 0 … threads−1
  int cpu;
  int node;
  int package;
  int core;          ///< rank of the core in its package
  int smt;           ///< rank in the core
  int rank_in_node;  ///< 0 … node_threads−1, in the order of threads
  int node_threads;  ///< threads of the mapping on this node
} kinjo_place;

/// Flags, joined by `|`. Each function names those it takes and refuses the rest.
enum {
  KINJO_OVERSUBSCRIBE = 1,  ///< with more threads than CPUs, deal the CPUs again from the first
  KINJO_BIND_CORE = 2,      ///< hold threads to their core instead of their CPU
  KINJO_BIND_NODE = 4,      ///< hold threads to their node instead of their CPU
  KINJO_HUGE_PAGES = 8      ///< advise transparent huge pages, and align to them
};

/// Deals the machine's allowed CPUs to `threads` (≥ 1) threads. `policy` is `none`, `scatter`,
/// `compact`, `compact-plus`, an order of levels such as `smt,core,node`, or a list such as
/// `cpus:0-3,8`. Flags: `KINJO_OVERSUBSCRIBE`; without it, too many threads are refused.
kinjo_mapping* kinjo_mapping_create(const kinjo_topology* topology, const char* policy, int threads,
                                    unsigned flags);
void kinjo_mapping_free(kinjo_mapping* mapping);

/// Number of threads.
int kinjo_mapping_size(const kinjo_mapping* mapping);
/// Row `thread` of the table; `KINJO_NOT_FOUND` beyond its end.
int kinjo_mapping_get_place(const kinjo_mapping* mapping, int thread, kinjo_place* out);
/// Nodes that have threads. Policy `none` counts as one node, whose number is −1.
int kinjo_mapping_node_count(const kinjo_mapping* mapping);
/// The OS number of a node (≥ −1), in the order in which threads first reach them;
/// `KINJO_NOT_FOUND` beyond the end.
int kinjo_mapping_get_node(const kinjo_mapping* mapping, int node_index, int* node);
/// Threads on a node.
int kinjo_mapping_node_threads(const kinjo_mapping* mapping, int node_index);

// ---- Pinning the calling thread to a row of a mapping -------------------------------------------

typedef struct kinjo_binding kinjo_binding;

/// Pins the calling thread to its place, which `kinjo_here` then tells. A row without a CPU (policy
/// `none`) leaves the thread free. Bindings nest. Flags: `KINJO_BIND_CORE` or `KINJO_BIND_NODE`.
/// If the system refuses, the thread is as it was.
kinjo_binding* kinjo_binding_create(const kinjo_mapping* mapping, int thread, unsigned flags);
/// Restores what the binding found, and frees it. `KINJO_USAGE`, and nothing is done, unless it is
/// the calling thread's latest binding. NULL is ignored.
int kinjo_binding_undo(kinjo_binding* binding);

/// A copy of the calling thread's place; no system call. A thread that nobody bound is at −1.
kinjo_place kinjo_here(void);
/// The CPU that runs the calling thread at this moment, asked of the kernel; stale at once unless
/// the thread is pinned.
int kinjo_current_cpu(void);

// ---- Memory ------------------------------------------------------------------------------------

/// `bytes` of zero-filled, page-aligned memory on a node of this machine (its OS number). NULL:
/// `KINJO_NOT_FOUND` if there is no such node or it may not be used, `KINJO_INVALID_ARGUMENT` for 0
/// bytes, `KINJO_OUT_OF_MEMORY`. If the kernel refuses to place it, the memory is returned all the
/// same, and `kinjo_memory_placement` says so. Flags: `KINJO_HUGE_PAGES`.
void* kinjo_memory_alloc_on(int node, size_t bytes, unsigned flags);
/// The same with pages dealt in turn to `count` nodes.
void* kinjo_memory_alloc_interleaved(const int* nodes, int count, size_t bytes, unsigned flags);
/// Frees what the two above or `kinjo_node_alloc` returned; `KINJO_INVALID_ARGUMENT` for any other
/// address, also for one that was freed before.
int kinjo_memory_free(void* memory);

/// What came of the wish for a node.
typedef enum kinjo_rung {
  KINJO_BOUND = 0,        ///< the kernel accepted it
  KINJO_FIRST_TOUCH = 1,  ///< it refused; a thread pinned on the node touched every page
  KINJO_UNPLACED = 2      ///< neither was possible, or nothing was asked
} kinjo_rung;

/// The rung for memory of the functions above (its first byte). `message`, if not NULL, gets one
/// line on what happened instead, empty if `KINJO_BOUND`; it lives until the memory is freed.
int kinjo_memory_placement(const void* memory, const char** message);

/// Nodes that a `kinjo_audit` has room for.
enum { KINJO_AUDIT_NODES = 64 };

/// Pages of a range by the node that holds them.
typedef struct kinjo_audit {
  size_t page_bytes;   ///< the unit that was asked about
  size_t pages;        ///< in the range
  size_t not_present;  ///< never touched, or swapped out
  size_t unknown;      ///< the kernel did not say
  int refusal;         ///< errno of `move_pages` where it was refused
  int node_count;      ///< nodes that hold pages, at most KINJO_AUDIT_NODES are listed
  struct {
    int node;
    size_t pages;
  } nodes[KINJO_AUDIT_NODES];  ///< ascending
  size_t elsewhere;            ///< pages on nodes that found no room in the list
} kinjo_audit;

/// Asks the kernel about every page that overlaps `[data, data + bytes)`; any memory. Moves
/// nothing. `KINJO_INVALID_ARGUMENT` for a range that goes on where addresses end.
int kinjo_memory_audit(const void* data, size_t bytes, kinjo_audit* out);

// ---- Teams -------------------------------------------------------------------------------------

/// Persistent pinned threads, one for each row of a mapping.
typedef struct kinjo_team kinjo_team;

/// What each thread runs. 0: all went well. Anything else ends the run: the team's barriers then
/// fail in the other threads, so that nobody waits for this one.
typedef int (*kinjo_team_function)(void* context, const kinjo_place* me);

/// Flags: `KINJO_BIND_CORE` or `KINJO_BIND_NODE`. The mapping is copied.
kinjo_team* kinjo_team_create(const kinjo_mapping* mapping, unsigned flags);
/// Ends the threads. Not inside a run.
void kinjo_team_free(kinjo_team* team);
int kinjo_team_size(const kinjo_team* team);
/// Runs `function(context, place)` once in every thread and returns when all have: 0, or what the
/// first function that failed returned (with a negative status its message too). `KINJO_USAGE` if
/// called from one of its own threads, by two threads at once, or in a child that was forked off,
/// to which the threads did not come. The team stays usable. Its threads have SIGINT, SIGTERM,
/// SIGHUP and SIGQUIT blocked, and so have programs that they start.
int kinjo_team_run(kinjo_team* team, kinjo_team_function function, void* context);
/// Inside a run: waits for all threads of the team, or for those on the caller's node.
/// `KINJO_USAGE` outside of a run, and when another thread has failed: then return.
int kinjo_team_barrier(kinjo_team* team);
int kinjo_team_node_barrier(kinjo_team* team);

// ---- BLAS level 1 ------------------------------------------------------------------------------
//
// One thread. The names of CBLAS with kinjo_ in front take what <cblas.h> declares, sizes of int
// too: a program that calls `cblas_ddot` calls `kinjo_ddot` by a change of name
// (-Dcblas_ddot=kinjo_ddot). `…_64` is the same for sizes of 64 bits, as the others have. Letters
// d: double, s: float. Element i of x is x[i·incx], or x[(i − n + 1)·incx] for a negative incx: x
// is the lowest address. n ≤ 0 is no element, and x and y may then be NULL.
//
// *Increments* are taken as the reference BLAS takes them. `asum`, `sum`, `iamax` and `scal` have
// no elements unless incx > 0; the others take any. An input of increment 0 repeats its element, an
// output of increment 0 is written n times in order.
//
// *Errors.* NULL for elements, and an x that overlaps y without being the same elements: nothing is
// written, a sum is NaN, an index SIZE_MAX, and `kinjo_last_error` says why.
//
// *Modes.* The bits of a fast sum depend on the level of vector instructions, on alignment and on
// increments, those of a fast `axpy` on the level and on increments; those of `…_reproducible`
// depend on the elements alone. docs/blas1.md has errors and orders.

/// Σ x_i·y_i
double kinjo_ddot(int n, const double* x, int incx, const double* y, int incy);
double kinjo_ddot_64(ptrdiff_t n, const double* x, ptrdiff_t incx, const double* y, ptrdiff_t incy);
float kinjo_sdot(int n, const float* x, int incx, const float* y, int incy);
float kinjo_sdot_64(ptrdiff_t n, const float* x, ptrdiff_t incx, const float* y, ptrdiff_t incy);
double kinjo_ddot_reproducible(ptrdiff_t n, const double* x, ptrdiff_t incx, const double* y,
                               ptrdiff_t incy);
float kinjo_sdot_reproducible(ptrdiff_t n, const float* x, ptrdiff_t incx, const float* y,
                              ptrdiff_t incy);
/// √Σ x_i², safe against overflow and underflow
double kinjo_dnrm2(int n, const double* x, int incx);
double kinjo_dnrm2_64(ptrdiff_t n, const double* x, ptrdiff_t incx);
float kinjo_snrm2(int n, const float* x, int incx);
float kinjo_snrm2_64(ptrdiff_t n, const float* x, ptrdiff_t incx);
double kinjo_dnrm2_reproducible(ptrdiff_t n, const double* x, ptrdiff_t incx);
float kinjo_snrm2_reproducible(ptrdiff_t n, const float* x, ptrdiff_t incx);
/// Σ |x_i|
double kinjo_dasum(int n, const double* x, int incx);
double kinjo_dasum_64(ptrdiff_t n, const double* x, ptrdiff_t incx);
float kinjo_sasum(int n, const float* x, int incx);
float kinjo_sasum_64(ptrdiff_t n, const float* x, ptrdiff_t incx);
double kinjo_dasum_reproducible(ptrdiff_t n, const double* x, ptrdiff_t incx);
float kinjo_sasum_reproducible(ptrdiff_t n, const float* x, ptrdiff_t incx);
/// Σ x_i
double kinjo_dsum(int n, const double* x, int incx);
double kinjo_dsum_64(ptrdiff_t n, const double* x, ptrdiff_t incx);
float kinjo_ssum(int n, const float* x, int incx);
float kinjo_ssum_64(ptrdiff_t n, const float* x, ptrdiff_t incx);
double kinjo_dsum_reproducible(ptrdiff_t n, const double* x, ptrdiff_t incx);
float kinjo_ssum_reproducible(ptrdiff_t n, const float* x, ptrdiff_t incx);
/// Σ x_i²
double kinjo_dssq(ptrdiff_t n, const double* x, ptrdiff_t incx);
float kinjo_sssq(ptrdiff_t n, const float* x, ptrdiff_t incx);
double kinjo_dssq_reproducible(ptrdiff_t n, const double* x, ptrdiff_t incx);
float kinjo_sssq_reproducible(ptrdiff_t n, const float* x, ptrdiff_t incx);
/// The first i, from 0, with the largest |x_i|, or of the first NaN; 0 for no elements
size_t kinjo_idamax(int n, const double* x, int incx);
size_t kinjo_idamax_64(ptrdiff_t n, const double* x, ptrdiff_t incx);
size_t kinjo_isamax(int n, const float* x, int incx);
size_t kinjo_isamax_64(ptrdiff_t n, const float* x, ptrdiff_t incx);
/// y ← a·x + y; `…_reproducible` rounds product and sum each
void kinjo_daxpy(int n, double a, const double* x, int incx, double* y, int incy);
void kinjo_daxpy_64(ptrdiff_t n, double a, const double* x, ptrdiff_t incx, double* y,
                    ptrdiff_t incy);
void kinjo_saxpy(int n, float a, const float* x, int incx, float* y, int incy);
void kinjo_saxpy_64(ptrdiff_t n, float a, const float* x, ptrdiff_t incx, float* y, ptrdiff_t incy);
void kinjo_daxpy_reproducible(ptrdiff_t n, double a, const double* x, ptrdiff_t incx, double* y,
                              ptrdiff_t incy);
void kinjo_saxpy_reproducible(ptrdiff_t n, float a, const float* x, ptrdiff_t incx, float* y,
                              ptrdiff_t incy);
/// x ← a·x
void kinjo_dscal(int n, double a, double* x, int incx);
void kinjo_dscal_64(ptrdiff_t n, double a, double* x, ptrdiff_t incx);
void kinjo_sscal(int n, float a, float* x, int incx);
void kinjo_sscal_64(ptrdiff_t n, float a, float* x, ptrdiff_t incx);
/// y ← x
void kinjo_dcopy(int n, const double* x, int incx, double* y, int incy);
void kinjo_dcopy_64(ptrdiff_t n, const double* x, ptrdiff_t incx, double* y, ptrdiff_t incy);
void kinjo_scopy(int n, const float* x, int incx, float* y, int incy);
void kinjo_scopy_64(ptrdiff_t n, const float* x, ptrdiff_t incx, float* y, ptrdiff_t incy);

// ---- Matrix multiplication ---------------------------------------------------------------------
//
// With what <cblas.h> declares, and enumerations of CBLAS's values: a program that calls
// `cblas_dgemm` calls `kinjo_dgemm` by a change of name (-Dcblas_dgemm=kinjo_dgemm). Compilers pass
// CBLAS's enumerations as `unsigned`. `…_64` is for sizes of 64 bits, and says whether it went
// well.

typedef enum kinjo_order { KINJO_ROW_MAJOR = 101, KINJO_COL_MAJOR = 102 } kinjo_order;
typedef enum kinjo_transpose {
  KINJO_NO_TRANS = 111,
  KINJO_TRANS = 112,
  KINJO_CONJ_TRANS = 113  ///< for real numbers the same as `KINJO_TRANS`
} kinjo_transpose;

/// C ← alpha·op(A)·op(B) + beta·C. C is m × n, op(A) m × k and op(B) k × n; op(X) is X or its
/// transpose. `lda`, `ldb` and `ldc` are the elements from one row (column) to the next of what
/// lies in memory. beta = 0: C is not read; alpha = 0: A and B are not read, and may be NULL. Else
/// C must share no memory with A or B. `order` and the transposes are CBLAS's numbers.
///
/// By the calling thread, or over the team of `kinjo_gemm_use_team`. What is refused leaves C
/// unchanged, and `kinjo_last_error` says why. `…_64` also returns a status: 0;
/// `KINJO_INVALID_ARGUMENT`; `KINJO_OUT_OF_MEMORY`, where a thread gets no memory for its copies
/// (others may have written their parts of C then); or that of a `KINJO_SIMD` that is not accepted.
void kinjo_dgemm(unsigned order, unsigned transpose_a, unsigned transpose_b, int m, int n, int k,
                 double alpha, const double* a, int lda, const double* b, int ldb, double beta,
                 double* c, int ldc);
void kinjo_sgemm(unsigned order, unsigned transpose_a, unsigned transpose_b, int m, int n, int k,
                 float alpha, const float* a, int lda, const float* b, int ldb, float beta,
                 float* c, int ldc);
int kinjo_dgemm_64(unsigned order, unsigned transpose_a, unsigned transpose_b, ptrdiff_t m,
                   ptrdiff_t n, ptrdiff_t k, double alpha, const double* a, ptrdiff_t lda,
                   const double* b, ptrdiff_t ldb, double beta, double* c, ptrdiff_t ldc);
int kinjo_sgemm_64(unsigned order, unsigned transpose_a, unsigned transpose_b, ptrdiff_t m,
                   ptrdiff_t n, ptrdiff_t k, float alpha, const float* a, ptrdiff_t lda,
                   const float* b, ptrdiff_t ldb, float beta, float* c, ptrdiff_t ldc);

/// The team over which products are computed from now on, in every thread; NULL (as at first): the
/// calling thread alone. A product that is asked for while the team is at another one or runs
/// anything else, or inside `kinjo_team_run`, is computed by its caller alone. Take a team out
/// before you free it.
int kinjo_gemm_use_team(kinjo_team* team);

// ---- Fourier transforms ------------------------------------------------------------------------
//
//     forward y_k = Σ_j x_j e^(−2πi jk/n)      backward x_j = 1/n · Σ_k y_k e^(+2πi jk/n)
//
// A plan is made once and called as often as one likes, from several threads at once if it has no
// team. Complex numbers are pairs of a real and an imaginary part: `double _Complex`,
// `fftw_complex` and `std::complex<double>` alike. docs/fft.md says what is computed and with which
// error.

typedef struct kinjo_fft kinjo_fft;

/// Flags of `kinjo_fft_create`.
enum {
  KINJO_FFT_FLOAT = 1,     ///< single precision
  KINJO_FFT_REAL = 2,      ///< real numbers; of the last axis' spectrum the first n/2 + 1 numbers
  KINJO_FFT_UNSCALED = 4,  ///< backward without the factor 1/n
  KINJO_FFT_ORTHO = 8      ///< both directions with the factor 1/√n
};

/// A plan for `batch` arrays, back to back, each of `axes` lengths in row-major order. `team` NULL:
/// on the calling thread; else over the team, which must outlive the plan, and not inside
/// `kinjo_team_run`. NULL on failure, `KINJO_INVALID_ARGUMENT` or `KINJO_OUT_OF_MEMORY`.
kinjo_fft* kinjo_fft_create(kinjo_team* team, int axes, const ptrdiff_t* shape, ptrdiff_t batch,
                            unsigned flags);
/// NULL is fine.
void kinjo_fft_free(kinjo_fft* plan);
/// From `in` to `out`; complex ones in place if they are the same. The arrays must not overlap
/// otherwise. 0 or a negative status.
int kinjo_fft_forward(const kinjo_fft* plan, const void* in, void* out);
int kinjo_fft_backward(const kinjo_fft* plan, const void* in, void* out);

// ---- Graphs and breadth-first search -----------------------------------------------------------
//
// Vertices are numbered 0 to n - 1 in 32 bits, n at most 2^32 - 1. A graph of a list whose numbers
// need 64 has the vertices that have an edge, and keeps what the list calls them: ids. `team` is a
// team to work over, or NULL: the calling thread alone. Loops and repeated edges make no difference
// to a search; they are left out. docs/graphs.md and docs/bfs.md say what is kept and how it is
// searched.

typedef struct kinjo_graph kinjo_graph;

enum {
  KINJO_GRAPH_DIRECTED = 1,        ///< edges are walked from their first end to their second only
  KINJO_GRAPH_ORDER_CALLER = 2,    ///< numbered inside as by the caller; without an order: whatever
                                   ///< suits the graph
  KINJO_GRAPH_ORDER_DEGREE = 4,    ///< by falling degree
  KINJO_GRAPH_ORDER_LOCALITY = 8,  ///< neighbours near each other: for roads and grids
  KINJO_GRAPH_LISTED = 16  ///< what is opened has ids in any case, not only if it needs them; a
                           ///< graph that was saved without is refused
};

/// Of edges i = 0 ... edges - 1 from `ends[2 i]` to `ends[2 i + 1]`; nothing of them is kept.
/// `KINJO_INVALID_ARGUMENT` for an end that is no vertex, `KINJO_OUT_OF_MEMORY`.
kinjo_graph* kinjo_graph_from_edges(kinjo_team* team, uint64_t vertices, uint64_t edges,
                                    const uint32_t* ends, unsigned flags);
/// The same of ends of 64 bits, below 2^63: the graph has ids. `KINJO_INVALID_ARGUMENT` where more
/// than 2^32 - 1 vertices have an edge.
kinjo_graph* kinjo_graph_from_edges_64(kinjo_team* team, uint64_t edges, const uint64_t* ends,
                                       unsigned flags);
/// A view of compressed sparse rows, without a copy: the neighbours of v are
/// `neighbours[begins[v]]` to `neighbours[begins[v + 1] - 1]`. The arrays (n + 1 and `begins[n]`
/// numbers) must stay as they are while the graph lives. Unless it is `KINJO_GRAPH_DIRECTED`, each
/// edge must stand in the rows of both its ends, which is not checked. `KINJO_INVALID_ARGUMENT` for
/// begins that fall and for a neighbour that is no vertex.
kinjo_graph* kinjo_graph_from_rows(uint64_t vertices, const uint32_t* begins,
                                   const uint32_t* neighbours, unsigned flags);
/// From a file of any format in docs/graphs.md, or made by a rule: `kronecker:20`, `uniform:20,8`,
/// `grid:1000x1000`, `road:1000x1000,scrambled`. A file that says whether edges are directed beats
/// the flag; a graph that was saved keeps the order in which it was built.
kinjo_graph* kinjo_graph_open(kinjo_team* team, const char* input, unsigned flags);
/// Writes kinjo's own format, which `kinjo_graph_open` maps (name it *.kgraph). The file is there
/// whole or not at all.
int kinjo_graph_save(const kinjo_graph* graph, const char* path);
/// NULL is fine. Its searches must be gone.
void kinjo_graph_free(kinjo_graph* graph);

typedef struct kinjo_graph_size {
  uint64_t vertices;
  uint64_t edges;  ///< as they were listed, with loops and repetitions; of rows: half their entries
  uint64_t entries;  ///< neighbours in all rows
  uint64_t bytes;    ///< of memory that it owns
} kinjo_graph_size;

/// The graph's numbers; 0.
int kinjo_graph_get(const kinjo_graph* graph, kinjo_graph_size* out);
/// The ids of the n vertices, in rising order, for as long as the graph lives; NULL where vertices
/// are called 0 to n - 1.
const uint64_t* kinjo_graph_ids(const kinjo_graph* graph);

/// The working memory of searches of one graph: one search at a time. Graph and team must outlive
/// it.
typedef struct kinjo_bfs kinjo_bfs;

typedef struct kinjo_bfs_result {
  uint64_t reached;          ///< vertices, with the root
  uint64_t eccentricity;     ///< steps to the farthest of them
  uint64_t edges_looked_at;  ///< of the entries of their rows
} kinjo_bfs_result;

/// `KINJO_OUT_OF_MEMORY`.
kinjo_bfs* kinjo_bfs_create(const kinjo_graph* graph, kinjo_team* team);
/// NULL is fine.
void kinjo_bfs_free(kinjo_bfs* bfs);
/// Writes for each of the n vertices its parent in a tree of shortest paths from `root`: the root
/// for the root, -1 for what is not reached. Of a graph with ids the root is one, and `parents[i]`
/// is the id of the parent of vertex `kinjo_graph_ids(graph)[i]`. `out`, if not NULL, gets what was
/// found besides. `KINJO_INVALID_ARGUMENT` for a root that is no vertex, and for 32 bits where
/// n > 2^31 or there are ids.
int kinjo_bfs_run(kinjo_bfs* bfs, uint64_t root, int32_t* parents, kinjo_bfs_result* out);
int kinjo_bfs_run_64(kinjo_bfs* bfs, uint64_t root, int64_t* parents, kinjo_bfs_result* out);

// ---- Paths and other sets of edges --------------------------------------------------------------
//
// All paths without cycles between two vertices, all cycles, spanning trees, matchings and the
// like: counted without being made one by one, or kept in a decision diagram. docs/paths.md says
// what can be counted and what it costs. `team` NULL: one thread that nobody places. Memory limits
// are in bytes; 0: what the system has available.

/// An undirected graph, whose vertices have numbers from 0. Loops belong to no set and are left
/// out; so are edges that are there twice, unless they are to be edges of their own.
typedef struct kinjo_network kinjo_network;

enum {
  KINJO_NETWORK_PARALLEL = 1  ///< repeated edges stay
};

/// Of edges i = 0 ... edges - 1 between `ends[2 i]` and `ends[2 i + 1]`; nothing of them is kept.
/// `KINJO_INVALID_ARGUMENT` for an end that is no vertex.
kinjo_network* kinjo_network_from_edges(uint32_t vertices, uint64_t edges, const uint32_t* ends,
                                        unsigned flags);
/// From a file of any format in docs/paths.md, or made by a rule: `grid:8x8`, `complete:7`. A name
/// with a colon that no file has is refused as a rule.
kinjo_network* kinjo_network_open(kinjo_team* team, const char* input, unsigned flags);
/// NULL is fine.
void kinjo_network_free(kinjo_network* network);

typedef struct kinjo_network_size {
  uint64_t vertices;
  uint64_t edges;  ///< that are not left out
} kinjo_network_size;

/// The network's numbers; 0.
int kinjo_network_get(const kinjo_network* network, kinjo_network_size* out);
/// The number of the vertex that has this name in the file. `KINJO_NOT_FOUND`.
int kinjo_network_vertex(const kinjo_network* network, const char* name, uint32_t* out);

typedef enum kinjo_family_kind {
  KINJO_PATHS = 0,  ///< from `from` to `to`; all cycles of its component if both are one
  KINJO_CYCLES = 1,
  KINJO_HAMILTONIAN_PATHS = 2,
  KINJO_HAMILTONIAN_CYCLES = 3,
  KINJO_FORESTS = 4,
  KINJO_SPANNING_TREES = 5,
  KINJO_MATCHINGS = 6,
  KINJO_COMPONENTS = 7,  ///< all vertices make `components` components
  KINJO_DEGREES = 8      ///< each vertex has one of the numbers of edges in `degrees`
} kinjo_family_kind;

typedef enum kinjo_edge_order {
  KINJO_ORDER_AUTOMATIC = 0,
  KINJO_ORDER_BREADTH = 1,   ///< Simpath's
  KINJO_ORDER_FRONTIER = 2,  ///< made for a small frontier
  KINJO_ORDER_GIVEN = 3      ///< as they stand
} kinjo_edge_order;

/// Which sets are asked for. What does not matter for a kind is 0.
typedef struct kinjo_problem {
  int kind;                 ///< a `kinjo_family_kind`
  uint32_t from, to;        ///< of paths
  const uint32_t* through;  ///< vertices that paths and cycles must visit
  size_t through_count;
  const uint32_t* avoid;  ///< vertices that are not there
  size_t avoid_count;
  uint64_t components;      ///< of `KINJO_COMPONENTS`
  const unsigned* degrees;  ///< of `KINJO_DEGREES`, up to 255
  size_t degree_count;
  int order;  ///< a `kinjo_edge_order`, which matters to time and memory alone
} kinjo_problem;

/// A family of sets of edges, ready to be counted or built. Needs its network no more.
typedef struct kinjo_family kinjo_family;

/// `KINJO_INVALID_ARGUMENT` for vertices that are none, conditions that are not for the kind, and a
/// frontier that is too large.
kinjo_family* kinjo_family_create(const kinjo_network* network, const kinjo_problem* problem);
/// NULL is fine.
void kinjo_family_free(kinjo_family* family);
/// How many edges are decided, which are those of the network without those of vertices to be
/// avoided. Unless `ends` is NULL, writes two ends of each, in the order in which they are decided:
/// item i of a diagram is the i-th.
int kinjo_family_edges(const kinjo_family* family, uint32_t* ends);
/// How many sets there are, exactly, in decimal digits; for `kinjo_count_free`.
/// `KINJO_OUT_OF_MEMORY`.
char* kinjo_family_count(const kinjo_family* family, kinjo_team* team, uint64_t memory_limit);
/// The same, whose levels lie in files in `directory` where they outgrow the limit: they have no
/// names, and are gone when the count is there. `KINJO_NOT_FOUND`, `KINJO_NOT_PERMITTED` or
/// `KINJO_SYSTEM` for a directory that is none or cannot be written, or that has no more room.
char* kinjo_family_count_spilled(const kinjo_family* family, kinjo_team* team,
                                 uint64_t memory_limit, const char* directory);
/// How many paths lead from one corner of a grid of `rows` x `columns` squares, the vertices of
/// `grid:RxC`, to the opposite one: a family's number, many times faster, of up to 27 squares in
/// one direction and 9999 in the other. For `kinjo_count_free`. `KINJO_INVALID_ARGUMENT` for other
/// sides, `KINJO_OUT_OF_MEMORY` before anything is begun that will not fit.
char* kinjo_grid_paths_count(kinjo_team* team, unsigned rows, unsigned columns,
                             uint64_t memory_limit);
/// How many spanning trees a network has: a family's number, by a determinant, so of networks of
/// thousands of vertices too. For `kinjo_count_free`. `KINJO_OUT_OF_MEMORY` before anything is
/// begun that will not fit.
char* kinjo_spanning_trees_count(const kinjo_network* network, kinjo_team* team,
                                 uint64_t memory_limit);
/// NULL is fine.
void kinjo_count_free(char* digits);

/// A family as a decision diagram, which holds all its sets. It does not change.
typedef struct kinjo_diagram kinjo_diagram;

/// `KINJO_OUT_OF_MEMORY`.
kinjo_diagram* kinjo_diagram_build(const kinjo_family* family, kinjo_team* team,
                                   uint64_t memory_limit);
/// The same, whose nodes lie in a file in `directory` until they are reduced: it has no name, and
/// is gone when the diagram is there. `KINJO_NOT_FOUND`, `KINJO_NOT_PERMITTED` or `KINJO_SYSTEM`
/// for a directory that is none or cannot be written, or that has no more room.
kinjo_diagram* kinjo_diagram_build_spilled(const kinjo_family* family, kinjo_team* team,
                                           uint64_t memory_limit, const char* directory);

typedef struct kinjo_build_size {
  uint64_t states;           ///< of all items
  uint64_t node_bytes;       ///< of all nodes before any are reduced, in memory or in the file: of
                             ///< one thread that is exact, of several the most
  uint64_t reduction_bytes;  ///< held at most while they are reduced, if no two are alike
} kinjo_build_size;

/// What building will take, found by counting states, with less time and memory than that; 0.
/// `KINJO_OUT_OF_MEMORY`.
int kinjo_family_survey(const kinjo_family* family, kinjo_team* team, uint64_t memory_limit,
                        kinjo_build_size* out);
/// From a file of any format in docs/diagrams.md; one of `kinjo_diagram_save` is mapped.
kinjo_diagram* kinjo_diagram_open(const char* path);
/// Writes what the name's ending says: `.kzdd`, kinjo's own; `.setset` for Graphillion, `.zbdd` for
/// SAPPORO, `.dot` for Graphviz. The file is there whole or not at all.
int kinjo_diagram_save(const kinjo_diagram* diagram, const char* path);
/// NULL is fine. What walks over its members needs it no more.
void kinjo_diagram_free(kinjo_diagram* diagram);

typedef struct kinjo_diagram_size {
  uint64_t items;  ///< of which sets are made
  uint64_t nodes;
  uint64_t bytes;  ///< of memory, or of the file that it is mapped from
} kinjo_diagram_size;

/// The diagram's numbers; 0.
int kinjo_diagram_get(const kinjo_diagram* diagram, kinjo_diagram_size* out);
/// As `kinjo_family_count`.
char* kinjo_diagram_count(const kinjo_diagram* diagram);

/// Members of a diagram one by one. One thread at a time.
typedef struct kinjo_members kinjo_members;

/// All of them, in the order of dictionaries, but the end of a set stands after all items.
kinjo_members* kinjo_members_all(const kinjo_diagram* diagram);
/// By chance, without end, each as likely as any other; the same for the same seed.
/// `KINJO_INVALID_ARGUMENT` for a diagram of no set.
kinjo_members* kinjo_members_sample(const kinjo_diagram* diagram, uint64_t seed);
/// From the smallest sum of weights on; there is a weight for each item.
kinjo_members* kinjo_members_by_weight(const kinjo_diagram* diagram, const double* weights);
/// NULL is fine.
void kinjo_members_free(kinjo_members* members);
/// 1 and the next member: its items, rising, into `items`, which has room for all items of the
/// diagram, and how many they are; 0 after the last.
int kinjo_members_next(kinjo_members* members, uint32_t* items, size_t* count);

// ---- Cells: put, get and active messages --------------------------------------------------------
//
// As include/kinjo/comm.hpp says, which has the rules: a source of up to 64 bytes may be changed
// when a put returns, a longer one when its completion is done; a flag (8 bytes, aligned to 8)
// rises after all bytes of its own put; puts have no order without a fence; handlers may only
// reply, once. Offsets are bytes from the start of a cell's symmetric memory and mean the same on
// every cell. A world belongs to its cell's thread. Waits return `KINJO_TIMED_OUT` after
// `timeout_ns` (< 0: never), and `KINJO_CELL_LOST` when a cell is gone, whose number
// `kinjo_world_lost_cell` then has. Puts, gets and messages wait too, for room on their way: they
// have not begun where the time is over. What waits for other cells (`_allocate`, `_release`,
// `_quiet`,
// `_wait…`, `_receive` and what is collective) makes progress: it runs handlers and answers
// requests. So does `_progress`, and nothing else.

/// One cell's view of all cells.
typedef struct kinjo_world kinjo_world;
/// An active message, valid until its handler returns.
typedef struct kinjo_message kinjo_message;
/// Counts puts or gets under way; it must outlive them.
typedef struct kinjo_completion kinjo_completion;

/// Runs where its message arrives, in the cell's thread while that waits or makes progress. Another
/// return value than 0 fails the call that made progress, with that value.
typedef int (*kinjo_handler_function)(void* context, kinjo_message* message);

typedef struct kinjo_handler {
  const char* name;  ///< the same on every cell
  kinjo_handler_function function;
  void* context;
} kinjo_handler;

/// `heap_bytes` and the handlers' names must be the same on every cell.
typedef struct kinjo_world_options {
  size_t heap_bytes;              ///< of symmetric memory in each cell; 0: 64 MiB
  const kinjo_handler* handlers;  ///< by number, from 0; may be NULL if there are none
  size_t handler_count;
  int64_t patience_ms;  ///< before a silent cell of another host is lost; 0: 10 s
} kinjo_world_options;

/// A cell's program. Another return value than 0 fails the run, with that value.
typedef int (*kinjo_cell_function)(void* context, kinjo_world* world);

/// Every thread of the team is a cell. Returns when all have ended: 0, or what the first cell that
/// failed by itself returned. `options` NULL: 64 MiB and no handler.
int kinjo_world_run_threads(kinjo_team* team, const kinjo_world_options* options,
                            kinjo_cell_function function, void* context);
/// A process for each row of the mapping, by fork, pinned; what they change in their memory is not
/// seen here. Call it where no other thread holds locks.
int kinjo_world_run_processes(const kinjo_mapping* mapping, const kinjo_world_options* options,
                              kinjo_cell_function function, void* context);
/// The world that this process was started into by `kinjo cells launch`, `mpirun` or `srun`; one
/// cell where nobody has. Collective; once a process.
kinjo_world* kinjo_world_join(const kinjo_world_options* options);
/// Leaves a world that was joined; end with a barrier. NULL is fine.
void kinjo_world_free(kinjo_world* world);

/// Who has started this process.
typedef enum kinjo_launcher {
  KINJO_LAUNCHER_NONE = 0,   ///< nobody: a world of one cell
  KINJO_LAUNCHER_KINJO = 1,  ///< `kinjo cells launch`, `kinjo_world_launch`
  KINJO_LAUNCHER_PMIX = 2    ///< `mpirun` of Open MPI, `prterun`, or `srun --mpi=pmix`
} kinjo_launcher;
/// A `kinjo_launcher`, as its variables of the environment say.
int kinjo_world_launcher(void);
/// Starts a program for each row of the mapping, pinned, for `kinjo_world_join` there; `command` is
/// its name and arguments, and NULL behind them. When one ends with a status other than 0 the
/// others are ended. Returns 0, or the status of the first that had another (128 + n for signal n),
/// when all have ended; `statuses`, if not NULL, gets that of each cell.
int kinjo_world_launch(const kinjo_mapping* mapping, const char* const* command, int* statuses);

/// This cell's number, from 0, and how many cells there are.
int kinjo_world_cell(const kinjo_world* world);
int kinjo_world_cells(const kinjo_world* world);
typedef enum kinjo_path {
  KINJO_PATH_SELF = 0,     ///< the same cell
  KINJO_PATH_THREADS = 1,  ///< one process
  KINJO_PATH_SHARED = 2,   ///< memory that two processes of one host share
  KINJO_PATH_NETWORK = 3   ///< UCX
} kinjo_path;
/// By what this cell reaches another one: a `kinjo_path`, or a status below 0.
int kinjo_world_path(const kinjo_world* world, int cell);
/// The cell that the last `KINJO_CELL_LOST` in this thread was about; -1 if there was none.
int kinjo_world_lost_cell(void);

/// Collective: zeroed memory at the same offset on every cell. `alignment`: a power of two up to
/// 4096.
int kinjo_world_allocate(kinjo_world* world, size_t bytes, size_t alignment, int64_t timeout_ns,
                         uint64_t* offset);
/// Collective: gives back what has been allocated at `from` and after it.
int kinjo_world_release(kinjo_world* world, uint64_t from, int64_t timeout_ns);
/// This cell's memory, and another's; NULL also where loads cannot reach it, with `KINJO_OK` then
/// left as it was.
void* kinjo_world_local(const kinjo_world* world, uint64_t offset);
void* kinjo_world_ptr(const kinjo_world* world, int cell, uint64_t offset);

/// With nothing under way; freed when nothing is.
kinjo_completion* kinjo_completion_create(void);
void kinjo_completion_free(kinjo_completion* completion);
/// 1: all are complete, 0: not yet. Makes no progress.
int kinjo_completion_done(const kinjo_completion* completion);

/// What a put does at the target once its data is there.
typedef struct kinjo_signal {
  uint64_t flag;  ///< offset of a uint64_t, aligned to 8
  uint64_t value;
  int add;  ///< 0: the flag becomes `value`; 1: it grows by it
} kinjo_signal;

/// Where one of several puts of the same data goes.
typedef struct kinjo_target {
  int cell;
  uint64_t to;
  kinjo_signal signal;
} kinjo_target;

/// `rows` pieces of `row_bytes` whose starts lie `stride` bytes apart.
typedef struct kinjo_rows {
  size_t rows, row_bytes, stride;
} kinjo_rows;

/// `local` may be NULL.
int kinjo_world_put(kinjo_world* world, int cell, uint64_t to, const void* from, size_t bytes,
                    kinjo_completion* local, int64_t timeout_ns);
int kinjo_world_put_signal(kinjo_world* world, int cell, uint64_t to, const void* from,
                           size_t bytes, const kinjo_signal* signal, kinjo_completion* local,
                           int64_t timeout_ns);
/// The same to `count` targets, whose ranges must not overlap; long blocks are read once for all.
/// Where the time is over some have been put to, and others not.
int kinjo_world_put_signal_to_all(kinjo_world* world, const kinjo_target* targets, size_t count,
                                  const void* from, size_t bytes, kinjo_completion* local,
                                  int64_t timeout_ns);
/// The lowest `bytes` (1 to 8) of `value`; one cache line where data and flag lie in one.
int kinjo_world_put_short(kinjo_world* world, int cell, uint64_t to, uint64_t value, size_t bytes,
                          const kinjo_signal* signal, int64_t timeout_ns);
/// `shape` is the target's; `signal` and `local` may be NULL.
int kinjo_world_put_rows(kinjo_world* world, int cell, uint64_t to, const kinjo_rows* shape,
                         const void* from, size_t from_stride, const kinjo_signal* signal,
                         kinjo_completion* local, int64_t timeout_ns);
int kinjo_world_signal(kinjo_world* world, int cell, const kinjo_signal* signal,
                       int64_t timeout_ns);
int kinjo_world_get(kinjo_world* world, int cell, void* to, uint64_t from, size_t bytes,
                    kinjo_completion* done, int64_t timeout_ns);
int kinjo_world_get_rows(kinjo_world* world, int cell, void* to, size_t to_stride, uint64_t from,
                         const kinjo_rows* shape, kinjo_completion* done, int64_t timeout_ns);

/// Earlier puts to a cell arrive there before later ones.
int kinjo_world_fence(kinjo_world* world);
/// Returns when all puts of this cell are complete at their targets.
int kinjo_world_quiet(kinjo_world* world, int64_t timeout_ns);
/// The flag as it is now.
int kinjo_world_flag(const kinjo_world* world, uint64_t flag, uint64_t* value);

typedef enum kinjo_until {
  KINJO_UNTIL_EQUAL = 0,
  KINJO_UNTIL_NOT_EQUAL = 1,
  KINJO_UNTIL_AT_LEAST = 2
} kinjo_until;

/// Waits for a flag in this cell's memory; `seen`, if not NULL, gets its value.
int kinjo_world_wait_flag(kinjo_world* world, uint64_t flag, kinjo_until until, uint64_t value,
                          int64_t timeout_ns, uint64_t* seen);
int kinjo_world_wait(kinjo_world* world, const kinjo_completion* completion, int64_t timeout_ns);
/// Another value than 0: what is waited for is there. It reads this cell's memory, and is called
/// often.
typedef int (*kinjo_ready_function)(void* context);
int kinjo_world_wait_until(kinjo_world* world, kinjo_ready_function ready, void* context,
                           int64_t timeout_ns);
/// Runs handlers of messages that are here.
int kinjo_world_progress(kinjo_world* world);
/// For how long this cell has waited in calls that wait.
int kinjo_world_waited_seconds(const kinjo_world* world, double* seconds);

/// What a wait was for.
typedef enum kinjo_wait_for {
  KINJO_WAIT_FLAG = 0,
  KINJO_WAIT_COMPLETION = 1,
  KINJO_WAIT_BARRIER = 2,
  KINJO_WAIT_MESSAGE = 3
} kinjo_wait_for;

/// A stretch of time that a cell has waited; nanoseconds since `kinjo_world_start_trace`.
typedef struct kinjo_wait {
  int64_t begin_ns, end_ns;
  int what;  ///< a `kinjo_wait_for`
} kinjo_wait;

/// From here on each wait of a microsecond and more is noted.
int kinjo_world_start_trace(kinjo_world* world);
/// The first `capacity` waits since then go to `waits` (NULL if 0); `count` is how many there are.
int kinjo_world_trace(const kinjo_world* world, kinjo_wait* waits, size_t capacity, size_t* count);

/// Runs a handler on `cell` with a copy of at most 4096 bytes. Waits where there is no room on the
/// way; no handler runs if the time is over before there is.
int kinjo_world_request(kinjo_world* world, int cell, unsigned handler, const void* data,
                        size_t bytes, int64_t timeout_ns);
/// Puts the data to `to` in the cell's memory, then runs a handler there. `local` may be NULL.
int kinjo_world_request_long(kinjo_world* world, int cell, unsigned handler, const void* data,
                             size_t bytes, uint64_t to, kinjo_completion* local,
                             int64_t timeout_ns);
int kinjo_message_from(const kinjo_message* message);
const void* kinjo_message_data(const kinjo_message* message);
size_t kinjo_message_bytes(const kinjo_message* message);
/// Once for each request, none to a reply.
int kinjo_message_reply(kinjo_message* message, unsigned handler, const void* data, size_t bytes);
int kinjo_message_reply_long(kinjo_message* message, unsigned handler, const void* data,
                             size_t bytes, uint64_t to);

/// Collective, in the same order on every cell. No other may follow one whose time was over.
int kinjo_world_barrier(kinjo_world* world, int64_t timeout_ns);
int kinjo_world_broadcast(kinjo_world* world, int root, uint64_t at, size_t bytes,
                          int64_t timeout_ns);

typedef enum kinjo_reduce_op { KINJO_SUM = 0, KINJO_MIN = 1, KINJO_MAX = 2 } kinjo_reduce_op;

/// Element by element over all cells, in their order: the same bits on each.
int kinjo_world_all_reduce(kinjo_world* world, double* values, size_t count, kinjo_reduce_op op,
                           int64_t timeout_ns);

/// Any cell, or any tag, of a receive.
enum { KINJO_ANY = -1 };

typedef struct kinjo_received {
  int from;
  int tag;
  size_t bytes;
} kinjo_received;

/// Two-sided, through the receiver's buffer. `out` may be NULL. A message that exceeds `capacity`
/// is refused with `KINJO_INVALID_ARGUMENT` and kept. Sending waits as a request does; nothing may
/// be sent there any more if its time was over, for a part may have left.
int kinjo_world_send(kinjo_world* world, int cell, int tag, const void* data, size_t bytes,
                     int64_t timeout_ns);
int kinjo_world_receive(kinjo_world* world, int from, int tag, void* data, size_t capacity,
                        int64_t timeout_ns, kinjo_received* out);

// ---- One mapping for the whole process (S1's functions, figure 7) ------------------------------
//
// For threads that the program makes itself: OpenMP, pthreads, std::thread. There is one table of
// this machine. `kinjo_policy_set` makes it, or the first look-up does, from the environment:
// KINJO_POLICY (else scatter), KINJO_THREADS (else every allowed CPU), KINJO_BIND (cpu, core or
// node; else cpu). Look-ups take no lock. Set the policy before threads look anything up: where it
// is set again, look-ups in every thread see the new table, and threads that are bound stay where
// they are until they bind again.
//
// The look-ups return a number ≥ 0; −1 where the policy leaves it to the system; or an error, which
// is here never −1: `KINJO_NOT_FOUND` for a thread or node index beyond the table,
// `KINJO_BAD_INPUT` for a variable of the environment that makes no table, and what the discovery
// reports.

/// Makes the table. `policy` NULL: from the environment; `threads` 0: likewise. Flags:
/// `KINJO_OVERSUBSCRIBE`, `KINJO_BIND_CORE`, `KINJO_BIND_NODE`. After an error the table from
/// before, if any, holds. The first call in a process discovers this machine: what
/// `kinjo_topology_discover` says about the environment holds for it, as for a look-up before it.
int kinjo_policy_set(const char* policy, int threads, unsigned flags);

int kinjo_thread_count(void);             ///< threads in the table
int kinjo_thread_cpu(int thread);         ///< OS number of its CPU
int kinjo_thread_node(int thread);        ///< OS number of its node
int kinjo_thread_node_index(int thread);  ///< 0 … kinjo_node_count()−1, also with policy `none`
int kinjo_thread_core(int thread);        ///< rank of its core in the package
int kinjo_thread_smt(int thread);         ///< rank in the core
int kinjo_thread_rank(int thread);        ///< rank among the threads of its node

int kinjo_node_count(void);              ///< nodes that have threads
int kinjo_node_number(int node_index);   ///< OS number of the node
int kinjo_node_threads(int node_index);  ///< threads on the node
/// `bytes` of memory on the node, as `kinjo_memory_alloc_on` gives them, or where the system puts
/// them if the node's number is −1. Freed by `kinjo_memory_free`.
void* kinjo_node_alloc(int node_index, size_t bytes);

/// Pins the calling thread to row `thread`. Done again, it moves the thread to the other row; if
/// that is refused, the thread is as it was before its first row. The thread's end undoes it.
/// `KINJO_USAGE` inside a team's function or while a `kinjo_binding` of this thread stands.
int kinjo_thread_bind(int thread);
/// Pins the calling thread to a CPU (its OS number) that need not be in the table. `kinjo_here`
/// knows nothing of it. `KINJO_NOT_FOUND` if this machine has no such CPU; else as above.
int kinjo_thread_pin(int cpu);
/// Gives the calling thread the affinity mask back that the process had at its start, and undoes
/// `kinjo_thread_bind`. `KINJO_USAGE` as above.
int kinjo_thread_unbind(void);

#ifdef __cplusplus
}
#endif

#endif  // KINJO_KINJO_H
