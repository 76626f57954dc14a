! The threads of an OpenMP region bind themselves, each takes memory on its node and computes on it.
program threads
  use kinjo
  use omp_lib
  implicit none
  integer :: status
  real(c_double) :: total

  status = kinjo_policy_set('scatter')  ! one thread for each allowed CPU
  if (status < 0) error stop kinjo_last_error()
  total = 0
  !$omp parallel num_threads(kinjo_thread_count()) reduction(+: total)
  block
    integer, parameter :: n = 100000
    type(kinjo_place) :: me
    real(c_double), pointer :: x(:)
    integer :: refused

    refused = kinjo_thread_bind(omp_get_thread_num())
    me = kinjo_here()
    call kinjo_allocate(x, n, me%node)  ! zeros on this thread's node
    if (refused < 0 .or. .not. associated(x)) error stop kinjo_last_error()
    x = 2
    total = kinjo_dot(x, x) / (4 * n)
    !$omp critical
    print '(a, i0, a, i0, a, i0)', 'thread ', me%thread, ': CPU ', me%cpu, ', node ', me%node
    !$omp end critical
    call kinjo_deallocate(x)
    refused = kinjo_thread_unbind()
  end block
  !$omp end parallel
  if (nint(total) == kinjo_thread_count()) print '(a, i0, a)', 'all ', nint(total), ' sums are right'
end program
