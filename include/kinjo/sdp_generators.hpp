/// Semidefinite programs made by rule: families that SDPLIB has too, of any size.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include <kinjo/sdp.hpp>

namespace kinjo::sdp {

/// The relaxation of the greatest cut of a torus of rows × columns vertices, with edges of weight
/// ±1 drawn by the seed (SDPLIB's maxG11 is one): F_0 = L / 4 for the Laplacian L, F_i = e_i e_iᵀ,
/// c = 1. The optimum is at least the weight of the greatest cut.
Problem max_cut(std::size_t rows, std::size_t columns, std::uint64_t seed = 1);

/// Lovász' ϑ of a graph of so many edges, drawn by the seed from all pairs of vertices (SDPLIB's
/// theta1): F_0 is 1 everywhere, F_1 = I with c_1 = 1, and F_i • Y = 0 is Y_uv = 0 for an edge uv.
Problem theta(std::size_t vertices, std::size_t edges, std::uint64_t seed = 1);

/// A Lyapunov inequality of so many states with uncertain inputs (as SDPLIB's control1, whose
/// blocks and number of constraints it has for 5 states): over P = Pᵀ, D = diag(d) and t,
///
///     maximise t  where  [−PA − AᵀP − CᵀDC − tI, −PB; −BᵀP, D] ⪰ 0 and I − P ⪰ 0
///
/// for matrices A (stable), B and C drawn by the seed.
Problem control(std::size_t states, std::uint64_t seed = 1);

/// Dense matrices of that order, drawn by the seed so that both problems have interior points.
Problem random_dense(std::size_t order, std::size_t constraints, std::uint64_t seed = 1);

/// Whether this is a rule, `NAME:…`, and not a file's name.
bool is_rule(std::string_view text);

/// `maxcut:RxC` (or `maxcut:N` for N × N), `theta:VERTICES,EDGES`, `control:STATES`,
/// `random:ORDER,CONSTRAINTS`. Throws `Error` (`invalid_argument`) that says what is accepted.
Problem problem_by_rule(const std::string& text, std::uint64_t seed = 1);

}  // namespace kinjo::sdp
