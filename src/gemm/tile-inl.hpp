/// Per target: the register tile and the two loops over tiles.
///
/// A tile of kVectors vectors by kColumns columns of C stays in registers while p runs over the
/// inner dimension: each step loads kVectors vectors of X, spreads kColumns elements of Y, and does
/// kVectors·kColumns fused multiply-adds. With l the latency of one and f of them started in a
/// cycle, the tile needs at least l·f sums under way: 8 to 10 on CPUs of today. What fits the
/// registers:
///
///     AVX-512 (32)   3 × 8    24 sums + 3 of X + Y from memory
///     AVX2 (16)      3 × 4    12 sums + 3 of X + 1 of Y
///     NEON (32)      3 × 8    24 sums + 3 of X + 1 of Y
///     SSE2 (16)      2 × 4     8 sums + 2 of X + 1 of Y + products, since nothing is fused
#if defined(KINJO_GEMM_TILE_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef KINJO_GEMM_TILE_INL
#undef KINJO_GEMM_TILE_INL
#else
#define KINJO_GEMM_TILE_INL
#endif

#include <algorithm>
#include <type_traits>

#include "gemm/kernels.hpp"
#include "gemm/rest-inl.hpp"
#include "gemm/sums-inl.hpp"
#include "simd/lanes-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace kinjo::detail::HWY_NAMESPACE {

#if HWY_TARGET == HWY_AVX3 || HWY_TARGET == HWY_NEON
constexpr int kTileVectors = 3;
constexpr int kTileColumns = 8;
#elif HWY_TARGET == HWY_AVX2
constexpr int kTileVectors = 3;
constexpr int kTileColumns = 4;
#else
constexpr int kTileVectors = 2;
constexpr int kTileColumns = 4;
#endif

/// Spare tiles take the place of tiles that would be short of vectors; 0: there are none.
constexpr int kSpareVectors = HWY_TARGET == HWY_AVX3 ? 4 : HWY_TARGET == HWY_AVX2 ? 2 : 0;
constexpr int kSpareColumns = 6;

constexpr int kMostVectors = std::max(kTileVectors, kSpareVectors);
constexpr int kMostColumns = kSpareVectors > 0 ? std::max(kTileColumns, kSpareColumns)
                                               : kTileColumns;

/// Whether a tile asks for its own lines of C, from a quarter of its loop on, instead of the next
/// one's. What passes through 32 KiB of L1 during a tile would drive those out again.
constexpr bool kAsksForOwn = HWY_TARGET == HWY_AVX2;

/// Bytes of C that stay in L2 from one use to the next.
constexpr std::size_t kStaysNear = std::size_t{1} << 19;

/// Bytes of X with which a strip of tiles takes no longer than a few lines from memory.
constexpr std::size_t kFewBytesOfX = std::size_t{1} << 17;

/// Bytes of Y in place from which on most of it has left the caches between two uses.
constexpr std::size_t kFarY = std::size_t{6} << 20;

/// Lines of Y that are asked for at once: 14 of them, 2048 floats' share, kept X waiting.
constexpr std::size_t kLinesAtOnce = 4;

enum class LastVector { whole, partial };

/// Whether a last vector that is not full begins earlier instead of being masked, so that it ends
/// with the rows. What it shares with the vector before it is computed twice, with the same bits.
template <LastVector kLast, int kVectors>
constexpr bool kReachesBack = HWY_TARGET != HWY_AVX3&& kLast == LastVector::partial&& kVectors > 1;

/// How the broadcast side's elements lie: in strips, or in place and contiguous along p or across.
enum class BroadcastSide { packed, along, across };
constexpr int kBroadcastSides = 3;

/// Tiles of a job, one below the other, in strips of columns, one beside the other: the pointers
/// are those of the first one's elements. Where lines are asked for there is one strip.
template <class T>
struct TileAt {
  std::size_t count, strips;
  const T* x;
  std::size_t x_step, x_next;  ///< to the next p, and to the next tile
  const T* y;
  std::size_t y_step, y_column;
  std::size_t inner;
  T alpha, beta;
  T* c;
  std::size_t ldc;
  std::size_t last_lanes;     ///< of the last vector
  bool asks_ahead;            ///< for lines of C, and for what follows
  const T* next_y = nullptr;  ///< elements of Y that the tiles behind these need, if there are any
  std::size_t next_y_lines = 0;   ///< in how many lines each column of these tiles asks for them
  std::size_t next_y_column = 0,  ///< to what the next column asks for,
      next_y_tile = 0;            ///< and the next tile
  std::size_t lead = 0;           ///< steps before the first turn of asking
  std::size_t turns = 1;          ///< of each column
  std::size_t pause = 1;          ///< steps from one turn to the next
};

template <class T>
struct Factors {
  T alpha, beta;
};

template <class V>
struct Column {
  V v0, v1, v2, v3;
};

/// Where vectors of a tile lie, from its first element on, and which of their lanes are the tile's.
template <LastVector kLast, int kVectors, class D>
struct VectorsAt {
  using T = hn::TFromD<D>;
  using V = hn::Vec<D>;
  static constexpr std::size_t kLanes = hn::MaxLanes(D());
  static constexpr bool kMasks = kLast == LastVector::partial && !kReachesBack<kLast, kVectors>;

  const D d{};
  const std::size_t lanes;  ///< of the last one
  const std::size_t last;   ///< where it begins

  HWY_INLINE explicit VectorsAt(std::size_t last_lanes)
      : lanes(last_lanes),
        last(kReachesBack<kLast, kVectors> ? (kVectors - 2) * kLanes + last_lanes
                                           : (kVectors - 1) * kLanes) {}
  template <int kVector>
  HWY_INLINE V load(const T* p) const {
    if constexpr (kVector + 1 < kVectors) return hn::LoadU(d, p + kVector * kLanes);
    if constexpr (kMasks) return load_first(d, p + last, lanes);
    return hn::LoadU(d, p + last);
  }
  template <int kVector>
  HWY_INLINE void store(V v, T* p) const {
    if constexpr (kVector + 1 < kVectors) {
      hn::StoreU(v, d, p + kVector * kLanes);
    } else if constexpr (kMasks) {
      store_first(v, d, p + last, lanes);
    } else {
      hn::StoreU(v, d, p + last);
    }
  }
};

/// Elements of a line.
template <class T>
constexpr std::size_t kLine = 64 / sizeof(T);

/// Asks for so many elements, and the line in which the last one may end.
template <class T>
HWY_INLINE void fetch(const T* from, std::size_t elements) {
  for (std::size_t i = 0; i <= elements; i += kLine<T>) hwy::Prefetch(from + i);
}

/// Columns that lie anywhere apart: three pointers reach eight of them, with one register for the
/// distance, where the compiler would take one for each column and run out of them.
template <int kColumns, class T>
struct ColumnsAt {
  T *c0, *c3, *c6;
  std::size_t distance;
  HWY_INLINE ColumnsAt(T* first, std::size_t step)
      : c0(first),
        c3(first + (kColumns > 3 ? 3 : 0) * step),
        c6(first + (kColumns > 6 ? 6 : 0) * step),
        distance(step) {}
  HWY_INLINE T* operator[](int c) const {
    T* const base = c < 3 ? c0 : c < 6 ? c3 : c6;
    return base + static_cast<std::size_t>(c % 3) * distance;
  }
};

/// Where the broadcast side's elements of the present p lie.
template <BroadcastSide kSide, int kColumns, class T>
struct Spread {
  const T* y;
  std::size_t step;
  HWY_INLINE Spread(const T* first, std::size_t y_step, std::size_t) : y(first), step(y_step) {
    if constexpr (kSide == BroadcastSide::packed) step = kColumns;
  }
  HWY_INLINE T at(int column) const { return y[column]; }
  HWY_INLINE void advance() { y += step; }
};
template <int kColumns, class T>
struct Spread<BroadcastSide::along, kColumns, T> {
  ColumnsAt<kColumns, const T> y;
  HWY_INLINE Spread(const T* first, std::size_t, std::size_t y_column) : y(first, y_column) {}
  HWY_INLINE T at(int column) const { return *y[column]; }
  HWY_INLINE void advance() {
    ++y.c0;
    ++y.c3;
    ++y.c6;
  }
};

enum class Update { sum, scaled, added };

/// What C becomes in the lanes of one vector: sum, α·sum, or α·sum + β·C.
template <Update kUpdate, int kVector, class At, class V>
HWY_INLINE V updated(const At& at, V sum, V alpha, V beta, const typename At::T* c) {
  if constexpr (kUpdate == Update::sum) return sum;
  if constexpr (kUpdate == Update::scaled) return hn::Mul(alpha, sum);
  return hn::MulAdd(alpha, sum, hn::Mul(beta, at.template load<kVector>(c)));
}

/// A column of a tile. The last vector is read first: it may share elements with the one before.
template <Update kUpdate, int kVectors, class At, class V>
HWY_INLINE void update(const At& at, const Column<V>& s, V alpha, V beta, typename At::T* c) {
  constexpr int kLast = kVectors - 1;
  const V sum = kVectors == 1 ? s.v0 : kVectors == 2 ? s.v1 : kVectors == 3 ? s.v2 : s.v3;
  const V last = updated<kUpdate, kLast>(at, sum, alpha, beta, c);
  if constexpr (kLast > 0) {
    at.template store<0>(updated<kUpdate, 0>(at, s.v0, alpha, beta, c), c);
  }
  if constexpr (kLast > 1) {
    at.template store<1>(updated<kUpdate, 1>(at, s.v1, alpha, beta, c), c);
  }
  if constexpr (kLast > 2) {
    at.template store<2>(updated<kUpdate, 2>(at, s.v2, alpha, beta, c), c);
  }
  at.template store<kLast>(last, c);
}

template <class T, int kVectors, int kColumns, LastVector kLast, BroadcastSide kSide, bool kAsks>
HWY_INLINE void tile(const TileAt<T>& t, const Factors<T>& factors, const T* x, const T* first_y,
                     T* c, const T* asked_c, const T* next_y) {
  using D = hn::ScalableTag<T>;
  using V = hn::Vec<D>;
  constexpr std::size_t kLanes = hn::MaxLanes(D());
  const D d;
  Sums<Column<V>> sums;
  const VectorsAt<kLast, kVectors, D> at(t.last_lanes);
  // Addresses of the first step are the same for all tiles of a strip: the compiler is not to know
  // that, or it keeps them in registers, and what the loop needs on the stack.
  asm("" : "+r"(first_y));
  Spread<kSide, kColumns, T> y(first_y, t.y_step, t.y_column);
  const auto step = [&](auto add) KINJO_GEMM_INLINE {
    const V x0 = at.template load<0>(x);
    V x1 = x0, x2 = x0, x3 = x0;
    if constexpr (kVectors > 1) x1 = at.template load<1>(x);
    if constexpr (kVectors > 2) x2 = at.template load<2>(x);
    if constexpr (kVectors > 3) x3 = at.template load<3>(x);
    for_columns<kColumns>(sums, [&](Column<V>& s, int j) KINJO_GEMM_INLINE {
      const V b = hn::Set(d, y.at(j));
      s.v0 = add(x0, b, s.v0);
      if constexpr (kVectors > 1) s.v1 = add(x1, b, s.v1);
      if constexpr (kVectors > 2) s.v2 = add(x2, b, s.v2);
      if constexpr (kVectors > 3) s.v3 = add(x3, b, s.v3);
    });
    x += t.x_step;
    y.advance();
  };
  // One step after the other: unrolled they need more registers than there are for addresses.
  const auto run = [&](std::size_t steps) KINJO_GEMM_INLINE {
    for (; steps > 0; --steps) {
      step([](V a, V b, V sum) KINJO_GEMM_INLINE { return hn::MulAdd(a, b, sum); });
    }
  };
  // The first products are what the sums begin with. On Zen 4 a store beside multiply-adds takes
  // the place of one, beside multiplications none: those of the tile before are still under way.
  step([](V a, V b, V) KINJO_GEMM_INLINE { return hn::Mul(a, b); });
  const std::size_t inner = t.inner - 1;
  if constexpr (kAsks) {
    // C is asked for column by column, and Y a few lines at a time: all at once would occupy a
    // core's line buffers until they come from memory, and X, which comes from L2, would wait.
    std::size_t left = inner;
    if constexpr (kAsksForOwn) {
      run(t.lead);
      left -= t.lead;
    }
    for (std::size_t j = 0; j < kColumns; ++j, next_y += t.next_y_column) {
      fetch(asked_c + j * t.ldc, kVectors * kLanes);
      const T* asked_y = next_y;
      for (std::size_t lines = t.next_y_lines, turn = t.turns; turn > 0; --turn) {
        for (const T* const end = asked_y + std::min(lines, kLinesAtOnce) * kLine<T>;
             asked_y != end; asked_y += kLine<T>) {
          __builtin_prefetch(asked_y, 0, 2);
        }
        lines -= std::min(lines, kLinesAtOnce);
        const std::size_t steps = std::min(left, t.pause);
        left -= steps;
        run(steps);
      }
    }
    run(left);
  } else {
    run(inner);
  }
  // Likewise α and β, which are looked up behind the loop, and columns of C, for each of which it
  // would have a pointer go from tile to tile, most of them on the stack. What is written there
  // waits behind stores of C that wait for their sums, and a core holds few stores.
  const Factors<T>* looked_up = &factors;
  asm("" : "+r"(looked_up));
  const V alpha = hn::Set(d, looked_up->alpha), beta = hn::Set(d, looked_up->beta);
  std::size_t ldc = t.ldc;
  asm("" : "+r"(ldc) : "r"(c));
  const ColumnsAt<kColumns, T> columns(c, ldc);
  const auto store = [&](auto how) KINJO_GEMM_INLINE {
    constexpr Update kUpdate = decltype(how)::value;
    for_columns<kColumns>(sums, [&](const Column<V>& s, int j) KINJO_GEMM_INLINE {
      update<kUpdate, kVectors>(at, s, alpha, beta, columns[j]);
    });
  };
  if (looked_up->beta != 0) {
    store(std::integral_constant<Update, Update::added>());
  } else if (looked_up->alpha != 1) {
    store(std::integral_constant<Update, Update::scaled>());
  } else {
    store(std::integral_constant<Update, Update::sum>());
  }
}

template <class T, int kVectors>
constexpr std::size_t kHeightOf = kVectors* hn::MaxLanes(hn::ScalableTag<T>());

/// The tiles of one strip, of one kind, which ask for lines of C.
template <class T, int kVectors, int kColumns, LastVector kLast, BroadcastSide kSide>
HWY_NOINLINE void asking_tiles(const TileAt<T>& first) {
  const TileAt<T> t = first;  // what is stored to C cannot change this one
  const Factors<T> factors = {t.alpha, t.beta};
  for (std::size_t i = 0; i < t.count; ++i) {
    T* const c = t.c + i * kHeightOf<T, kVectors>;
    const T* const next_c =
        i + 1 == t.count ? t.c + kTileColumns * t.ldc : c + kHeightOf<T, kVectors>;
    tile<T, kVectors, kColumns, kLast, kSide, true>(t, factors, t.x + i * t.x_next, t.y, c,
                                                    kAsksForOwn ? c : next_c,
                                                    t.next_y + i * t.next_y_tile);
  }
}

/// The tiles of all strips, of one kind.
template <class T, int kVectors, int kColumns, LastVector kLast, BroadcastSide kSide>
void tiles(const TileAt<T>& first) {
  constexpr bool kIsSpare = kVectors > kTileVectors || kColumns > kTileColumns;
  if constexpr (kLast == LastVector::whole && !kIsSpare) {
    if (first.asks_ahead) return asking_tiles<T, kVectors, kColumns, kLast, kSide>(first);
  }
  const TileAt<T> t = first;
  const Factors<T> factors = {t.alpha, t.beta};
  const T* y = t.y;
  T* c = t.c;
  for (std::size_t strip = 0; strip < t.strips; ++strip) {
    for (std::size_t i = 0; i < t.count; ++i) {
      tile<T, kVectors, kColumns, kLast, kSide, false>(
          t, factors, t.x + i * t.x_next, y, c + i * kHeightOf<T, kVectors>, nullptr, nullptr);
    }
    y += kColumns * (kSide == BroadcastSide::packed ? t.inner : t.y_column);
    c += kColumns * t.ldc;
  }
}

/// All tiles of up to kTileVectors vectors and kTileColumns columns, and the spare ones, by number.
template <class T>
struct TileTable {
  using Tile = void (*)(const TileAt<T>&);
  Tile all[2][kBroadcastSides][kMostVectors][kMostColumns];

  template <LastVector kLast, BroadcastSide kSide, int kVectors, int kColumns = kTileColumns>
  constexpr void fill_columns() {
    all[static_cast<int>(kLast)][static_cast<int>(kSide)][kVectors - 1][kColumns - 1] =
        tiles<T, kVectors, kColumns, kLast, kSide>;
    if constexpr (kColumns > 1) fill_columns<kLast, kSide, kVectors, kColumns - 1>();
  }
  template <LastVector kLast, BroadcastSide kSide>
  constexpr void fill() {
    fill_columns<kLast, kSide, 1>();
    fill_columns<kLast, kSide, 2>();
    if constexpr (kTileVectors == 3) fill_columns<kLast, kSide, 3>();
  }
  constexpr TileTable() : all{} {
    fill<LastVector::whole, BroadcastSide::packed>();
    fill<LastVector::whole, BroadcastSide::along>();
    fill<LastVector::whole, BroadcastSide::across>();
    fill<LastVector::partial, BroadcastSide::packed>();
    fill<LastVector::partial, BroadcastSide::along>();
    fill<LastVector::partial, BroadcastSide::across>();
    if constexpr (kSpareVectors > 0) {
      fill_columns<LastVector::whole, BroadcastSide::along, kSpareVectors, kSpareColumns>();
    }
  }
};
template <class T>
inline constexpr TileTable<T> kTiles{};

template <class T>
constexpr Strips kRowStrips = {kTileVectors* hn::MaxLanes(hn::ScalableTag<T>()),
                               hn::MaxLanes(hn::ScalableTag<T>())};
constexpr Strips kColumnStrips = {kTileColumns, 1};

/// What tiles ask for on behalf of the strip behind theirs, column by column, and when. Packed it
/// is asked for in any case. In place and contiguous along p the core's own prefetching does for
/// what comes from a cache, unless X is so small that a strip is done before its lines have come.
template <class T>
HWY_INLINE void ask_for_next_y(const TileJob<T>& j, TileAt<T>& t, std::size_t c,
                               std::size_t width) {
  const bool packed = j.y_step == 0;
  const bool foreseen =
      j.rows * j.inner * sizeof(T) > kFewBytesOfX && j.columns * j.inner * sizeof(T) <= kFarY;
  const bool asks =
      packed ? c + width < j.columns : j.y_step == 1 && !foreseen && c + 2 * width <= j.columns;
  const std::size_t share = asks ? ceil_div(j.inner, t.count) : 0;
  t.next_y_lines = ceil_div(share, kLine<T>);
  t.turns = std::max<std::size_t>(ceil_div(t.next_y_lines, kLinesAtOnce), 1);
  t.lead = kAsksForOwn ? (j.inner - 1) / 4 : 0;
  t.pause = std::max<std::size_t>((j.inner - 1 - 2 * t.lead) / (width * t.turns), 1);
  t.next_y_column = packed ? share : j.y_column;
  t.next_y_tile = packed ? share * width : share;
  t.next_y = t.y + (asks ? width * (packed ? j.inner : j.y_column) : 0);
}

/// Strips of columns of a job, from c on and `width` wide.
struct StripsAt {
  std::size_t c, width, count;
};

/// `count` tiles from row r of a job on, `height` rows high, in each of some strips.
template <class T>
HWY_INLINE void tiles_of_strips(const TileJob<T>& j, std::size_t count, std::size_t r,
                                std::size_t height, const StripsAt& strips) {
  const std::size_t c = strips.c, width = strips.width;
  constexpr std::size_t kLanes = kRowStrips<T>.unit;
  const std::size_t vectors = ceil_div(height, kLanes);
  const bool x_packed = j.x_step == 0, y_packed = j.y_step == 0;
  TileAt<T> t;
  t.count = count;
  t.strips = strips.count;
  t.x = x_packed ? j.x + r * j.inner : j.x + r;
  t.x_step = x_packed ? vectors * kLanes : j.x_step;
  t.x_next = x_packed ? height * j.inner : height;
  t.y = y_packed ? j.y + c * j.inner : j.y + c * j.y_column;
  t.y_step = j.y_step;
  t.y_column = j.y_column;
  t.inner = j.inner;
  t.alpha = j.alpha;
  t.beta = j.beta;
  t.c = j.c + r + c * j.ldc;
  t.ldc = j.ldc;
  t.last_lanes = height - (vectors - 1) * kLanes;
  t.asks_ahead = j.rows * j.columns * sizeof(T) > kStaysNear;
  if (t.asks_ahead) ask_for_next_y(j, t, c, width);
  const BroadcastSide side = y_packed        ? BroadcastSide::packed
                             : j.y_step == 1 ? BroadcastSide::along
                                             : BroadcastSide::across;
  kTiles<T>.all[t.last_lanes != kLanes][static_cast<int>(side)][vectors - 1][width - 1](t);
}

/// All tiles of some strips of columns: the whole ones in one call, then those at the edge.
template <class T>
HWY_INLINE void all_of_strips(const TileJob<T>& j, const StripsAt& strips) {
  const Strips rows = kRowStrips<T>;
  const std::size_t whole = rows.whole_ones(j.rows);
  if (whole > 0) tiles_of_strips(j, whole, 0, rows.whole, strips);
  for (std::size_t r = whole * rows.whole, height; r < j.rows; r += height) {
    height = rows.width(j.rows - r);
    tiles_of_strips(j, 1, r, height, strips);
  }
}

/// How many of the first rows are for spare tiles: so few that whole tiles cover the others. Tiles
/// of one or two vectors instead need as many additions under way and have fewer. Only for small
/// matrices in place.
template <class T>
HWY_INLINE std::size_t rows_of_spare(const TileJob<T>& j) {
  constexpr std::size_t kLanes = kRowStrips<T>.unit;
  if (kSpareVectors == 0 || j.x_step == 0 || j.y_step != 1) return 0;
  if (j.rows * j.columns * sizeof(T) > kStaysNear) return 0;
  // kSpareVectors is 1 or −1 modulo three.
  const std::size_t strips = ceil_div(j.rows, kLanes) * kSpareVectors % kTileVectors;
  const std::size_t rows = strips * kSpareVectors * kLanes;
  return rows <= j.rows ? rows : 0;
}

/// The strips of a job from column c on that are done in one call, as far as they are alike. A call
/// costs as much as dozens of multiply-adds; but where C or Y is large, each strip is done with
/// before the next, while its columns are in L1.
template <class T>
HWY_INLINE StripsAt next_strips(const TileJob<T>& j, const Strips& kind, std::size_t c) {
  const bool near = std::max(j.rows, j.inner) * j.columns * sizeof(T) <= kStaysNear;
  const std::size_t left = j.columns - c;
  return {c, kind.width(left), near ? kind.alike(left) : 1};
}

/// Strip after strip of columns.
template <class T>
HWY_INLINE void columns_of_tiles(const TileJob<T>& whole, Rest<T>& rest) {
  TileJob<T> j = whole;
  const std::size_t spare = rows_of_spare(j);
  if (spare > 0) {
    constexpr Strips kColumns = {kSpareColumns, 1};
    constexpr std::size_t kHeight = std::max(kSpareVectors, 1) * kRowStrips<T>.unit;
    for (std::size_t c = 0; c < j.columns;) {
      const StripsAt strips = next_strips(j, kColumns, c);
      tiles_of_strips(j, spare / kHeight, 0, kHeight, strips);
      c += strips.count * strips.width;
      if (spare == j.rows) rest.reach(c);
    }
    if (spare == j.rows) return;
    j.x += spare;
    j.c += spare;
    j.rows -= spare;
  }
  for (std::size_t c = 0; c < j.columns;) {
    const StripsAt strips = next_strips(j, kColumnStrips, c);
    all_of_strips(j, strips);
    c += strips.count * strips.width;
    rest.reach(c);
  }
}

/// Strip after strip of rows.
template <class T>
HWY_INLINE void rows_of_tiles(const TileJob<T>& j) {
  for (std::size_t r = 0, height; r < j.rows; r += height) {
    height = kRowStrips<T>.width(j.rows - r);
    for (std::size_t c = 0, width; c < j.columns; c += width) {
      width = kColumnStrips.width(j.columns - c);
      tiles_of_strips(j, 1, r, height, {c, width, 1});
    }
  }
}

template <class T>
void multiply(const TileJob<T>& whole) {
  TileJob<T> j = whole;
  j.rows -= rows_of_rest(whole);
  Rest<T> rest(whole, j.rows);
  if (j.resident == Resident::columns) {
    columns_of_tiles(j, rest);
  } else {
    rows_of_tiles(j);
    rest.reach(j.columns);
  }
}

}  // namespace kinjo::detail::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
