/// Cells beyond one machine, on paper: the LogGP model of a network, fitted to measured times, and
/// what it says of the matrix multiply and of SCG on many cells.
///
/// Alexandrov, Ionescu, Schauser, Scheiman: LogGP: incorporating long messages into the LogP model
/// for parallel computation, SPAA 1995. A message of k bytes takes a processor o at each end; its
/// bytes follow one another G apart, the last one arrives L after it has left, and the next message
/// may leave g after that:
///
///     T(k) = o + O k + (k − 1) G + L + o
///
/// O, time of the sending processor for each byte, is Hoefler, Schneider, Lumsdaine's addition
/// (LogGOPSim, HPDC 2010): where a put is a copy by the processor, nothing of it can be hidden
/// behind computing. It is 0 where hardware or another thread carries the data.
///
/// All cells are alike and nobody disturbs them: what uneven cells, a network with too few links or
/// other users cost is not in the model.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <vector>

#include <kinjo/comm_apps.hpp>

namespace kinjo::comm {

/// The parameters, in seconds.
struct LogGp {
  double latency_s = 0;            ///< L
  double overhead_s = 0;           ///< o, at either end
  double gap_s = 0;                ///< g, from message to message
  double gap_per_byte_s = 0;       ///< G
  double overhead_per_byte_s = 0;  ///< O, at the sender
};

/// A measured time of a message of so many bytes.
struct MessageTime {
  double bytes = 0;
  double seconds = 0;
};

/// What a fit is made from.
struct MessageTimes {
  std::vector<MessageTime> one_way{};           ///< half of the round trip of a ping-pong
  std::vector<MessageTime> overhead{};          ///< how long the call of a put lasts; may be empty
  std::vector<MessageTime> receive_overhead{};  ///< and that of its receiver; may be empty
  std::optional<double> interval_s{};           ///< between short messages, one after another
};

/// Parameters, and how well they describe what was measured.
struct LogGpFit {
  LogGp parameters;
  /// |T(k) − measured| / measured: in the middle of all one-way times, and at worst.
  double median_error = 0;
  double worst_error = 0;
};

/// Least squares of relative errors, so that 8 bytes count as much as 1 MiB; errors beyond what
/// most points show weigh less (Huber's weights, at 1.345 times their deviation), so that a
/// disturbed sample does not bend the line. No parameter is negative.
///
/// A ping-pong alone knows only L + 2 o and G + O: o and O come from `overhead` (0 where that is
/// empty, which leaves all to L and G, as if nothing of a short message kept a processor busy), and
/// g from `interval_s` (where there is none: o). Where there is `receive_overhead`, o is the mean
/// of both ends. Throws `Error` (`invalid_argument`) unless there are one-way times of two
/// different sizes, all of at least a byte and of positive, finite time.
LogGpFit fit_log_gp(const MessageTimes& times);

/// The parameters of a program that sends flags and messages of `bytes`: the line through the
/// smallest size that was measured and through `bytes`, whose times are interpolated between the
/// two sizes beside it (beyond the largest: the line through the largest). A memory of caches is
/// not one line: a byte takes longer the more bytes there are. Kielmann, Bal, Verstoep (Fast
/// measurement of LogP parameters for message passing platforms, IPDPS workshops 2000) make the
/// parameters functions of the size for this reason. Throws as `fit_log_gp`.
LogGp log_gp_at(const MessageTimes& times, double bytes);

/// How far a size's measured time is from what `log_gp_at` says of it by the other sizes alone, for
/// all but the smallest and the largest: in the middle, and at worst; 0 for less than three sizes.
struct SizedError {
  double median = 0;
  double worst = 0;
};
SizedError sized_error(const MessageTimes& times);

/// T(k) for k = `bytes` ≥ 1.
double one_way_seconds(const LogGp& network, double bytes);

/// A barrier by dissemination: in each of ⌈log2 P⌉ rounds every cell raises a flag (8 bytes) of
/// another one and waits for its own.
double barrier_seconds(const LogGp& network, int cells);

/// How an all-reduction travels.
enum class Reduction {
  everyone,  ///< each cell puts to every other one
  doubling,  ///< in ⌈log2 P⌉ rounds with partners 2^r away
  kinjo,     ///< as `World::all_reduce` does: everyone up to `kTellAllCells` cells, else doubling
};

/// Of one value and its flag, 16 bytes. With s = o + 16 O, everyone:
/// s + (P − 2) max(s, g) + 15 G + L + (P − 1) o, of the cell that waits for its latest message
/// first; by doubling, a T(16) for each round, and one more where `cells` is no power of two.
double all_reduce_seconds(const LogGp& network, int cells, Reduction reduction);

/// C = A B for N × N doubles: cell c holds N/P rows of A and columns of B (S4 section 4.1).
struct GemmCase {
  double size = 0;                   ///< N
  double flops_per_second = 0;       ///< of one cell that does not communicate
  Form form = Form::put;             ///< not `direct`
  double copy_seconds_per_byte = 0;  ///< into or out of a buffer; of the two-sided form alone
};

/// SCG for the 2-D Poisson equation on n × n points: cell c holds n/P rows (S4 section 4.2). In
/// each iteration it puts its first and last row (8 n bytes) to its neighbours, waits for theirs,
/// computes, and takes part in two all-reductions.
struct ScgCase {
  double size = 0;               ///< n
  double seconds_per_point = 0;  ///< of one iteration on one cell that does not communicate
  Reduction reduction = Reduction::kinjo;
};

/// What the model says.
struct Prediction {
  int cells = 0;
  double seconds = 0;  ///< of the multiply, or of one iteration
  /// Time of one cell that does all, divided by `seconds` × `cells`.
  double efficiency = 0;
  /// Part of `seconds` in which a cell does not compute.
  double communication_share = 0;
};

/// With b = ⌈N/P⌉, k = 8 N b bytes and t = 2 N b² / rate for the multiply of a step, a step takes
///
///     put    max(s + max(t, g − o) + barrier, s + (k − 1) G + L) + o   with s = o + O k
///     get    max(o + s + t, o + L + s + (k − 1) G + L) + o             s by the cell that is asked
///     send   max(s + t, s + (k − 1) G + L) + s                         with s = o + copy k
///
/// P − 1 of them and t, in the put form and a barrier, are the time. Throws `Error`
/// (`invalid_argument`) unless 1 ≤ P ≤ N, and `not_supported` for `direct`.
Prediction predict_gemm(const LogGp& network, const GemmCase& gemm, int cells);

/// With k = 8 n and s = o + O k, an iteration takes the time of ⌈n/P⌉ n points, two all-reductions,
/// and for two neighbours s + max(s, g + (k − 1) G) + (k − 1) G + L + o, for one T(k).
/// Throws `Error` (`invalid_argument`) unless 1 ≤ P ≤ n.
Prediction predict_scg(const LogGp& network, const ScgCase& scg, int cells);

}  // namespace kinjo::comm
