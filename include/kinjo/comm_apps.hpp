/// What S4 measures of cells, each with a verifier: a ping-pong (section 3.7), the multiplication
/// of matrices by shifted blocks (4.1, List 1) and scaled conjugate gradients (4.2).
///
/// Every function is collective: all cells of a world call it with the same options, and only cell
/// 0's result is filled. Memory is taken from the world's heap and stays taken; `…_heap_bytes` says
/// how much of it one call takes. Errors are those of `World`.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include <kinjo/comm.hpp>

namespace kinjo::comm {

/// By what a program of cells hands its data on.
enum class Form {
  put,     ///< PUT with a flag, S4's way
  get,     ///< GET, which needs no barrier at each step (S4 section 5)
  send,    ///< two-sided, through the receive buffer
  direct,  ///< loads from the other's memory where cells share it, without a copy
};
const char* to_string(Form form) noexcept;

/// Whether a program notes who waits when.
enum class Tracing { off, on };

/// A way of sending something back and forth.
enum class PingWay {
  by_hand,    ///< 8 bytes and their flag in one line, written through `World::ptr` by hand
  put,        ///< `put_signal`
  put_short,  ///< `put_short`
  get,        ///< `get`
  am,         ///< `request`, and `reply` from its handler; `request_long` beyond `kMediumBytes`
  send,       ///< `send` and `receive`
  copy,       ///< memcpy into the other's memory (between hosts: into the own one)
};
const char* to_string(PingWay way) noexcept;

struct PingpongOptions {
  std::vector<std::size_t> sizes = {8};  ///< bytes, each at least 1
  std::size_t rounds = 20;               ///< batches of every way and size, all in turn
  double batch_seconds = 1e-3;           ///< that a batch should take
  int partner = -1;                      ///< the cell that cell 0 plays with; −1: the last one
};

/// The batches of one way and size, in their order: the i-th of each was taken in round i.
struct PingpongLine {
  PingWay way = PingWay::put;
  std::size_t bytes = 0;
  /// One way: half of a round trip; of a GET all of it. Empty for `copy`.
  std::vector<double> latency_seconds;
  /// Many after each other, until the last has arrived. Empty for `by_hand` and `put_short`.
  std::vector<double> bytes_per_second;
  /// LogGP's o and O: for how long the sending call keeps its processor, and the receiving call
  /// where what it receives has arrived before; without waiting and without reading the clock. The
  /// mean of a batch. Empty for `by_hand` and `copy`.
  std::vector<double> send_overhead_seconds;
  std::vector<double> receive_overhead_seconds;
};

struct PingpongResult {
  Path path = Path::self;  ///< between the two cells
  std::vector<PingpongLine> lines;
};

/// Registers the handlers that `pingpong` needs; returns the first one's number.
HandlerId add_pingpong_handlers(WorldOptions& options);
std::size_t pingpong_heap_bytes(const PingpongOptions& options);
/// Throws `Error` (`invalid_argument`) for a world of one cell, or a size of 0.
PingpongResult pingpong(World& world, const PingpongOptions& options, HandlerId first_handler);

struct ShiftGemmOptions {
  std::size_t size = 1024;  ///< N of N × N matrices; the number of cells need not divide it
  std::vector<Form> forms = {Form::put};
  std::size_t rounds = 3;  ///< products in each form, in turn with one without communication
  bool verify = false;
  Tracing tracing = Tracing::on;
  /// To how many cells `put` puts at a time, from 1 (S4's List 1) to one fewer than there are;
  /// what is more is taken as that. There are so many receive buffers, and one more.
  int ahead = 1;
};

/// What a cell did in one product (the mean over the rounds); seconds.
struct ShiftGemmTimes {
  double multiply = 0;
  double put = 0;      ///< handing its block on, or beginning to fetch one
  double wait = 0;     ///< for a flag, a GET or a message
  double barrier = 0;  ///< waiting at barriers
};

/// Of one form.
struct ShiftGemmResult {
  Form form = Form::put;
  /// Of each product, from the first cell's begin to the last one's end.
  std::vector<double> seconds;
  /// The same multiplies of data that is there, without communication, in the same rounds: the rate
  /// called 100 %.
  std::vector<double> alone_seconds;
  std::vector<ShiftGemmTimes> cells;
  std::vector<std::vector<Wait>> waits;  ///< by cell, in the last product
  double traced_seconds = 0;             ///< that the last product took
  std::optional<bool> verified;
  std::string fault;  ///< what is wrong, if something is
};

/// C ← A·B, N × N doubles (S4, List 1): cell c owns the rows of A of block c, and the columns of B
/// and C of block c. At step d = 0 … P−1 it multiplies block (c+d) mod P of A by its columns, while
/// its own block is on its way to cell (c−d−1) mod P, into the one of two buffers that is not being
/// read there; a flag of each sender tells that it has come, and a barrier ends the step. With
/// `ahead` = k it puts its block in every k-th step to the k cells that multiply it in the
/// following steps, and that many steps have one barrier. `get` and `send` fetch or receive the
/// next block instead and have no barrier; `direct` reads it where it lies. A and B hold multiples
/// of 1/64, so that every element of C is exact.
///
/// Verified by Freivalds' test of all of C, and by samples that are compared bit by bit with sums
/// in another order. Throws `Error` (`invalid_argument`) for a size of 0 or no form,
/// `not_supported` where `direct` cannot be. Returns a result for each form, in their order.
std::vector<ShiftGemmResult> shift_gemm(World& world, const ShiftGemmOptions& options);
std::size_t shift_gemm_heap_bytes(const ShiftGemmOptions& options, int cells);

struct ScgOptions {
  std::size_t size = 256;  ///< n of the n × n unknowns
  std::vector<Form> forms = {Form::put};
  double tolerance = 1e-9;  ///< of ‖r‖ / ‖b‖, both scaled
  std::size_t max_iterations = 100'000;
  std::size_t rounds = 3;  ///< solutions in each form, in turn with one without communication
  bool verify = false;
  Tracing tracing = Tracing::on;
};

/// What a cell did in one solution (the mean over the rounds); seconds.
struct ScgTimes {
  double compute = 0;
  double halo = 0;    ///< handing its border rows on
  double wait = 0;    ///< for its neighbours' rows
  double reduce = 0;  ///< in sums over all cells, waiting included
};

struct ScgResult {
  Form form = Form::put;
  std::size_t iterations = 0;
  double residual = 0;          ///< ‖r‖ / ‖b‖ at the end
  double error = 0;             ///< largest distance from the solution of the differential equation
  std::vector<double> seconds;  ///< of each solution, as in `ShiftGemmResult`
  std::vector<double> alone_seconds;  ///< as many iterations without communication
  std::vector<ScgTimes> cells;
  std::vector<std::vector<Wait>> waits;  ///< by cell, in the last solution
  double traced_seconds = 0;
  std::optional<bool> verified;
  std::string fault;
};

/// −Δu = f on the unit square, u = 0 on its border, by five-point differences on n × n unknowns and
/// conjugate gradients scaled by the diagonal (S4 section 4.2). Cell c owns a block of rows. In
/// each iteration border rows go to the neighbours (by PUT into one of two halo rows each, with a
/// flag), and two inner products are summed over all cells.
///
/// The right-hand side is that of u = eˣ sin πx · e^(−y/2) sin πy. Inner products are summed row by
/// row, in the same order for every number of cells: iterations and solution are those of
/// `scg_serial`, bit by bit. Verified against it, and by the residual in independent code.
/// Throws `Error` as `shift_gemm`, and (`invalid_argument`) for more cells than rows.
std::vector<ScgResult> scg(World& world, const ScgOptions& options);
std::size_t scg_heap_bytes(const ScgOptions& options, int cells);

/// What `scg_serial` found.
struct ScgSolution {
  std::size_t iterations = 0;
  double residual = 0;
  std::vector<double> u;  ///< n × n, row by row from y = 1/(n+1) on
};
/// The same on one thread, without cells.
ScgSolution scg_serial(const ScgOptions& options);
/// The largest |u − exact| of an n × n solution.
double scg_error(const std::vector<double>& u, std::size_t n);

}  // namespace kinjo::comm
