! kinjo for Fortran: all of kinjo.h under its own names, with Fortran's strings and arrays where C has
! its own. What each function does stands in kinjo.h; docs/fortran.md says what is different here.
!
! An `integer` function returns 0 or more, or a negative kinjo_status; a c_ptr that is not
! c_associated is a failure. kinjo_last_error() then says in one line what was wrong, but for
! kinjo_gemm's refusal of shapes that do not fit.
module kinjo
  use, intrinsic :: iso_c_binding
  use, intrinsic :: ieee_arithmetic, only: ieee_quiet_nan, ieee_value
  use kinjo_c_types
  use kinjo_c_place
  use kinjo_c_blas
  use kinjo_c_compute
  use kinjo_c_cells
  implicit none
  public
  private :: c_last_error, c_status_name, c_version, c_topology_from, c_mapping_create, &
    c_policy_set, c_memory_placement, c_graph_open, c_graph_save, c_network_open, c_network_vertex, &
    c_family_count, c_family_count_spilled, c_grid_paths_count, c_spanning_trees_count, &
    c_diagram_count, c_diagram_open, c_diagram_save, &
    c_diagram_build_spilled, c_count_free, &
    text_of, c_string, digits_of, number_or, memory_of, agree, stride_of, one, ieee_value, &
    ieee_quiet_nan, &
    allocate_double, allocate_float, allocate_double_complex, allocate_float_complex, &
    allocate_int32, allocate_int64, deallocate_double, deallocate_float, &
    deallocate_double_complex, deallocate_float_complex, deallocate_int32, deallocate_int64, &
    dot_double, dot_float, nrm2_double, nrm2_float, asum_double, asum_float, total_double, &
    total_float, axpy_double, axpy_float, scal_double, scal_float, gemm_double, gemm_float

  integer(c_ptrdiff_t), parameter :: one = 1

  ! call kinjo_allocate(x, n, node [, flags]): x(1:n) of zeros on a node of this machine (its OS
  ! number). On failure x is not associated.
  interface kinjo_allocate
    module procedure allocate_double, allocate_float, allocate_double_complex, &
      allocate_float_complex, allocate_int32, allocate_int64
  end interface

  ! call kinjo_deallocate(x): gives back what kinjo_allocate gave, and nullifies x.
  interface kinjo_deallocate
    module procedure deallocate_double, deallocate_float, deallocate_double_complex, &
      deallocate_float_complex, deallocate_int32, deallocate_int64
  end interface

  ! BLAS-1 on whole arrays: Σ x·y, √Σ x², Σ |x|, Σ x, y ← a·x + y, x ← a·x. Of arrays
  ! of different lengths a sum is NaN, and y stays as it is.
  interface kinjo_dot
    module procedure dot_double, dot_float
  end interface
  interface kinjo_nrm2
    module procedure nrm2_double, nrm2_float
  end interface
  interface kinjo_asum
    module procedure asum_double, asum_float
  end interface
  interface kinjo_total
    module procedure total_double, total_float
  end interface
  interface kinjo_axpy
    module procedure axpy_double, axpy_float
  end interface
  interface kinjo_scal
    module procedure scal_double, scal_float
  end interface

  ! status = kinjo_gemm(a, b, c [, alpha] [, beta] [, transpose_a] [, transpose_b]):
  ! c ← alpha·op(a)·op(b) + beta·c, with alpha = 1 and beta = 0 unless given, and a transpose where
  ! kinjo_trans is.
  interface kinjo_gemm
    module procedure gemm_double, gemm_float
  end interface

contains

  ! ---- Strings

  ! The message of the calling thread's last failure; empty if there was none.
  function kinjo_last_error() result(text)
    character(:), allocatable :: text
    text = text_of(c_last_error())
  end function

  function kinjo_status_name(status) result(text)
    integer(c_int), intent(in) :: status
    character(:), allocatable :: text
    text = text_of(c_status_name(status))
  end function

  function kinjo_version() result(text)
    character(:), allocatable :: text
    text = text_of(c_version())
  end function

  function text_of(string) result(text)
    type(c_ptr), intent(in) :: string
    character(:), allocatable :: text
    character(kind=c_char), pointer :: letters(:)
    interface
      function length_of(string) bind(c, name='strlen') result(r)
        import
        type(c_ptr), value :: string
        integer(c_size_t) :: r
      end function
    end interface
    integer :: i
    allocate(character(0) :: text)
    if (.not. c_associated(string)) return
    call c_f_pointer(string, letters, [length_of(string)])
    deallocate(text)
    allocate(character(size(letters)) :: text)
    do i = 1, size(letters)
      text(i:i) = letters(i)
    end do
  end function

  ! As C ends it; blanks at the end do not count.
  pure function c_string(text) result(string)
    character(*), intent(in) :: text
    character(kind=c_char, len=:), allocatable :: string
    string = trim(text) // c_null_char
  end function

  ! A count's digits, which are freed.
  function digits_of(count) result(digits)
    type(c_ptr), intent(in) :: count
    character(:), allocatable :: digits
    digits = text_of(count)
    call c_count_free(count)
  end function

  ! ---- Places

  function kinjo_topology_from(input) result(topology)
    character(*), intent(in) :: input
    type(c_ptr) :: topology
    topology = c_topology_from(c_string(input))
  end function

  function kinjo_mapping_create(topology, policy, threads, flags) result(mapping)
    type(c_ptr), intent(in) :: topology
    character(*), intent(in) :: policy
    integer(c_int), intent(in) :: threads
    integer(c_int), intent(in), optional :: flags
    type(c_ptr) :: mapping
    mapping = c_mapping_create(topology, c_string(policy), threads, number_or(flags, 0_c_int))
  end function

  ! Makes the table of the process; what is left out is taken from the environment.
  function kinjo_policy_set(policy, threads, flags) result(status)
    character(*), intent(in), optional :: policy
    integer(c_int), intent(in), optional :: threads, flags
    integer(c_int) :: status
    if (present(policy)) then
      status = c_policy_set(c_string(policy), number_or(threads, 0_c_int), number_or(flags, 0_c_int))
    else
      status = c_policy_set(threads=number_or(threads, 0_c_int), flags=number_or(flags, 0_c_int))
    end if
  end function

  ! The rung for memory of kinjo; `message` says what happened instead.
  function kinjo_memory_placement(memory, message) result(rung)
    type(c_ptr), intent(in) :: memory
    character(:), allocatable, intent(out), optional :: message
    integer(c_int) :: rung
    type(c_ptr) :: text
    rung = c_memory_placement(memory, text)
    if (.not. present(message)) return
    message = ''
    if (rung >= 0) message = text_of(text)
  end function

  pure function number_or(number, else) result(r)
    integer(c_int), intent(in), optional :: number
    integer(c_int), intent(in) :: else
    integer(c_int) :: r
    r = else
    if (present(number)) r = number
  end function

  ! ---- Graphs and paths

  function kinjo_graph_open(team, input, flags) result(graph)
    type(c_ptr), intent(in) :: team
    character(*), intent(in) :: input
    integer(c_int), intent(in), optional :: flags
    type(c_ptr) :: graph
    graph = c_graph_open(team, c_string(input), number_or(flags, 0_c_int))
  end function

  function kinjo_graph_save(graph, path) result(status)
    type(c_ptr), intent(in) :: graph
    character(*), intent(in) :: path
    integer(c_int) :: status
    status = c_graph_save(graph, c_string(path))
  end function

  function kinjo_network_open(team, input, flags) result(network)
    type(c_ptr), intent(in) :: team
    character(*), intent(in) :: input
    integer(c_int), intent(in), optional :: flags
    type(c_ptr) :: network
    network = c_network_open(team, c_string(input), number_or(flags, 0_c_int))
  end function

  function kinjo_network_vertex(network, name, vertex) result(status)
    type(c_ptr), intent(in) :: network
    character(*), intent(in) :: name
    integer(c_int32_t), intent(out) :: vertex
    integer(c_int) :: status
    status = c_network_vertex(network, c_string(name), vertex)
  end function

  ! Decimal digits; empty on failure.
  function kinjo_family_count(family, team, memory_limit) result(digits)
    type(c_ptr), intent(in) :: family, team
    integer(c_int64_t), intent(in) :: memory_limit
    character(:), allocatable :: digits
    digits = digits_of(c_family_count(family, team, memory_limit))
  end function

  function kinjo_family_count_spilled(family, team, memory_limit, directory) result(digits)
    type(c_ptr), intent(in) :: family, team
    integer(c_int64_t), intent(in) :: memory_limit
    character(*), intent(in) :: directory
    character(:), allocatable :: digits
    digits = digits_of(c_family_count_spilled(family, team, memory_limit, c_string(directory)))
  end function

  function kinjo_grid_paths_count(team, rows, columns, memory_limit) result(digits)
    type(c_ptr), intent(in) :: team
    integer(c_int), intent(in) :: rows, columns
    integer(c_int64_t), intent(in) :: memory_limit
    character(:), allocatable :: digits
    digits = digits_of(c_grid_paths_count(team, rows, columns, memory_limit))
  end function

  function kinjo_spanning_trees_count(network, team, memory_limit) result(digits)
    type(c_ptr), intent(in) :: network, team
    integer(c_int64_t), intent(in) :: memory_limit
    character(:), allocatable :: digits
    digits = digits_of(c_spanning_trees_count(network, team, memory_limit))
  end function

  function kinjo_diagram_count(diagram) result(digits)
    type(c_ptr), intent(in) :: diagram
    character(:), allocatable :: digits
    digits = digits_of(c_diagram_count(diagram))
  end function

  function kinjo_diagram_build_spilled(family, team, memory_limit, directory) result(diagram)
    type(c_ptr), intent(in) :: family, team
    integer(c_int64_t), intent(in) :: memory_limit
    character(*), intent(in) :: directory
    type(c_ptr) :: diagram
    diagram = c_diagram_build_spilled(family, team, memory_limit, c_string(directory))
  end function

  function kinjo_diagram_open(path) result(diagram)
    character(*), intent(in) :: path
    type(c_ptr) :: diagram
    diagram = c_diagram_open(c_string(path))
  end function

  function kinjo_diagram_save(diagram, path) result(status)
    type(c_ptr), intent(in) :: diagram
    character(*), intent(in) :: path
    integer(c_int) :: status
    status = c_diagram_save(diagram, c_string(path))
  end function

  ! ---- Fourier transforms

  ! A plan for arrays of this shape, as Fortran's shape() has it. `team` left out: the calling thread.
  function kinjo_fft_plan(shape, team, batch, flags) result(plan)
    integer, intent(in) :: shape(:)
    type(c_ptr), intent(in), optional :: team
    integer, intent(in), optional :: batch
    integer(c_int), intent(in), optional :: flags
    type(c_ptr) :: plan, over
    integer(c_ptrdiff_t) :: lengths(size(shape)), arrays
    lengths = shape(size(shape):1:-1)  ! the axis that C calls the last is Fortran's first
    arrays = 1
    if (present(batch)) arrays = batch
    over = c_null_ptr
    if (present(team)) over = team
    plan = kinjo_fft_create(over, size(lengths, kind=c_int), lengths, arrays, number_or(flags, 0_c_int))
  end function

  ! ---- Memory

  function memory_of(n, element_bits, node, flags) result(memory)
    integer, intent(in) :: n, element_bits
    integer(c_int), intent(in) :: node
    integer(c_int), intent(in), optional :: flags
    type(c_ptr) :: memory
    integer(c_size_t) :: bytes
    bytes = int(max(n, 0), c_size_t) * (element_bits / 8)
    memory = kinjo_memory_alloc_on(node, bytes, number_or(flags, 0_c_int))
  end function

  subroutine allocate_double(x, n, node, flags)
    real(c_double), pointer, intent(out) :: x(:)
    integer, intent(in) :: n
    integer(c_int), intent(in) :: node
    integer(c_int), intent(in), optional :: flags
    type(c_ptr) :: memory
    memory = memory_of(n, storage_size(x), node, flags)
    nullify(x)
    if (c_associated(memory)) call c_f_pointer(memory, x, [n])
  end subroutine

  subroutine allocate_float(x, n, node, flags)
    real(c_float), pointer, intent(out) :: x(:)
    integer, intent(in) :: n
    integer(c_int), intent(in) :: node
    integer(c_int), intent(in), optional :: flags
    type(c_ptr) :: memory
    memory = memory_of(n, storage_size(x), node, flags)
    nullify(x)
    if (c_associated(memory)) call c_f_pointer(memory, x, [n])
  end subroutine

  subroutine allocate_double_complex(x, n, node, flags)
    complex(c_double_complex), pointer, intent(out) :: x(:)
    integer, intent(in) :: n
    integer(c_int), intent(in) :: node
    integer(c_int), intent(in), optional :: flags
    type(c_ptr) :: memory
    memory = memory_of(n, storage_size(x), node, flags)
    nullify(x)
    if (c_associated(memory)) call c_f_pointer(memory, x, [n])
  end subroutine

  subroutine allocate_float_complex(x, n, node, flags)
    complex(c_float_complex), pointer, intent(out) :: x(:)
    integer, intent(in) :: n
    integer(c_int), intent(in) :: node
    integer(c_int), intent(in), optional :: flags
    type(c_ptr) :: memory
    memory = memory_of(n, storage_size(x), node, flags)
    nullify(x)
    if (c_associated(memory)) call c_f_pointer(memory, x, [n])
  end subroutine

  subroutine allocate_int32(x, n, node, flags)
    integer(c_int32_t), pointer, intent(out) :: x(:)
    integer, intent(in) :: n
    integer(c_int), intent(in) :: node
    integer(c_int), intent(in), optional :: flags
    type(c_ptr) :: memory
    memory = memory_of(n, storage_size(x), node, flags)
    nullify(x)
    if (c_associated(memory)) call c_f_pointer(memory, x, [n])
  end subroutine

  subroutine allocate_int64(x, n, node, flags)
    integer(c_int64_t), pointer, intent(out) :: x(:)
    integer, intent(in) :: n
    integer(c_int), intent(in) :: node
    integer(c_int), intent(in), optional :: flags
    type(c_ptr) :: memory
    memory = memory_of(n, storage_size(x), node, flags)
    nullify(x)
    if (c_associated(memory)) call c_f_pointer(memory, x, [n])
  end subroutine

  subroutine deallocate_double(x)
    real(c_double), pointer, intent(inout) :: x(:)
    integer(c_int) :: status
    if (.not. associated(x)) return
    status = kinjo_memory_free(c_loc(x(lbound(x, 1))))
    if (status == kinjo_ok) nullify(x)
  end subroutine

  subroutine deallocate_float(x)
    real(c_float), pointer, intent(inout) :: x(:)
    integer(c_int) :: status
    if (.not. associated(x)) return
    status = kinjo_memory_free(c_loc(x(lbound(x, 1))))
    if (status == kinjo_ok) nullify(x)
  end subroutine

  subroutine deallocate_double_complex(x)
    complex(c_double_complex), pointer, intent(inout) :: x(:)
    integer(c_int) :: status
    if (.not. associated(x)) return
    status = kinjo_memory_free(c_loc(x(lbound(x, 1))))
    if (status == kinjo_ok) nullify(x)
  end subroutine

  subroutine deallocate_float_complex(x)
    complex(c_float_complex), pointer, intent(inout) :: x(:)
    integer(c_int) :: status
    if (.not. associated(x)) return
    status = kinjo_memory_free(c_loc(x(lbound(x, 1))))
    if (status == kinjo_ok) nullify(x)
  end subroutine

  subroutine deallocate_int32(x)
    integer(c_int32_t), pointer, intent(inout) :: x(:)
    integer(c_int) :: status
    if (.not. associated(x)) return
    status = kinjo_memory_free(c_loc(x(lbound(x, 1))))
    if (status == kinjo_ok) nullify(x)
  end subroutine

  subroutine deallocate_int64(x)
    integer(c_int64_t), pointer, intent(inout) :: x(:)
    integer(c_int) :: status
    if (.not. associated(x)) return
    status = kinjo_memory_free(c_loc(x(lbound(x, 1))))
    if (status == kinjo_ok) nullify(x)
  end subroutine

  ! ---- BLAS-1

  function dot_double(x, y) result(r)
    real(c_double), intent(in), contiguous :: x(:), y(:)
    real(c_double) :: r
    r = ieee_value(r, ieee_quiet_nan)
    if (size(x, kind=c_ptrdiff_t) == size(y, kind=c_ptrdiff_t)) r = kinjo_ddot_64(size(x, kind=c_ptrdiff_t), x, one, y, one)
  end function

  function dot_float(x, y) result(r)
    real(c_float), intent(in), contiguous :: x(:), y(:)
    real(c_float) :: r
    r = ieee_value(r, ieee_quiet_nan)
    if (size(x, kind=c_ptrdiff_t) == size(y, kind=c_ptrdiff_t)) r = kinjo_sdot_64(size(x, kind=c_ptrdiff_t), x, one, y, one)
  end function

  function nrm2_double(x) result(r)
    real(c_double), intent(in), contiguous :: x(:)
    real(c_double) :: r
    r = kinjo_dnrm2_64(size(x, kind=c_ptrdiff_t), x, one)
  end function

  function nrm2_float(x) result(r)
    real(c_float), intent(in), contiguous :: x(:)
    real(c_float) :: r
    r = kinjo_snrm2_64(size(x, kind=c_ptrdiff_t), x, one)
  end function

  function asum_double(x) result(r)
    real(c_double), intent(in), contiguous :: x(:)
    real(c_double) :: r
    r = kinjo_dasum_64(size(x, kind=c_ptrdiff_t), x, one)
  end function

  function asum_float(x) result(r)
    real(c_float), intent(in), contiguous :: x(:)
    real(c_float) :: r
    r = kinjo_sasum_64(size(x, kind=c_ptrdiff_t), x, one)
  end function

  function total_double(x) result(r)
    real(c_double), intent(in), contiguous :: x(:)
    real(c_double) :: r
    r = kinjo_dsum_64(size(x, kind=c_ptrdiff_t), x, one)
  end function

  function total_float(x) result(r)
    real(c_float), intent(in), contiguous :: x(:)
    real(c_float) :: r
    r = kinjo_ssum_64(size(x, kind=c_ptrdiff_t), x, one)
  end function

  subroutine axpy_double(a, x, y)
    real(c_double), intent(in) :: a
    real(c_double), intent(in), contiguous :: x(:)
    real(c_double), intent(inout), contiguous :: y(:)
    if (size(x, kind=c_ptrdiff_t) == size(y, kind=c_ptrdiff_t)) call kinjo_daxpy_64(size(x, kind=c_ptrdiff_t), a, x, one, y, one)
  end subroutine

  subroutine axpy_float(a, x, y)
    real(c_float), intent(in) :: a
    real(c_float), intent(in), contiguous :: x(:)
    real(c_float), intent(inout), contiguous :: y(:)
    if (size(x, kind=c_ptrdiff_t) == size(y, kind=c_ptrdiff_t)) call kinjo_saxpy_64(size(x, kind=c_ptrdiff_t), a, x, one, y, one)
  end subroutine

  subroutine scal_double(a, x)
    real(c_double), intent(in) :: a
    real(c_double), intent(inout), contiguous :: x(:)
    call kinjo_dscal_64(size(x, kind=c_ptrdiff_t), a, x, one)
  end subroutine

  subroutine scal_float(a, x)
    real(c_float), intent(in) :: a
    real(c_float), intent(inout), contiguous :: x(:)
    call kinjo_sscal_64(size(x, kind=c_ptrdiff_t), a, x, one)
  end subroutine

  ! ---- Products

  function gemm_double(a, b, c, alpha, beta, transpose_a, transpose_b) result(status)
    real(c_double), intent(in), contiguous :: a(:, :), b(:, :)
    real(c_double), intent(inout), contiguous :: c(:, :)
    real(c_double), intent(in), optional :: alpha, beta
    integer(c_int), intent(in), optional :: transpose_a, transpose_b
    integer(c_int) :: status, op_a, op_b
    real(c_double) :: times, plus
    integer(c_ptrdiff_t) :: inner
    op_a = number_or(transpose_a, kinjo_no_trans)
    op_b = number_or(transpose_b, kinjo_no_trans)
    times = 1
    if (present(alpha)) times = alpha
    plus = 0
    if (present(beta)) plus = beta
    inner = size(a, merge(2, 1, op_a == kinjo_no_trans), c_ptrdiff_t)
    status = kinjo_invalid_argument
    if (.not. agree(shape(a, c_ptrdiff_t), op_a, shape(b, c_ptrdiff_t), op_b, shape(c, c_ptrdiff_t))) return
    status = kinjo_dgemm_64(kinjo_col_major, op_a, op_b, size(c, 1, c_ptrdiff_t), &
      size(c, 2, c_ptrdiff_t), inner, times, a, stride_of(size(a, 1, c_ptrdiff_t)), b, &
      stride_of(size(b, 1, c_ptrdiff_t)), plus, c, stride_of(size(c, 1, c_ptrdiff_t)))
  end function

  function gemm_float(a, b, c, alpha, beta, transpose_a, transpose_b) result(status)
    real(c_float), intent(in), contiguous :: a(:, :), b(:, :)
    real(c_float), intent(inout), contiguous :: c(:, :)
    real(c_float), intent(in), optional :: alpha, beta
    integer(c_int), intent(in), optional :: transpose_a, transpose_b
    integer(c_int) :: status, op_a, op_b
    real(c_float) :: times, plus
    integer(c_ptrdiff_t) :: inner
    op_a = number_or(transpose_a, kinjo_no_trans)
    op_b = number_or(transpose_b, kinjo_no_trans)
    times = 1
    if (present(alpha)) times = alpha
    plus = 0
    if (present(beta)) plus = beta
    inner = size(a, merge(2, 1, op_a == kinjo_no_trans), c_ptrdiff_t)
    status = kinjo_invalid_argument
    if (.not. agree(shape(a, c_ptrdiff_t), op_a, shape(b, c_ptrdiff_t), op_b, shape(c, c_ptrdiff_t))) return
    status = kinjo_sgemm_64(kinjo_col_major, op_a, op_b, size(c, 1, c_ptrdiff_t), &
      size(c, 2, c_ptrdiff_t), inner, times, a, stride_of(size(a, 1, c_ptrdiff_t)), b, &
      stride_of(size(b, 1, c_ptrdiff_t)), plus, c, stride_of(size(c, 1, c_ptrdiff_t)))
  end function

  ! Whether op(a)·op(b) has the shape of c.
  pure function agree(a, op_a, b, op_b, c) result(yes)
    integer(c_ptrdiff_t), intent(in) :: a(2), b(2), c(2)
    integer(c_int), intent(in) :: op_a, op_b
    logical :: yes
    integer(c_ptrdiff_t) :: left(2), right(2)
    left = merge(a, a(2:1:-1), op_a == kinjo_no_trans)
    right = merge(b, b(2:1:-1), op_b == kinjo_no_trans)
    yes = left(2) == right(1) .and. left(1) == c(1) .and. right(2) == c(2)
  end function

  pure function stride_of(rows) result(elements)
    integer(c_ptrdiff_t), intent(in) :: rows
    integer(c_ptrdiff_t) :: elements
    elements = max(rows, one)
  end function

end module kinjo
