! Cells of kinjo.h: put, get and active messages.
! What each is and does stands in kinjo.h.
! A handle and an address are a c_ptr; NULL is c_null_ptr, or an optional argument that is left out.
! The module `kinjo` has these too.
module kinjo_c_cells
  use, intrinsic :: iso_c_binding
  use kinjo_c_types
  implicit none
  public

  interface
    ! ---- Cells: put, get and active messages

    function kinjo_world_run_threads(team, options, function, context) bind(c) result(r)
      import
      integer(c_int) :: r
      type(c_ptr), value :: team
      type(kinjo_world_options), intent(in), optional :: options
      type(c_funptr), value :: function
      type(c_ptr), value :: context
    end function
    function kinjo_world_run_processes(mapping, options, function, context) bind(c) result(r)
      import
      integer(c_int) :: r
      type(c_ptr), value :: mapping
      type(kinjo_world_options), intent(in), optional :: options
      type(c_funptr), value :: function
      type(c_ptr), value :: context
    end function
    function kinjo_world_launcher() bind(c) result(r)
      import
      integer(c_int) :: r
    end function
    function kinjo_world_launch(mapping, command, statuses) bind(c) result(r)
      import
      integer(c_int) :: r
      type(c_ptr), value :: mapping, command
      integer(c_int), intent(out), optional :: statuses(*)
    end function
    function kinjo_world_join(options) bind(c) result(r)
      import
      type(c_ptr) :: r
      type(kinjo_world_options), intent(in), optional :: options
    end function
    subroutine kinjo_world_free(world) bind(c)
      import
      type(c_ptr), value :: world
    end subroutine
    function kinjo_world_cell(world) bind(c) result(r)
      import
      integer(c_int) :: r
      type(c_ptr), value :: world
    end function
    function kinjo_world_cells(world) bind(c) result(r)
      import
      integer(c_int) :: r
      type(c_ptr), value :: world
    end function
    function kinjo_world_path(world, cell) bind(c) result(r)
      import
      integer(c_int) :: r
      type(c_ptr), value :: world
      integer(c_int), value :: cell
    end function
    function kinjo_world_lost_cell() bind(c) result(r)
      import
      integer(c_int) :: r
    end function
    function kinjo_world_allocate(world, bytes, alignment, timeout_ns, offset) bind(c) result(r)
      import
      integer(c_int) :: r
      type(c_ptr), value :: world
      integer(c_size_t), value :: bytes, alignment
      integer(c_int64_t), value :: timeout_ns
      integer(c_int64_t), intent(out) :: offset
    end function
    function kinjo_world_release(world, from, timeout_ns) bind(c) result(r)
      import
      integer(c_int) :: r
      type(c_ptr), value :: world
      integer(c_int64_t), value :: from, timeout_ns
    end function
    function kinjo_world_local(world, offset) bind(c) result(r)
      import
      type(c_ptr) :: r
      type(c_ptr), value :: world
      integer(c_int64_t), value :: offset
    end function
    function kinjo_world_ptr(world, cell, offset) bind(c) result(r)
      import
      type(c_ptr) :: r
      type(c_ptr), value :: world
      integer(c_int), value :: cell
      integer(c_int64_t), value :: offset
    end function
    function kinjo_completion_create() bind(c) result(r)
      import
      type(c_ptr) :: r
    end function
    subroutine kinjo_completion_free(completion) bind(c)
      import
      type(c_ptr), value :: completion
    end subroutine
    function kinjo_completion_done(completion) bind(c) result(r)
      import
      integer(c_int) :: r
      type(c_ptr), value :: completion
    end function
    function kinjo_world_put(world, cell, to, from, bytes, local, timeout_ns) bind(c) result(r)
      import
      integer(c_int) :: r
      type(c_ptr), value :: world
      integer(c_int), value :: cell
      integer(c_int64_t), value :: to
      type(*), intent(in) :: from(*)
      integer(c_size_t), value :: bytes
      type(c_ptr), value :: local
      integer(c_int64_t), value :: timeout_ns
    end function
    function kinjo_world_put_signal(world, cell, to, from, bytes, signal, local, &
        timeout_ns) bind(c) result(r)
      import
      integer(c_int) :: r
      type(c_ptr), value :: world
      integer(c_int), value :: cell
      integer(c_int64_t), value :: to
      type(*), intent(in) :: from(*)
      integer(c_size_t), value :: bytes
      type(kinjo_signal), intent(in) :: signal
      type(c_ptr), value :: local
      integer(c_int64_t), value :: timeout_ns
    end function
    function kinjo_world_put_signal_to_all(world, targets, count, from, bytes, local, &
        timeout_ns) bind(c) result(r)
      import
      integer(c_int) :: r
      type(c_ptr), value :: world
      type(kinjo_target), intent(in) :: targets(*)
      integer(c_size_t), value :: count
      type(*), intent(in) :: from(*)
      integer(c_size_t), value :: bytes
      type(c_ptr), value :: local
      integer(c_int64_t), value :: timeout_ns
    end function
    function kinjo_world_put_short(world, cell, to, value, bytes, signal, &
        timeout_ns) bind(c) result(r)
      import
      integer(c_int) :: r
      type(c_ptr), value :: world
      integer(c_int), value :: cell
      integer(c_int64_t), value :: to, value
      integer(c_size_t), value :: bytes
      type(kinjo_signal), intent(in), optional :: signal
      integer(c_int64_t), value :: timeout_ns
    end function
    function kinjo_world_put_rows(world, cell, to, shape, from, from_stride, signal, local, &
        timeout_ns) bind(c) result(r)
      import
      integer(c_int) :: r
      type(c_ptr), value :: world
      integer(c_int), value :: cell
      integer(c_int64_t), value :: to
      type(kinjo_rows), intent(in) :: shape
      type(*), intent(in) :: from(*)
      integer(c_size_t), value :: from_stride
      type(kinjo_signal), intent(in), optional :: signal
      type(c_ptr), value :: local
      integer(c_int64_t), value :: timeout_ns
    end function
    function kinjo_world_signal(world, cell, signal, timeout_ns) bind(c) result(r)
      import
      integer(c_int) :: r
      type(c_ptr), value :: world
      integer(c_int), value :: cell
      type(kinjo_signal), intent(in) :: signal
      integer(c_int64_t), value :: timeout_ns
    end function
    function kinjo_world_get(world, cell, to, from, bytes, done, timeout_ns) bind(c) result(r)
      import
      integer(c_int) :: r
      type(c_ptr), value :: world
      integer(c_int), value :: cell
      type(*), intent(inout) :: to(*)
      integer(c_int64_t), value :: from
      integer(c_size_t), value :: bytes
      type(c_ptr), value :: done
      integer(c_int64_t), value :: timeout_ns
    end function
    function kinjo_world_get_rows(world, cell, to, to_stride, from, shape, done, &
        timeout_ns) bind(c) result(r)
      import
      integer(c_int) :: r
      type(c_ptr), value :: world
      integer(c_int), value :: cell
      type(*), intent(inout) :: to(*)
      integer(c_size_t), value :: to_stride
      integer(c_int64_t), value :: from
      type(kinjo_rows), intent(in) :: shape
      type(c_ptr), value :: done
      integer(c_int64_t), value :: timeout_ns
    end function
    function kinjo_world_fence(world) bind(c) result(r)
      import
      integer(c_int) :: r
      type(c_ptr), value :: world
    end function
    function kinjo_world_quiet(world, timeout_ns) bind(c) result(r)
      import
      integer(c_int) :: r
      type(c_ptr), value :: world
      integer(c_int64_t), value :: timeout_ns
    end function
    function kinjo_world_flag(world, flag, value) bind(c) result(r)
      import
      integer(c_int) :: r
      type(c_ptr), value :: world
      integer(c_int64_t), value :: flag
      integer(c_int64_t), intent(out) :: value
    end function
    function kinjo_world_wait_flag(world, flag, until, value, timeout_ns, seen) bind(c) result(r)
      import
      integer(c_int) :: r
      type(c_ptr), value :: world
      integer(c_int64_t), value :: flag
      integer(c_int), value :: until
      integer(c_int64_t), value :: value, timeout_ns
      integer(c_int64_t), intent(out), optional :: seen
    end function
    function kinjo_world_wait(world, completion, timeout_ns) bind(c) result(r)
      import
      integer(c_int) :: r
      type(c_ptr), value :: world, completion
      integer(c_int64_t), value :: timeout_ns
    end function
    function kinjo_world_wait_until(world, ready, context, timeout_ns) bind(c) result(r)
      import
      integer(c_int) :: r
      type(c_ptr), value :: world
      type(c_funptr), value :: ready
      type(c_ptr), value :: context
      integer(c_int64_t), value :: timeout_ns
    end function
    function kinjo_world_progress(world) bind(c) result(r)
      import
      integer(c_int) :: r
      type(c_ptr), value :: world
    end function
    function kinjo_world_waited_seconds(world, seconds) bind(c) result(r)
      import
      integer(c_int) :: r
      type(c_ptr), value :: world
      real(c_double), intent(out) :: seconds
    end function
    function kinjo_world_start_trace(world) bind(c) result(r)
      import
      integer(c_int) :: r
      type(c_ptr), value :: world
    end function
    function kinjo_world_trace(world, waits, capacity, count) bind(c) result(r)
      import
      integer(c_int) :: r
      type(c_ptr), value :: world
      type(kinjo_wait), intent(inout) :: waits(*)
      integer(c_size_t), value :: capacity
      integer(c_size_t), intent(out) :: count
    end function
    function kinjo_world_request(world, cell, handler, data, bytes, timeout_ns) bind(c) result(r)
      import
      integer(c_int) :: r
      type(c_ptr), value :: world
      integer(c_int), value :: cell, handler
      type(*), intent(in) :: data(*)
      integer(c_size_t), value :: bytes
      integer(c_int64_t), value :: timeout_ns
    end function
    function kinjo_world_request_long(world, cell, handler, data, bytes, to, local, &
        timeout_ns) bind(c) result(r)
      import
      integer(c_int) :: r
      type(c_ptr), value :: world
      integer(c_int), value :: cell, handler
      type(*), intent(in) :: data(*)
      integer(c_size_t), value :: bytes
      integer(c_int64_t), value :: to
      type(c_ptr), value :: local
      integer(c_int64_t), value :: timeout_ns
    end function
    function kinjo_message_from(message) bind(c) result(r)
      import
      integer(c_int) :: r
      type(c_ptr), value :: message
    end function
    function kinjo_message_data(message) bind(c) result(r)
      import
      type(c_ptr) :: r
      type(c_ptr), value :: message
    end function
    function kinjo_message_bytes(message) bind(c) result(r)
      import
      integer(c_size_t) :: r
      type(c_ptr), value :: message
    end function
    function kinjo_message_reply(message, handler, data, bytes) bind(c) result(r)
      import
      integer(c_int) :: r
      type(c_ptr), value :: message
      integer(c_int), value :: handler
      type(*), intent(in) :: data(*)
      integer(c_size_t), value :: bytes
    end function
    function kinjo_message_reply_long(message, handler, data, bytes, to) bind(c) result(r)
      import
      integer(c_int) :: r
      type(c_ptr), value :: message
      integer(c_int), value :: handler
      type(*), intent(in) :: data(*)
      integer(c_size_t), value :: bytes
      integer(c_int64_t), value :: to
    end function
    function kinjo_world_barrier(world, timeout_ns) bind(c) result(r)
      import
      integer(c_int) :: r
      type(c_ptr), value :: world
      integer(c_int64_t), value :: timeout_ns
    end function
    function kinjo_world_broadcast(world, root, at, bytes, timeout_ns) bind(c) result(r)
      import
      integer(c_int) :: r
      type(c_ptr), value :: world
      integer(c_int), value :: root
      integer(c_int64_t), value :: at
      integer(c_size_t), value :: bytes
      integer(c_int64_t), value :: timeout_ns
    end function
    function kinjo_world_all_reduce(world, values, count, op, timeout_ns) bind(c) result(r)
      import
      integer(c_int) :: r
      type(c_ptr), value :: world
      real(c_double), intent(inout) :: values(*)
      integer(c_size_t), value :: count
      integer(c_int), value :: op
      integer(c_int64_t), value :: timeout_ns
    end function
    function kinjo_world_send(world, cell, tag, data, bytes, timeout_ns) bind(c) result(r)
      import
      integer(c_int) :: r
      type(c_ptr), value :: world
      integer(c_int), value :: cell, tag
      type(*), intent(in) :: data(*)
      integer(c_size_t), value :: bytes
      integer(c_int64_t), value :: timeout_ns
    end function
    function kinjo_world_receive(world, from, tag, data, capacity, timeout_ns, &
        out) bind(c) result(r)
      import
      integer(c_int) :: r
      type(c_ptr), value :: world
      integer(c_int), value :: from, tag
      type(*), intent(inout) :: data(*)
      integer(c_size_t), value :: capacity
      integer(c_int64_t), value :: timeout_ns
      type(kinjo_received), intent(out), optional :: out
    end function
  end interface
end module kinjo_c_cells
