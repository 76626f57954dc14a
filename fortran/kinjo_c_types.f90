! Constants and types of kinjo.h.
! Names, numbers and layouts are C's; all members begin as 0.
module kinjo_c_types
  use, intrinsic :: iso_c_binding
  implicit none
  public

  ! ---- Errors

  integer(c_int), parameter :: kinjo_ok = 0
  integer(c_int), parameter :: kinjo_invalid_argument = -1
  integer(c_int), parameter :: kinjo_bad_input = -2
  integer(c_int), parameter :: kinjo_not_found = -3
  integer(c_int), parameter :: kinjo_not_permitted = -4
  integer(c_int), parameter :: kinjo_not_supported = -5
  integer(c_int), parameter :: kinjo_out_of_memory = -6
  integer(c_int), parameter :: kinjo_system = -7
  integer(c_int), parameter :: kinjo_usage = -8
  integer(c_int), parameter :: kinjo_timed_out = -9
  integer(c_int), parameter :: kinjo_cell_lost = -10

  ! ---- The machine

  type, bind(c) :: kinjo_cpu
    integer(c_int) :: cpu = 0
    integer(c_int) :: node = 0
    integer(c_int) :: package = 0
    integer(c_int) :: core = 0
    integer(c_int) :: smt = 0
    integer(c_int) :: allowed = 0
  end type kinjo_cpu

  type, bind(c) :: kinjo_node
    integer(c_int) :: node = 0
    integer(c_int) :: cpu_count = 0
    integer(c_int) :: allowed = 0
    integer(c_int64_t) :: memory_bytes = 0
  end type kinjo_node

  ! ---- Mappings

  integer(c_int), parameter :: kinjo_oversubscribe = 1
  integer(c_int), parameter :: kinjo_bind_core = 2
  integer(c_int), parameter :: kinjo_bind_node = 4
  integer(c_int), parameter :: kinjo_huge_pages = 8

  type, bind(c) :: kinjo_place
    integer(c_int) :: thread = 0
    integer(c_int) :: cpu = 0
    integer(c_int) :: node = 0
    integer(c_int) :: package = 0
    integer(c_int) :: core = 0
    integer(c_int) :: smt = 0
    integer(c_int) :: rank_in_node = 0
    integer(c_int) :: node_threads = 0
  end type kinjo_place

  ! ---- Memory

  integer(c_int), parameter :: kinjo_bound = 0
  integer(c_int), parameter :: kinjo_first_touch = 1
  integer(c_int), parameter :: kinjo_unplaced = 2
  integer(c_int), parameter :: kinjo_audit_nodes = 64

  type, bind(c) :: kinjo_audit_node
    integer(c_int) :: node = 0
    integer(c_size_t) :: pages = 0
  end type kinjo_audit_node

  type, bind(c) :: kinjo_audit
    integer(c_size_t) :: page_bytes = 0
    integer(c_size_t) :: pages = 0
    integer(c_size_t) :: not_present = 0
    integer(c_size_t) :: unknown = 0
    integer(c_int) :: refusal = 0
    integer(c_int) :: node_count = 0
    type(kinjo_audit_node) :: nodes(kinjo_audit_nodes)
    integer(c_size_t) :: elsewhere = 0
  end type kinjo_audit

  ! ---- Matrix multiplication

  integer(c_int), parameter :: kinjo_row_major = 101
  integer(c_int), parameter :: kinjo_col_major = 102
  integer(c_int), parameter :: kinjo_no_trans = 111
  integer(c_int), parameter :: kinjo_trans = 112
  integer(c_int), parameter :: kinjo_conj_trans = 113

  ! ---- Fourier transforms

  integer(c_int), parameter :: kinjo_fft_float = 1
  integer(c_int), parameter :: kinjo_fft_real = 2
  integer(c_int), parameter :: kinjo_fft_unscaled = 4
  integer(c_int), parameter :: kinjo_fft_ortho = 8

  ! ---- Graphs and breadth-first search

  integer(c_int), parameter :: kinjo_graph_directed = 1
  integer(c_int), parameter :: kinjo_graph_order_caller = 2
  integer(c_int), parameter :: kinjo_graph_order_degree = 4
  integer(c_int), parameter :: kinjo_graph_order_locality = 8
  integer(c_int), parameter :: kinjo_graph_listed = 16

  type, bind(c) :: kinjo_graph_size
    integer(c_int64_t) :: vertices = 0
    integer(c_int64_t) :: edges = 0
    integer(c_int64_t) :: entries = 0
    integer(c_int64_t) :: bytes = 0
  end type kinjo_graph_size

  type, bind(c) :: kinjo_bfs_result
    integer(c_int64_t) :: reached = 0
    integer(c_int64_t) :: eccentricity = 0
    integer(c_int64_t) :: edges_looked_at = 0
  end type kinjo_bfs_result

  ! ---- Paths and other sets of edges

  integer(c_int), parameter :: kinjo_network_parallel = 1
  integer(c_int), parameter :: kinjo_paths = 0
  integer(c_int), parameter :: kinjo_cycles = 1
  integer(c_int), parameter :: kinjo_hamiltonian_paths = 2
  integer(c_int), parameter :: kinjo_hamiltonian_cycles = 3
  integer(c_int), parameter :: kinjo_forests = 4
  integer(c_int), parameter :: kinjo_spanning_trees = 5
  integer(c_int), parameter :: kinjo_matchings = 6
  integer(c_int), parameter :: kinjo_components = 7
  integer(c_int), parameter :: kinjo_degrees = 8
  integer(c_int), parameter :: kinjo_order_automatic = 0
  integer(c_int), parameter :: kinjo_order_breadth = 1
  integer(c_int), parameter :: kinjo_order_frontier = 2
  integer(c_int), parameter :: kinjo_order_given = 3

  type, bind(c) :: kinjo_network_size
    integer(c_int64_t) :: vertices = 0
    integer(c_int64_t) :: edges = 0
  end type kinjo_network_size

  type, bind(c) :: kinjo_problem
    integer(c_int) :: kind = 0
    integer(c_int32_t) :: from = 0
    integer(c_int32_t) :: to = 0
    type(c_ptr) :: through = c_null_ptr
    integer(c_size_t) :: through_count = 0
    type(c_ptr) :: avoid = c_null_ptr
    integer(c_size_t) :: avoid_count = 0
    integer(c_int64_t) :: components = 0
    type(c_ptr) :: degrees = c_null_ptr
    integer(c_size_t) :: degree_count = 0
    integer(c_int) :: order = 0
  end type kinjo_problem

  type, bind(c) :: kinjo_diagram_size
    integer(c_int64_t) :: items = 0
    integer(c_int64_t) :: nodes = 0
    integer(c_int64_t) :: bytes = 0
  end type kinjo_diagram_size
  type, bind(c) :: kinjo_build_size
    integer(c_int64_t) :: states = 0
    integer(c_int64_t) :: node_bytes = 0
    integer(c_int64_t) :: reduction_bytes = 0
  end type kinjo_build_size

  ! ---- Cells: put, get and active messages

  integer(c_int), parameter :: kinjo_launcher_none = 0
  integer(c_int), parameter :: kinjo_launcher_kinjo = 1
  integer(c_int), parameter :: kinjo_launcher_pmix = 2
  integer(c_int), parameter :: kinjo_path_self = 0
  integer(c_int), parameter :: kinjo_path_threads = 1
  integer(c_int), parameter :: kinjo_path_shared = 2
  integer(c_int), parameter :: kinjo_path_network = 3
  integer(c_int), parameter :: kinjo_until_equal = 0
  integer(c_int), parameter :: kinjo_until_not_equal = 1
  integer(c_int), parameter :: kinjo_until_at_least = 2
  integer(c_int), parameter :: kinjo_wait_flag = 0
  integer(c_int), parameter :: kinjo_wait_completion = 1
  integer(c_int), parameter :: kinjo_wait_barrier = 2
  integer(c_int), parameter :: kinjo_wait_message = 3
  integer(c_int), parameter :: kinjo_sum = 0
  integer(c_int), parameter :: kinjo_min = 1
  integer(c_int), parameter :: kinjo_max = 2
  integer(c_int), parameter :: kinjo_any = -1

  type, bind(c) :: kinjo_handler
    type(c_ptr) :: name = c_null_ptr
    type(c_funptr) :: function = c_null_funptr
    type(c_ptr) :: context = c_null_ptr
  end type kinjo_handler

  type, bind(c) :: kinjo_world_options
    integer(c_size_t) :: heap_bytes = 0
    type(c_ptr) :: handlers = c_null_ptr
    integer(c_size_t) :: handler_count = 0
    integer(c_int64_t) :: patience_ms = 0
  end type kinjo_world_options

  type, bind(c) :: kinjo_signal
    integer(c_int64_t) :: flag = 0
    integer(c_int64_t) :: value = 0
    integer(c_int) :: add = 0
  end type kinjo_signal

  type, bind(c) :: kinjo_target
    integer(c_int) :: cell = 0
    integer(c_int64_t) :: to = 0
    type(kinjo_signal) :: signal
  end type kinjo_target

  type, bind(c) :: kinjo_rows
    integer(c_size_t) :: rows = 0
    integer(c_size_t) :: row_bytes = 0
    integer(c_size_t) :: stride = 0
  end type kinjo_rows

  type, bind(c) :: kinjo_received
    integer(c_int) :: from = 0
    integer(c_int) :: tag = 0
    integer(c_size_t) :: bytes = 0
  end type kinjo_received

  type, bind(c) :: kinjo_wait
    integer(c_int64_t) :: begin_ns = 0
    integer(c_int64_t) :: end_ns = 0
    integer(c_int) :: what = 0
  end type kinjo_wait
end module kinjo_c_types
