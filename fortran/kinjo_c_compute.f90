! Fourier transforms, graphs and paths of kinjo.h.
! What each is and does stands in kinjo.h.
! A handle and an address are a c_ptr; NULL is c_null_ptr, or an optional argument that is left out.
! Those named c_… have strings of C; the module `kinjo` has them with Fortran's, under their own names.
module kinjo_c_compute
  use, intrinsic :: iso_c_binding
  use kinjo_c_types
  implicit none
  public

  interface
    ! ---- Fourier transforms

    function kinjo_fft_create(team, axes, shape, batch, flags) bind(c) result(r)
      import
      type(c_ptr) :: r
      type(c_ptr), value :: team
      integer(c_int), value :: axes
      integer(c_ptrdiff_t), intent(in) :: shape(*)
      integer(c_ptrdiff_t), value :: batch
      integer(c_int), value :: flags
    end function
    subroutine kinjo_fft_free(plan) bind(c)
      import
      type(c_ptr), value :: plan
    end subroutine
    function kinjo_fft_forward(plan, in, out) bind(c) result(r)
      import
      integer(c_int) :: r
      type(c_ptr), value :: plan
      type(*), intent(in) :: in(*)
      type(*), intent(inout) :: out(*)
    end function
    function kinjo_fft_backward(plan, in, out) bind(c) result(r)
      import
      integer(c_int) :: r
      type(c_ptr), value :: plan
      type(*), intent(in) :: in(*)
      type(*), intent(inout) :: out(*)
    end function

    ! ---- Graphs and breadth-first search

    function kinjo_graph_from_edges(team, vertices, edges, ends, flags) bind(c) result(r)
      import
      type(c_ptr) :: r
      type(c_ptr), value :: team
      integer(c_int64_t), value :: vertices, edges
      integer(c_int32_t), intent(in) :: ends(*)
      integer(c_int), value :: flags
    end function
    function kinjo_graph_from_edges_64(team, edges, ends, flags) bind(c) result(r)
      import
      type(c_ptr) :: r
      type(c_ptr), value :: team
      integer(c_int64_t), value :: edges
      integer(c_int64_t), intent(in) :: ends(*)
      integer(c_int), value :: flags
    end function
    function kinjo_graph_from_rows(vertices, begins, neighbours, flags) bind(c) result(r)
      import
      type(c_ptr) :: r
      integer(c_int64_t), value :: vertices
      integer(c_int32_t), intent(in) :: begins(*), neighbours(*)
      integer(c_int), value :: flags
    end function
    function c_graph_open(team, input, flags) bind(c, name='kinjo_graph_open') result(r)
      import
      type(c_ptr) :: r
      type(c_ptr), value :: team
      character(kind=c_char), intent(in) :: input(*)
      integer(c_int), value :: flags
    end function
    function c_graph_save(graph, path) bind(c, name='kinjo_graph_save') result(r)
      import
      integer(c_int) :: r
      type(c_ptr), value :: graph
      character(kind=c_char), intent(in) :: path(*)
    end function
    subroutine kinjo_graph_free(graph) bind(c)
      import
      type(c_ptr), value :: graph
    end subroutine
    function kinjo_graph_get(graph, out) bind(c) result(r)
      import
      integer(c_int) :: r
      type(c_ptr), value :: graph
      type(kinjo_graph_size), intent(out) :: out
    end function
    function kinjo_graph_ids(graph) bind(c) result(r)
      import
      type(c_ptr) :: r
      type(c_ptr), value :: graph
    end function
    function kinjo_bfs_create(graph, team) bind(c) result(r)
      import
      type(c_ptr) :: r
      type(c_ptr), value :: graph, team
    end function
    subroutine kinjo_bfs_free(bfs) bind(c)
      import
      type(c_ptr), value :: bfs
    end subroutine
    function kinjo_bfs_run(bfs, root, parents, out) bind(c) result(r)
      import
      integer(c_int) :: r
      type(c_ptr), value :: bfs
      integer(c_int64_t), value :: root
      integer(c_int32_t), intent(inout) :: parents(*)
      type(kinjo_bfs_result), intent(out), optional :: out
    end function
    function kinjo_bfs_run_64(bfs, root, parents, out) bind(c) result(r)
      import
      integer(c_int) :: r
      type(c_ptr), value :: bfs
      integer(c_int64_t), value :: root
      integer(c_int64_t), intent(inout) :: parents(*)
      type(kinjo_bfs_result), intent(out), optional :: out
    end function

    ! ---- Paths and other sets of edges

    function kinjo_network_from_edges(vertices, edges, ends, flags) bind(c) result(r)
      import
      type(c_ptr) :: r
      integer(c_int32_t), value :: vertices
      integer(c_int64_t), value :: edges
      integer(c_int32_t), intent(in) :: ends(*)
      integer(c_int), value :: flags
    end function
    function c_network_open(team, input, flags) bind(c, name='kinjo_network_open') result(r)
      import
      type(c_ptr) :: r
      type(c_ptr), value :: team
      character(kind=c_char), intent(in) :: input(*)
      integer(c_int), value :: flags
    end function
    subroutine kinjo_network_free(network) bind(c)
      import
      type(c_ptr), value :: network
    end subroutine
    function kinjo_network_get(network, out) bind(c) result(r)
      import
      integer(c_int) :: r
      type(c_ptr), value :: network
      type(kinjo_network_size), intent(out) :: out
    end function
    function c_network_vertex(network, name, out) bind(c, name='kinjo_network_vertex') result(r)
      import
      integer(c_int) :: r
      type(c_ptr), value :: network
      character(kind=c_char), intent(in) :: name(*)
      integer(c_int32_t), intent(out) :: out
    end function
    function kinjo_family_create(network, problem) bind(c) result(r)
      import
      type(c_ptr) :: r
      type(c_ptr), value :: network
      type(kinjo_problem), intent(in) :: problem
    end function
    subroutine kinjo_family_free(family) bind(c)
      import
      type(c_ptr), value :: family
    end subroutine
    function kinjo_family_edges(family, ends) bind(c) result(r)
      import
      integer(c_int) :: r
      type(c_ptr), value :: family
      integer(c_int32_t), intent(inout), optional :: ends(*)
    end function
    function c_family_count(family, team, memory_limit) bind(c, name='kinjo_family_count') result(r)
      import
      type(c_ptr) :: r
      type(c_ptr), value :: family, team
      integer(c_int64_t), value :: memory_limit
    end function
    function c_family_count_spilled(family, team, memory_limit, directory) &
        bind(c, name='kinjo_family_count_spilled') result(r)
      import
      type(c_ptr) :: r
      type(c_ptr), value :: family, team
      integer(c_int64_t), value :: memory_limit
      character(kind=c_char), intent(in) :: directory(*)
    end function
    function c_grid_paths_count(team, rows, columns, memory_limit) &
        bind(c, name='kinjo_grid_paths_count') result(r)
      import
      type(c_ptr) :: r
      type(c_ptr), value :: team
      integer(c_int), value :: rows, columns
      integer(c_int64_t), value :: memory_limit
    end function
    function c_spanning_trees_count(network, team, memory_limit) &
        bind(c, name='kinjo_spanning_trees_count') result(r)
      import
      type(c_ptr) :: r
      type(c_ptr), value :: network, team
      integer(c_int64_t), value :: memory_limit
    end function
    subroutine c_count_free(digits) bind(c, name='kinjo_count_free')
      import
      type(c_ptr), value :: digits
    end subroutine
    function kinjo_diagram_build(family, team, memory_limit) bind(c) result(r)
      import
      type(c_ptr) :: r
      type(c_ptr), value :: family, team
      integer(c_int64_t), value :: memory_limit
    end function
    function c_diagram_build_spilled(family, team, memory_limit, directory) &
        bind(c, name='kinjo_diagram_build_spilled') result(r)
      import
      type(c_ptr) :: r
      type(c_ptr), value :: family, team
      integer(c_int64_t), value :: memory_limit
      character(kind=c_char), intent(in) :: directory(*)
    end function
    function kinjo_family_survey(family, team, memory_limit, out) bind(c) result(r)
      import
      integer(c_int) :: r
      type(c_ptr), value :: family, team
      integer(c_int64_t), value :: memory_limit
      type(kinjo_build_size), intent(out) :: out
    end function
    function c_diagram_open(path) bind(c, name='kinjo_diagram_open') result(r)
      import
      type(c_ptr) :: r
      character(kind=c_char), intent(in) :: path(*)
    end function
    function c_diagram_save(diagram, path) bind(c, name='kinjo_diagram_save') result(r)
      import
      integer(c_int) :: r
      type(c_ptr), value :: diagram
      character(kind=c_char), intent(in) :: path(*)
    end function
    subroutine kinjo_diagram_free(diagram) bind(c)
      import
      type(c_ptr), value :: diagram
    end subroutine
    function kinjo_diagram_get(diagram, out) bind(c) result(r)
      import
      integer(c_int) :: r
      type(c_ptr), value :: diagram
      type(kinjo_diagram_size), intent(out) :: out
    end function
    function c_diagram_count(diagram) bind(c, name='kinjo_diagram_count') result(r)
      import
      type(c_ptr) :: r
      type(c_ptr), value :: diagram
    end function
    function kinjo_members_all(diagram) bind(c) result(r)
      import
      type(c_ptr) :: r
      type(c_ptr), value :: diagram
    end function
    function kinjo_members_sample(diagram, seed) bind(c) result(r)
      import
      type(c_ptr) :: r
      type(c_ptr), value :: diagram
      integer(c_int64_t), value :: seed
    end function
    function kinjo_members_by_weight(diagram, weights) bind(c) result(r)
      import
      type(c_ptr) :: r
      type(c_ptr), value :: diagram
      real(c_double), intent(in) :: weights(*)
    end function
    subroutine kinjo_members_free(members) bind(c)
      import
      type(c_ptr), value :: members
    end subroutine
    function kinjo_members_next(members, items, count) bind(c) result(r)
      import
      integer(c_int) :: r
      type(c_ptr), value :: members
      integer(c_int32_t), intent(inout) :: items(*)
      integer(c_size_t), intent(out) :: count
    end function
  end interface
end module kinjo_c_compute
