/// Marks of many states at once, a lane for each.
///
/// Included into a namespace of each target, since the compiler takes instructions for a function
/// from the place where it is written.

namespace hn = hwy::HWY_NAMESPACE;
/// Lanes of whole words, and of their lower halves, for states that have nothing in the others.
using Wide = hn::CappedTag<std::uint64_t, 8>;
using Narrow = hn::CappedTag<std::uint32_t, 8>;

template <class D>
HWY_INLINE hn::Vec<D> number(D d, std::uint64_t value) {
  return hn::Set(d, static_cast<hn::TFromD<D>>(value));
}

/// A vector for each word of states.
template <class D, std::size_t kWords>
struct Words {
  using Vector = hn::Vec<D>;

  HWY_INLINE Vector& operator[](std::size_t word) { return of[word]; }
  HWY_INLINE Vector operator[](std::size_t word) const { return of[word]; }

  Vector of[kWords];
};

/// Slots, by the bits of their fields. What is done to one is done to all words, of which the
/// others have no such bits: nothing is chosen by which word has it, which would keep words in
/// memory.
template <class D, unsigned kBits, std::size_t kWords>
class Fields {
  using M = Marks<kBits, kWords>;
  using Vector = hn::Vec<D>;
  using Mask = hn::Mask<D>;
  using States = Words<D, kWords>;

 public:
  Fields() = default;
  explicit Fields(std::span<const std::uint16_t> slots) {
    for (unsigned w = 0; w < kWords; ++w) {
      std::uint64_t bits = 0, inside = 0;
      for (const std::uint16_t slot : slots) {
        if (slot / M::kPerWord != w) continue;
        bits |= std::uint64_t{M::kCodes - 1} << M::shift(slot);
        inside |= std::uint64_t{(M::kCodes - 1) ^ slot} << M::shift(slot);
      }
      bits_[w] = number(D(), bits);
      inside_[w] = number(D(), inside);
    }
  }

  /// Of words, these fields alone.
  HWY_INLINE Vector of(const States& words) const {
    Vector found = hn::And(words[0], bits_[0]);
    for (std::size_t w = 1; w < kWords; ++w) found = hn::Or(found, hn::And(words[w], bits_[w]));
    return found;
  }
  /// `of` a single one if its vertex is inside a fragment.
  HWY_INLINE Vector inside() const {
    return kWords == 1 ? inside_[0] : hn::Or(inside_[0], inside_[kWords - 1]);
  }

  HWY_INLINE Mask are_inside(const States& words) const {
    Vector differing = hn::Xor(hn::And(words[0], bits_[0]), inside_[0]);
    for (std::size_t w = 1; w < kWords; ++w) {
      differing = hn::Or(differing, hn::Xor(hn::And(words[w], bits_[w]), inside_[w]));
    }
    return hn::Eq(differing, hn::Zero(D()));
  }

  HWY_INLINE void clear(States& words) const {
    for (std::size_t w = 0; w < kWords; ++w) words[w] = hn::AndNot(bits_[w], words[w]);
  }
  HWY_INLINE void clear(States& words, Mask where) const {
    for (std::size_t w = 0; w < kWords; ++w) {
      words[w] = hn::AndNot(hn::IfThenElseZero(where, bits_[w]), words[w]);
    }
  }
  HWY_INLINE void set_inside(States& words) const {
    for (std::size_t w = 0; w < kWords; ++w) {
      words[w] = hn::Or(hn::AndNot(bits_[w], words[w]), inside_[w]);
    }
  }
  /// Where they are untouched.
  HWY_INLINE void put_inside(States& words, Mask where) const {
    for (std::size_t w = 0; w < kWords; ++w) {
      words[w] = hn::Or(words[w], hn::IfThenElseZero(where, inside_[w]));
    }
  }

 private:
  States bits_, inside_;
};

/// A vertex and those that undecided edges lead to.
template <class D, unsigned kBits, std::size_t kWords>
class Neighbourhood {
  using Vector = hn::Vec<D>;
  using Mask = hn::Mask<D>;

 public:
  Neighbourhood() = default;
  explicit Neighbourhood(const MaybeStuck& vertex)
      : own_(std::span(&vertex.slot, 1)), others_(vertex.all_neighbours()) {}

  /// Whether it is an end, and all the others are inside.
  HWY_INLINE Mask is_stuck(const Words<D, kWords>& words) const {
    const Vector own = own_.of(words);
    const Mask no_end = hn::Or(hn::Eq(own, hn::Zero(D())), hn::Eq(own, own_.inside()));
    return hn::AndNot(no_end, others_.are_inside(words));
  }

 private:
  Fields<D, kBits, kWords> own_, others_;
};
