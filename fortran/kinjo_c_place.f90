! Errors, the machine, mappings, bindings, memory and teams of kinjo.h.
! What each is and does stands in kinjo.h.
! A handle and an address are a c_ptr; NULL is c_null_ptr, or an optional argument that is left out.
! Those named c_… have strings of C; the module `kinjo` has them with Fortran's, under their own names.
module kinjo_c_place
  use, intrinsic :: iso_c_binding
  use kinjo_c_types
  implicit none
  public

  interface
    ! ---- Errors

    function kinjo_last_status() bind(c) result(r)
      import
      integer(c_int) :: r
    end function
    function c_last_error() bind(c, name='kinjo_last_error') result(r)
      import
      type(c_ptr) :: r
    end function
    function c_status_name(status) bind(c, name='kinjo_status_name') result(r)
      import
      type(c_ptr) :: r
      integer(c_int), value :: status
    end function
    function c_version() bind(c, name='kinjo_version') result(r)
      import
      type(c_ptr) :: r
    end function

    ! ---- The machine

    function kinjo_topology_discover() bind(c) result(r)
      import
      type(c_ptr) :: r
    end function
    function c_topology_from(input) bind(c, name='kinjo_topology_from') result(r)
      import
      type(c_ptr) :: r
      character(kind=c_char), intent(in) :: input(*)
    end function
    subroutine kinjo_topology_free(topology) bind(c)
      import
      type(c_ptr), value :: topology
    end subroutine
    function kinjo_topology_cpu_count(topology) bind(c) result(r)
      import
      integer(c_int) :: r
      type(c_ptr), value :: topology
    end function
    function kinjo_topology_allowed_cpu_count(topology) bind(c) result(r)
      import
      integer(c_int) :: r
      type(c_ptr), value :: topology
    end function
    function kinjo_topology_node_count(topology) bind(c) result(r)
      import
      integer(c_int) :: r
      type(c_ptr), value :: topology
    end function
    function kinjo_topology_package_count(topology) bind(c) result(r)
      import
      integer(c_int) :: r
      type(c_ptr), value :: topology
    end function
    function kinjo_topology_get_cpu(topology, index, out) bind(c) result(r)
      import
      integer(c_int) :: r
      type(c_ptr), value :: topology
      integer(c_int), value :: index
      type(kinjo_cpu), intent(out) :: out
    end function
    function kinjo_topology_get_node(topology, index, out) bind(c) result(r)
      import
      integer(c_int) :: r
      type(c_ptr), value :: topology
      integer(c_int), value :: index
      type(kinjo_node), intent(out) :: out
    end function
    function kinjo_topology_find_cpu(topology, cpu, out) bind(c) result(r)
      import
      integer(c_int) :: r
      type(c_ptr), value :: topology
      integer(c_int), value :: cpu
      type(kinjo_cpu), intent(out) :: out
    end function
    function kinjo_topology_find_node(topology, node, out) bind(c) result(r)
      import
      integer(c_int) :: r
      type(c_ptr), value :: topology
      integer(c_int), value :: node
      type(kinjo_node), intent(out) :: out
    end function
    function kinjo_topology_distance(topology, from_node, to_node) bind(c) result(r)
      import
      integer(c_int) :: r
      type(c_ptr), value :: topology
      integer(c_int), value :: from_node, to_node
    end function

    ! ---- Mappings

    function c_mapping_create(topology, policy, threads, flags) bind(c, name='kinjo_mapping_create') result(r)
      import
      type(c_ptr) :: r
      type(c_ptr), value :: topology
      character(kind=c_char), intent(in) :: policy(*)
      integer(c_int), value :: threads, flags
    end function
    subroutine kinjo_mapping_free(mapping) bind(c)
      import
      type(c_ptr), value :: mapping
    end subroutine
    function kinjo_mapping_size(mapping) bind(c) result(r)
      import
      integer(c_int) :: r
      type(c_ptr), value :: mapping
    end function
    function kinjo_mapping_get_place(mapping, thread, out) bind(c) result(r)
      import
      integer(c_int) :: r
      type(c_ptr), value :: mapping
      integer(c_int), value :: thread
      type(kinjo_place), intent(out) :: out
    end function
    function kinjo_mapping_node_count(mapping) bind(c) result(r)
      import
      integer(c_int) :: r
      type(c_ptr), value :: mapping
    end function
    function kinjo_mapping_get_node(mapping, node_index, node) bind(c) result(r)
      import
      integer(c_int) :: r
      type(c_ptr), value :: mapping
      integer(c_int), value :: node_index
      integer(c_int), intent(out) :: node
    end function
    function kinjo_mapping_node_threads(mapping, node_index) bind(c) result(r)
      import
      integer(c_int) :: r
      type(c_ptr), value :: mapping
      integer(c_int), value :: node_index
    end function

    ! ---- Pinning the calling thread to a row of a mapping

    function kinjo_binding_create(mapping, thread, flags) bind(c) result(r)
      import
      type(c_ptr) :: r
      type(c_ptr), value :: mapping
      integer(c_int), value :: thread, flags
    end function
    function kinjo_binding_undo(binding) bind(c) result(r)
      import
      integer(c_int) :: r
      type(c_ptr), value :: binding
    end function
    function kinjo_here() bind(c) result(r)
      import
      type(kinjo_place) :: r
    end function
    function kinjo_current_cpu() bind(c) result(r)
      import
      integer(c_int) :: r
    end function

    ! ---- Memory

    function kinjo_memory_alloc_on(node, bytes, flags) bind(c) result(r)
      import
      type(c_ptr) :: r
      integer(c_int), value :: node
      integer(c_size_t), value :: bytes
      integer(c_int), value :: flags
    end function
    function kinjo_memory_alloc_interleaved(nodes, count, bytes, flags) bind(c) result(r)
      import
      type(c_ptr) :: r
      integer(c_int), intent(in) :: nodes(*)
      integer(c_int), value :: count
      integer(c_size_t), value :: bytes
      integer(c_int), value :: flags
    end function
    function kinjo_memory_free(memory) bind(c) result(r)
      import
      integer(c_int) :: r
      type(c_ptr), value :: memory
    end function
    function c_memory_placement(memory, message) bind(c, name='kinjo_memory_placement') result(r)
      import
      integer(c_int) :: r
      type(c_ptr), value :: memory
      type(c_ptr), intent(out) :: message
    end function
    function kinjo_memory_audit(data, bytes, out) bind(c) result(r)
      import
      integer(c_int) :: r
      type(*), intent(in) :: data(*)
      integer(c_size_t), value :: bytes
      type(kinjo_audit), intent(out) :: out
    end function

    ! ---- Teams

    function kinjo_team_create(mapping, flags) bind(c) result(r)
      import
      type(c_ptr) :: r
      type(c_ptr), value :: mapping
      integer(c_int), value :: flags
    end function
    subroutine kinjo_team_free(team) bind(c)
      import
      type(c_ptr), value :: team
    end subroutine
    function kinjo_team_size(team) bind(c) result(r)
      import
      integer(c_int) :: r
      type(c_ptr), value :: team
    end function
    function kinjo_team_run(team, function, context) bind(c) result(r)
      import
      integer(c_int) :: r
      type(c_ptr), value :: team
      type(c_funptr), value :: function
      type(c_ptr), value :: context
    end function
    function kinjo_team_barrier(team) bind(c) result(r)
      import
      integer(c_int) :: r
      type(c_ptr), value :: team
    end function
    function kinjo_team_node_barrier(team) bind(c) result(r)
      import
      integer(c_int) :: r
      type(c_ptr), value :: team
    end function

    ! ---- One mapping for the whole process (S1's functions, figure 7)

    function c_policy_set(policy, threads, flags) bind(c, name='kinjo_policy_set') result(r)
      import
      integer(c_int) :: r
      character(kind=c_char), intent(in), optional :: policy(*)
      integer(c_int), value :: threads, flags
    end function
    function kinjo_thread_count() bind(c) result(r)
      import
      integer(c_int) :: r
    end function
    function kinjo_thread_cpu(thread) bind(c) result(r)
      import
      integer(c_int) :: r
      integer(c_int), value :: thread
    end function
    function kinjo_thread_node(thread) bind(c) result(r)
      import
      integer(c_int) :: r
      integer(c_int), value :: thread
    end function
    function kinjo_thread_node_index(thread) bind(c) result(r)
      import
      integer(c_int) :: r
      integer(c_int), value :: thread
    end function
    function kinjo_thread_core(thread) bind(c) result(r)
      import
      integer(c_int) :: r
      integer(c_int), value :: thread
    end function
    function kinjo_thread_smt(thread) bind(c) result(r)
      import
      integer(c_int) :: r
      integer(c_int), value :: thread
    end function
    function kinjo_thread_rank(thread) bind(c) result(r)
      import
      integer(c_int) :: r
      integer(c_int), value :: thread
    end function
    function kinjo_node_count() bind(c) result(r)
      import
      integer(c_int) :: r
    end function
    function kinjo_node_number(node_index) bind(c) result(r)
      import
      integer(c_int) :: r
      integer(c_int), value :: node_index
    end function
    function kinjo_node_threads(node_index) bind(c) result(r)
      import
      integer(c_int) :: r
      integer(c_int), value :: node_index
    end function
    function kinjo_node_alloc(node_index, bytes) bind(c) result(r)
      import
      type(c_ptr) :: r
      integer(c_int), value :: node_index
      integer(c_size_t), value :: bytes
    end function
    function kinjo_thread_bind(thread) bind(c) result(r)
      import
      integer(c_int) :: r
      integer(c_int), value :: thread
    end function
    function kinjo_thread_pin(cpu) bind(c) result(r)
      import
      integer(c_int) :: r
      integer(c_int), value :: cpu
    end function
    function kinjo_thread_unbind() bind(c) result(r)
      import
      integer(c_int) :: r
    end function
  end interface
end module kinjo_c_place
