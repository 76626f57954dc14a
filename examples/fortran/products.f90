! Products of matrices over a team of pinned threads, a Fourier transform, paths of a grid, and what
! an error looks like.
program products
  use kinjo
  implicit none
  integer, parameter :: n = 200
  real(c_double), allocatable :: a(:, :), b(:, :), c(:, :), expected(:, :)
  complex(c_double_complex) :: signal(64, 32), spectrum(64, 32), back(64, 32)
  type(c_ptr) :: machine, mapping, team, plan, network, family
  type(kinjo_problem) :: corners
  integer :: status, i

  machine = kinjo_topology_discover()
  if (.not. c_associated(machine)) error stop kinjo_last_error()
  mapping = kinjo_mapping_create(machine, 'compact', kinjo_topology_allowed_cpu_count(machine))
  if (.not. c_associated(mapping)) error stop kinjo_last_error()
  team = kinjo_team_create(mapping, 0)
  if (.not. c_associated(team)) error stop kinjo_last_error()

  allocate(a(n, n), b(n, n), c(n, n))
  call random_number(a)
  call random_number(b)
  status = kinjo_gemm_use_team(team)
  status = kinjo_gemm(a, b, c, transpose_b=kinjo_trans)
  if (status < 0) error stop kinjo_last_error()
  expected = matmul(a, transpose(b))
  print '(i0, a)', count(abs(c - expected) < 1e-9), ' of 40000 elements are right'
  status = kinjo_gemm_use_team(c_null_ptr)

  signal = reshape([(cmplx(mod(i, 7), mod(i, 5), c_double), i = 1, size(signal))], shape(signal))
  plan = kinjo_fft_plan(shape(signal), team)
  if (.not. c_associated(plan)) error stop kinjo_last_error()
  status = kinjo_fft_forward(plan, signal, spectrum)
  status = kinjo_fft_backward(plan, spectrum, back)
  print '(l1, a)', all(abs(back - signal) < 1e-12) .and. abs(spectrum(1, 1) - sum(signal)) < 1e-9, &
    ': the signal is back'
  call kinjo_fft_free(plan)

  network = kinjo_network_open(team, 'grid:8x8')
  corners%to = 80
  family = kinjo_family_create(network, corners)
  print '(a, a)', kinjo_family_count(family, team, 0_c_int64_t), ' paths from corner to corner'
  call kinjo_family_free(family)
  call kinjo_network_free(network)

  call kinjo_mapping_free(kinjo_mapping_create(machine, 'sideways', 1))
  print '(a)', kinjo_last_error()
  call kinjo_team_free(team)
  call kinjo_mapping_free(mapping)
  call kinjo_topology_free(machine)
end program
