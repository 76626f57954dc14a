/// What `GridKernelSet` does, for any kind of numbers: `N` loads, adds and stores as many columns
/// at once as it has lanes, `Tile` transposes squares.
///
/// Included into a namespace of each target, since the compiler takes instructions for a function
/// from the place where it is written.

template <class N>
struct GridAdditions {
  using V = typename N::V;
  using Rows = std::vector<GridRow>;

  static void forward(const GridBlock& block, const GridStep& step) {
    const N n(block);
    for (const GridStep::End& e : step.ends) {
      Limb* to = block.row(e.none_x);
      const Limb* from = block.row(e.x_none);
      Limb* blocked = block.row(e.blocked);
      for (std::size_t c = 0; c < block.columns; c += N::kLanes) {
        const V old = n.load(to + c);
        n.store(to + c, n.add(n.add(old, n.load(from + c)), n.load(blocked + c)));
        n.store(blocked + c, old);
      }
    }
    const GridRow* join = step.joins.data();
    for (const GridStep::None& e : step.nones) {
      const GridRow* end = step.joins.data() + e.joins_end;
      forward_none(n, block, e, join, end);
      join = end;
    }
  }

  static void forward_none(const N& n, const GridBlock& block, const GridStep::None& e,
                           const GridRow* join, const GridRow* end) {
    Limb* none = block.row(e.none);
    Limb* pair = block.row(e.pair);
    Limb* blocked = block.row(e.blocked);
    for (std::size_t c = 0; c < block.columns; c += N::kLanes) {
      const V old = n.load(none + c);
      n.store(pair + c, n.add(n.load(pair + c), old));
      n.store(none + c, n.add(old, n.load(blocked + c)));
      V sum = n.zero();
      if (join != end) sum = n.load(block.row(*join) + c);
      for (const GridRow* j = join + 1; j < end; ++j) sum = n.add(sum, n.load(block.row(*j) + c));
      n.store(blocked + c, sum);
    }
  }

  static void backward(const GridBlock& block, const GridStep& step) {
    const N n(block);
    for (const GridStep::End& e : step.ends) {
      Limb* none_x = block.row(e.none_x);
      Limb* x_none = block.row(e.x_none);
      Limb* blocked = block.row(e.blocked);
      for (std::size_t c = 0; c < block.columns; c += N::kLanes) {
        const V old = n.load(none_x + c);
        n.store(x_none + c, n.add(n.load(x_none + c), old));
        n.store(none_x + c, n.add(old, n.load(blocked + c)));
        n.store(blocked + c, old);
      }
    }
    const GridRow* join = step.joins.data();
    for (const GridStep::None& e : step.nones) {
      const GridRow* end = step.joins.data() + e.joins_end;
      backward_none(n, block, e, join, end);
      join = end;
    }
  }

  static void backward_none(const N& n, const GridBlock& block, const GridStep::None& e,
                            const GridRow* join, const GridRow* end) {
    Limb* none = block.row(e.none);
    Limb* pair = block.row(e.pair);
    Limb* blocked = block.row(e.blocked);
    for (std::size_t c = 0; c < block.columns; c += N::kLanes) {
      const V joined = n.load(blocked + c);
      for (const GridRow* j = join; j != end; ++j) {
        Limb* to = block.row(*j) + c;
        n.store(to, n.add(n.load(to), joined));
      }
      const V old = n.load(none + c);
      n.store(none + c, n.add(old, n.load(pair + c)));
      n.store(blocked + c, old);
    }
  }

  static void close(const GridBlock& block, const Rows& last, GridRow blocked) {
    const N n(block);
    for (const GridRow r : last) {
      Limb* to = block.row(r);
      const Limb* from = block.row(blocked++);
      for (std::size_t c = 0; c < block.columns; c += N::kLanes) {
        n.store(to + c, n.add(n.load(to + c), n.load(from + c)));
      }
    }
  }

  static void receive(const GridBlock& block, const Rows& rows, const GridMail& mail,
                      GridColumns columns) {
    const N n(block);
    std::size_t from = columns.first;
    for (const GridRow r : rows) {
      Limb* to = block.row(r);
      // The mail's rows are padded to whole vectors.
      for (std::size_t c = 0; c < columns.count; c += N::kLanes) {
        n.store(to + c, n.add(n.load(to + c), n.load(mail.planes, from + c)));
      }
      from += mail.pitch;
    }
  }
};

/// A column at a time: `N` has one lane.
template <class N>
void collect(const GridBlock& block, const std::vector<GridRow>& rows, const GridMail& mail,
             const GridLinks& links, GridColumns columns) {
  const N n(block);
  std::size_t from = 0;
  for (const GridRow r : rows) {
    Limb* to = block.row(r);
    std::uint32_t s = links.begin_of(columns.first);
    for (std::size_t c = 0; c < columns.count; ++c) {
      const std::uint32_t end = links.end[columns.first + c];
      if (s == end) continue;
      auto sum = n.load(to + c);
      for (; s != end; ++s) sum = n.add(sum, n.load(mail.planes, from + links.sources[s]));
      n.store(to + c, sum);
    }
    from += mail.pitch;
  }
}

template <std::size_t kLimbs>
struct ScalarNumbers {
  static constexpr std::size_t kLanes = 1;
  struct V {
    Limb limb[kLimbs];
  };

  explicit ScalarNumbers(const GridBlock& block) : columns(block.columns) {}
  V load(const Limb* p) const {
    V v;
    for (std::size_t l = 0; l < kLimbs; ++l) v.limb[l] = p[l * columns];
    return v;
  }
  V load(const Planes& planes, std::size_t at) const {
    V v;
    for (std::size_t l = 0; l < kLimbs; ++l) v.limb[l] = planes[l][at];
    return v;
  }
  void store(Limb* p, const V& v) const {
    for (std::size_t l = 0; l < kLimbs; ++l) p[l * columns] = v.limb[l];
  }
  V zero() const { return V{}; }
  V add(const V& a, const V& b) const {
    V sum;
    Limb carry = 0;
    for (std::size_t l = 0; l < kLimbs; ++l) {
      const Limb partial = a.limb[l] + carry;
      sum.limb[l] = partial + b.limb[l];
      carry = (partial < carry) | (sum.limb[l] < b.limb[l]);
    }
    return sum;
  }

  std::size_t columns;
};

struct ScalarResidues {
  static constexpr std::size_t kLanes = 1;
  using V = Limb;

  explicit ScalarResidues(const GridBlock& block) : modulus(block.modulus) {}
  V load(const Limb* p) const { return *p; }
  V load(const Planes& planes, std::size_t at) const { return planes[0][at]; }
  void store(Limb* p, V v) const { *p = v; }
  V zero() const { return 0; }
  // The lesser one of two numbers without sign is the one that is not below zero.
  V add(V a, V b) const { return std::min(a + b, a + b - modulus); }

  Limb modulus;
};

inline void send(const GridBlock& block, const std::vector<GridRow>& rows, const GridMail& mail,
                 GridColumns columns) {
  const std::size_t count = whole_vectors(columns.count);
  std::size_t to = columns.first;
  for (const GridRow r : rows) {
    for (std::size_t l = 0; l < block.limbs; ++l) {
      const Limb* from = block.row(r) + l * block.columns;
      for (std::size_t c = 0; c < count; ++c) mail.planes[l][to + c] = from[c];
    }
    to += mail.pitch;
  }
}

inline void spread(const GridBlock& block, const std::vector<GridRow>& rows, const GridMail& mail,
                   const GridLinks& links, GridColumns columns) {
  std::size_t to = 0;
  for (const GridRow r : rows) {
    for (std::size_t l = 0; l < block.limbs; ++l) {
      const Limb* from = block.row(r) + l * block.columns;
      std::uint32_t s = links.begin_of(columns.first);
      for (std::size_t c = 0; c < columns.count; ++c) {
        const std::uint32_t end = links.end[columns.first + c];
        for (; s != end; ++s) mail.planes[l][to + links.sources[s]] = from[c];
      }
    }
    to += mail.pitch;
  }
}

/// Calls `f(inside, outside)` for each row of the strips and each limb.
template <class F>
void for_rows(const GridBlock& block, const GridStrips& strips, GridColumns columns, const F& f) {
  constexpr GridRow kAhead = 16;  // rows lie apart, so that no CPU guesses which one comes next
  for (GridRow r = 0; r < strips.count; ++r) {
    const std::uint64_t ahead = strips.begin[std::min(r + kAhead, strips.count - 1)];
    for (std::size_t l = 0; l < block.limbs; ++l) {
      for (std::size_t c = 0; c < columns.count; c += GridBlock::kColumns) {
        __builtin_prefetch(strips.planes[l] + ahead + columns.first + c);
      }
      f(block.row(strips.first + r) + l * block.columns,
        strips.planes[l] + strips.begin[r] + columns.first);
    }
  }
}

inline void copy(const Limb* from, std::size_t count, Limb* to) {
  std::size_t c = 0;
  for (; c + GridBlock::kColumns <= count; c += GridBlock::kColumns) {
    __builtin_memcpy(to + c, from + c, GridBlock::kColumns * sizeof(Limb));
  }
  for (; c < count; ++c) to[c] = from[c];
}

inline void load_rows(const GridBlock& block, const GridStrips& strips, GridColumns columns) {
  for_rows(block, strips, columns,
           [&](Limb* inside, const Limb* outside) { copy(outside, columns.count, inside); });
}

inline void store_rows(const GridBlock& block, const GridStrips& strips, GridColumns columns) {
  for_rows(block, strips, columns,
           [&](const Limb* inside, Limb* outside) { copy(inside, columns.count, outside); });
}

/// Calls `f(inside, outside)` for each column of the strips and each limb: `inside` goes on by
/// `limbs · columns`.
template <class F>
void for_columns(const GridBlock& block, const GridStrips& strips, GridColumns columns,
                 const F& f) {
  for (std::size_t l = 0; l < block.limbs; ++l) {
    Limb* inside = block.row(strips.first) + l * block.columns;
    for (std::size_t c = 0; c < columns.count; ++c) {
      f(inside + c, strips.planes[l] + strips.begin[columns.first + c]);
    }
  }
}

inline void load_columns(const GridBlock& block, const GridStrips& strips, GridColumns columns) {
  const std::size_t pitch = block.limbs * block.columns;
  for_columns(block, strips, columns, [&](Limb* inside, const Limb* outside) {
    for (GridRow r = 0; r < strips.count; ++r) inside[r * pitch] = outside[r];
  });
}

inline void store_columns(const GridBlock& block, const GridStrips& strips, GridColumns columns) {
  const std::size_t pitch = block.limbs * block.columns;
  for_columns(block, strips, columns, [&](const Limb* inside, Limb* outside) {
    for (GridRow r = 0; r < strips.count; ++r) outside[r] = inside[r * pitch];
  });
}

inline GridSize size(const GridBlock& block, GridRow rows, std::size_t columns) {
  // So many columns by themselves, which the compiler makes vectors of.
  constexpr std::size_t kWidth = GridBlock::kColumns;
  double sum[kWidth] = {}, largest[kWidth] = {};
  for (GridRow r = 0; r < rows; ++r) {
    for (std::size_t c = 0; c < columns; c += kWidth) {
      double value[kWidth] = {};
      for (std::size_t l = block.limbs; l-- > 0;) {
        const Limb* p = block.row(r) + l * block.columns + c;
        for (std::size_t i = 0; i < kWidth; ++i) {
          value[i] = value[i] * 0x1p64 + static_cast<double>(p[i]);
        }
      }
      for (std::size_t i = 0; i < kWidth; ++i) {
        // Behind the last column a block holds anything.
        const double there = c + i < columns ? value[i] : 0;
        sum[i] += there;
        largest[i] = there > largest[i] ? there : largest[i];
      }
    }
  }
  GridSize size;
  for (std::size_t i = 0; i < kWidth; ++i) size.add({sum[i], largest[i]});
  return size;
}

/// The set's part that adds: vectors `N` where columns lie side by side, `S` where they do not.
template <class N, class S>
constexpr GridKernelSet::Additions additions() {
  using A = GridAdditions<N>;
  return {A::forward, A::backward, A::close, collect<S>, A::receive};
}
