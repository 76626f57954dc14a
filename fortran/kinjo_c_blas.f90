! BLAS-1 and products of kinjo.h.
! What each is and does stands in kinjo.h.
module kinjo_c_blas
  use, intrinsic :: iso_c_binding
  use kinjo_c_types
  implicit none
  public

  interface
    ! ---- BLAS level 1

    function kinjo_ddot(n, x, incx, y, incy) bind(c) result(r)
      import
      real(c_double) :: r
      integer(c_int), value :: n
      real(c_double), intent(in) :: x(*)
      integer(c_int), value :: incx
      real(c_double), intent(in) :: y(*)
      integer(c_int), value :: incy
    end function
    function kinjo_ddot_64(n, x, incx, y, incy) bind(c) result(r)
      import
      real(c_double) :: r
      integer(c_ptrdiff_t), value :: n
      real(c_double), intent(in) :: x(*)
      integer(c_ptrdiff_t), value :: incx
      real(c_double), intent(in) :: y(*)
      integer(c_ptrdiff_t), value :: incy
    end function
    function kinjo_sdot(n, x, incx, y, incy) bind(c) result(r)
      import
      real(c_float) :: r
      integer(c_int), value :: n
      real(c_float), intent(in) :: x(*)
      integer(c_int), value :: incx
      real(c_float), intent(in) :: y(*)
      integer(c_int), value :: incy
    end function
    function kinjo_sdot_64(n, x, incx, y, incy) bind(c) result(r)
      import
      real(c_float) :: r
      integer(c_ptrdiff_t), value :: n
      real(c_float), intent(in) :: x(*)
      integer(c_ptrdiff_t), value :: incx
      real(c_float), intent(in) :: y(*)
      integer(c_ptrdiff_t), value :: incy
    end function
    function kinjo_ddot_reproducible(n, x, incx, y, incy) bind(c) result(r)
      import
      real(c_double) :: r
      integer(c_ptrdiff_t), value :: n
      real(c_double), intent(in) :: x(*)
      integer(c_ptrdiff_t), value :: incx
      real(c_double), intent(in) :: y(*)
      integer(c_ptrdiff_t), value :: incy
    end function
    function kinjo_sdot_reproducible(n, x, incx, y, incy) bind(c) result(r)
      import
      real(c_float) :: r
      integer(c_ptrdiff_t), value :: n
      real(c_float), intent(in) :: x(*)
      integer(c_ptrdiff_t), value :: incx
      real(c_float), intent(in) :: y(*)
      integer(c_ptrdiff_t), value :: incy
    end function
    function kinjo_dnrm2(n, x, incx) bind(c) result(r)
      import
      real(c_double) :: r
      integer(c_int), value :: n
      real(c_double), intent(in) :: x(*)
      integer(c_int), value :: incx
    end function
    function kinjo_dnrm2_64(n, x, incx) bind(c) result(r)
      import
      real(c_double) :: r
      integer(c_ptrdiff_t), value :: n
      real(c_double), intent(in) :: x(*)
      integer(c_ptrdiff_t), value :: incx
    end function
    function kinjo_snrm2(n, x, incx) bind(c) result(r)
      import
      real(c_float) :: r
      integer(c_int), value :: n
      real(c_float), intent(in) :: x(*)
      integer(c_int), value :: incx
    end function
    function kinjo_snrm2_64(n, x, incx) bind(c) result(r)
      import
      real(c_float) :: r
      integer(c_ptrdiff_t), value :: n
      real(c_float), intent(in) :: x(*)
      integer(c_ptrdiff_t), value :: incx
    end function
    function kinjo_dnrm2_reproducible(n, x, incx) bind(c) result(r)
      import
      real(c_double) :: r
      integer(c_ptrdiff_t), value :: n
      real(c_double), intent(in) :: x(*)
      integer(c_ptrdiff_t), value :: incx
    end function
    function kinjo_snrm2_reproducible(n, x, incx) bind(c) result(r)
      import
      real(c_float) :: r
      integer(c_ptrdiff_t), value :: n
      real(c_float), intent(in) :: x(*)
      integer(c_ptrdiff_t), value :: incx
    end function
    function kinjo_dasum(n, x, incx) bind(c) result(r)
      import
      real(c_double) :: r
      integer(c_int), value :: n
      real(c_double), intent(in) :: x(*)
      integer(c_int), value :: incx
    end function
    function kinjo_dasum_64(n, x, incx) bind(c) result(r)
      import
      real(c_double) :: r
      integer(c_ptrdiff_t), value :: n
      real(c_double), intent(in) :: x(*)
      integer(c_ptrdiff_t), value :: incx
    end function
    function kinjo_sasum(n, x, incx) bind(c) result(r)
      import
      real(c_float) :: r
      integer(c_int), value :: n
      real(c_float), intent(in) :: x(*)
      integer(c_int), value :: incx
    end function
    function kinjo_sasum_64(n, x, incx) bind(c) result(r)
      import
      real(c_float) :: r
      integer(c_ptrdiff_t), value :: n
      real(c_float), intent(in) :: x(*)
      integer(c_ptrdiff_t), value :: incx
    end function
    function kinjo_dasum_reproducible(n, x, incx) bind(c) result(r)
      import
      real(c_double) :: r
      integer(c_ptrdiff_t), value :: n
      real(c_double), intent(in) :: x(*)
      integer(c_ptrdiff_t), value :: incx
    end function
    function kinjo_sasum_reproducible(n, x, incx) bind(c) result(r)
      import
      real(c_float) :: r
      integer(c_ptrdiff_t), value :: n
      real(c_float), intent(in) :: x(*)
      integer(c_ptrdiff_t), value :: incx
    end function
    function kinjo_dsum(n, x, incx) bind(c) result(r)
      import
      real(c_double) :: r
      integer(c_int), value :: n
      real(c_double), intent(in) :: x(*)
      integer(c_int), value :: incx
    end function
    function kinjo_dsum_64(n, x, incx) bind(c) result(r)
      import
      real(c_double) :: r
      integer(c_ptrdiff_t), value :: n
      real(c_double), intent(in) :: x(*)
      integer(c_ptrdiff_t), value :: incx
    end function
    function kinjo_ssum(n, x, incx) bind(c) result(r)
      import
      real(c_float) :: r
      integer(c_int), value :: n
      real(c_float), intent(in) :: x(*)
      integer(c_int), value :: incx
    end function
    function kinjo_ssum_64(n, x, incx) bind(c) result(r)
      import
      real(c_float) :: r
      integer(c_ptrdiff_t), value :: n
      real(c_float), intent(in) :: x(*)
      integer(c_ptrdiff_t), value :: incx
    end function
    function kinjo_dsum_reproducible(n, x, incx) bind(c) result(r)
      import
      real(c_double) :: r
      integer(c_ptrdiff_t), value :: n
      real(c_double), intent(in) :: x(*)
      integer(c_ptrdiff_t), value :: incx
    end function
    function kinjo_ssum_reproducible(n, x, incx) bind(c) result(r)
      import
      real(c_float) :: r
      integer(c_ptrdiff_t), value :: n
      real(c_float), intent(in) :: x(*)
      integer(c_ptrdiff_t), value :: incx
    end function
    function kinjo_dssq(n, x, incx) bind(c) result(r)
      import
      real(c_double) :: r
      integer(c_ptrdiff_t), value :: n
      real(c_double), intent(in) :: x(*)
      integer(c_ptrdiff_t), value :: incx
    end function
    function kinjo_sssq(n, x, incx) bind(c) result(r)
      import
      real(c_float) :: r
      integer(c_ptrdiff_t), value :: n
      real(c_float), intent(in) :: x(*)
      integer(c_ptrdiff_t), value :: incx
    end function
    function kinjo_dssq_reproducible(n, x, incx) bind(c) result(r)
      import
      real(c_double) :: r
      integer(c_ptrdiff_t), value :: n
      real(c_double), intent(in) :: x(*)
      integer(c_ptrdiff_t), value :: incx
    end function
    function kinjo_sssq_reproducible(n, x, incx) bind(c) result(r)
      import
      real(c_float) :: r
      integer(c_ptrdiff_t), value :: n
      real(c_float), intent(in) :: x(*)
      integer(c_ptrdiff_t), value :: incx
    end function
    function kinjo_idamax(n, x, incx) bind(c) result(r)
      import
      integer(c_size_t) :: r
      integer(c_int), value :: n
      real(c_double), intent(in) :: x(*)
      integer(c_int), value :: incx
    end function
    function kinjo_idamax_64(n, x, incx) bind(c) result(r)
      import
      integer(c_size_t) :: r
      integer(c_ptrdiff_t), value :: n
      real(c_double), intent(in) :: x(*)
      integer(c_ptrdiff_t), value :: incx
    end function
    function kinjo_isamax(n, x, incx) bind(c) result(r)
      import
      integer(c_size_t) :: r
      integer(c_int), value :: n
      real(c_float), intent(in) :: x(*)
      integer(c_int), value :: incx
    end function
    function kinjo_isamax_64(n, x, incx) bind(c) result(r)
      import
      integer(c_size_t) :: r
      integer(c_ptrdiff_t), value :: n
      real(c_float), intent(in) :: x(*)
      integer(c_ptrdiff_t), value :: incx
    end function
    subroutine kinjo_daxpy(n, a, x, incx, y, incy) bind(c)
      import
      integer(c_int), value :: n
      real(c_double), value :: a
      real(c_double), intent(in) :: x(*)
      integer(c_int), value :: incx
      real(c_double), intent(inout) :: y(*)
      integer(c_int), value :: incy
    end subroutine
    subroutine kinjo_daxpy_64(n, a, x, incx, y, incy) bind(c)
      import
      integer(c_ptrdiff_t), value :: n
      real(c_double), value :: a
      real(c_double), intent(in) :: x(*)
      integer(c_ptrdiff_t), value :: incx
      real(c_double), intent(inout) :: y(*)
      integer(c_ptrdiff_t), value :: incy
    end subroutine
    subroutine kinjo_saxpy(n, a, x, incx, y, incy) bind(c)
      import
      integer(c_int), value :: n
      real(c_float), value :: a
      real(c_float), intent(in) :: x(*)
      integer(c_int), value :: incx
      real(c_float), intent(inout) :: y(*)
      integer(c_int), value :: incy
    end subroutine
    subroutine kinjo_saxpy_64(n, a, x, incx, y, incy) bind(c)
      import
      integer(c_ptrdiff_t), value :: n
      real(c_float), value :: a
      real(c_float), intent(in) :: x(*)
      integer(c_ptrdiff_t), value :: incx
      real(c_float), intent(inout) :: y(*)
      integer(c_ptrdiff_t), value :: incy
    end subroutine
    subroutine kinjo_daxpy_reproducible(n, a, x, incx, y, incy) bind(c)
      import
      integer(c_ptrdiff_t), value :: n
      real(c_double), value :: a
      real(c_double), intent(in) :: x(*)
      integer(c_ptrdiff_t), value :: incx
      real(c_double), intent(inout) :: y(*)
      integer(c_ptrdiff_t), value :: incy
    end subroutine
    subroutine kinjo_saxpy_reproducible(n, a, x, incx, y, incy) bind(c)
      import
      integer(c_ptrdiff_t), value :: n
      real(c_float), value :: a
      real(c_float), intent(in) :: x(*)
      integer(c_ptrdiff_t), value :: incx
      real(c_float), intent(inout) :: y(*)
      integer(c_ptrdiff_t), value :: incy
    end subroutine
    subroutine kinjo_dscal(n, a, x, incx) bind(c)
      import
      integer(c_int), value :: n
      real(c_double), value :: a
      real(c_double), intent(inout) :: x(*)
      integer(c_int), value :: incx
    end subroutine
    subroutine kinjo_dscal_64(n, a, x, incx) bind(c)
      import
      integer(c_ptrdiff_t), value :: n
      real(c_double), value :: a
      real(c_double), intent(inout) :: x(*)
      integer(c_ptrdiff_t), value :: incx
    end subroutine
    subroutine kinjo_sscal(n, a, x, incx) bind(c)
      import
      integer(c_int), value :: n
      real(c_float), value :: a
      real(c_float), intent(inout) :: x(*)
      integer(c_int), value :: incx
    end subroutine
    subroutine kinjo_sscal_64(n, a, x, incx) bind(c)
      import
      integer(c_ptrdiff_t), value :: n
      real(c_float), value :: a
      real(c_float), intent(inout) :: x(*)
      integer(c_ptrdiff_t), value :: incx
    end subroutine
    subroutine kinjo_dcopy(n, x, incx, y, incy) bind(c)
      import
      integer(c_int), value :: n
      real(c_double), intent(in) :: x(*)
      integer(c_int), value :: incx
      real(c_double), intent(inout) :: y(*)
      integer(c_int), value :: incy
    end subroutine
    subroutine kinjo_dcopy_64(n, x, incx, y, incy) bind(c)
      import
      integer(c_ptrdiff_t), value :: n
      real(c_double), intent(in) :: x(*)
      integer(c_ptrdiff_t), value :: incx
      real(c_double), intent(inout) :: y(*)
      integer(c_ptrdiff_t), value :: incy
    end subroutine
    subroutine kinjo_scopy(n, x, incx, y, incy) bind(c)
      import
      integer(c_int), value :: n
      real(c_float), intent(in) :: x(*)
      integer(c_int), value :: incx
      real(c_float), intent(inout) :: y(*)
      integer(c_int), value :: incy
    end subroutine
    subroutine kinjo_scopy_64(n, x, incx, y, incy) bind(c)
      import
      integer(c_ptrdiff_t), value :: n
      real(c_float), intent(in) :: x(*)
      integer(c_ptrdiff_t), value :: incx
      real(c_float), intent(inout) :: y(*)
      integer(c_ptrdiff_t), value :: incy
    end subroutine

    ! ---- Matrix multiplication

    subroutine kinjo_dgemm(order, transpose_a, transpose_b, m, n, k, alpha, a, lda, b, ldb, beta, &
        c, ldc) bind(c)
      import
      integer(c_int), value :: order, transpose_a, transpose_b
      integer(c_int), value :: m, n, k
      real(c_double), value :: alpha
      real(c_double), intent(in) :: a(*)
      integer(c_int), value :: lda
      real(c_double), intent(in) :: b(*)
      integer(c_int), value :: ldb
      real(c_double), value :: beta
      real(c_double), intent(inout) :: c(*)
      integer(c_int), value :: ldc
    end subroutine
    function kinjo_dgemm_64(order, transpose_a, transpose_b, m, n, k, alpha, a, lda, b, ldb, beta, &
        c, ldc) bind(c) result(r)
      import
      integer(c_int) :: r
      integer(c_int), value :: order, transpose_a, transpose_b
      integer(c_ptrdiff_t), value :: m, n, k
      real(c_double), value :: alpha
      real(c_double), intent(in) :: a(*)
      integer(c_ptrdiff_t), value :: lda
      real(c_double), intent(in) :: b(*)
      integer(c_ptrdiff_t), value :: ldb
      real(c_double), value :: beta
      real(c_double), intent(inout) :: c(*)
      integer(c_ptrdiff_t), value :: ldc
    end function
    subroutine kinjo_sgemm(order, transpose_a, transpose_b, m, n, k, alpha, a, lda, b, ldb, beta, &
        c, ldc) bind(c)
      import
      integer(c_int), value :: order, transpose_a, transpose_b
      integer(c_int), value :: m, n, k
      real(c_float), value :: alpha
      real(c_float), intent(in) :: a(*)
      integer(c_int), value :: lda
      real(c_float), intent(in) :: b(*)
      integer(c_int), value :: ldb
      real(c_float), value :: beta
      real(c_float), intent(inout) :: c(*)
      integer(c_int), value :: ldc
    end subroutine
    function kinjo_sgemm_64(order, transpose_a, transpose_b, m, n, k, alpha, a, lda, b, ldb, beta, &
        c, ldc) bind(c) result(r)
      import
      integer(c_int) :: r
      integer(c_int), value :: order, transpose_a, transpose_b
      integer(c_ptrdiff_t), value :: m, n, k
      real(c_float), value :: alpha
      real(c_float), intent(in) :: a(*)
      integer(c_ptrdiff_t), value :: lda
      real(c_float), intent(in) :: b(*)
      integer(c_ptrdiff_t), value :: ldb
      real(c_float), value :: beta
      real(c_float), intent(inout) :: c(*)
      integer(c_ptrdiff_t), value :: ldc
    end function
    function kinjo_gemm_use_team(team) bind(c) result(r)
      import
      integer(c_int) :: r
      type(c_ptr), value :: team
    end function
  end interface
end module kinjo_c_blas
