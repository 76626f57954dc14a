#include <kinjo/count.hpp>

#include <algorithm>
#include <bit>
#include <cmath>
#include <memory>

#include <fmt/format.h>
#include <gmp.h>
#include <kinjo/error.hpp>

#include "base/text.hpp"

namespace kinjo {

namespace {

/// A GMP integer for the length of a scope.
class Integer {
 public:
  Integer() { mpz_init(value_); }
  explicit Integer(std::span<const std::uint64_t> limbs) : Integer() {
    mpz_import(value_, limbs.size(), -1, sizeof(std::uint64_t), 0, 0, limbs.data());
  }
  ~Integer() { mpz_clear(value_); }
  Integer(const Integer&) = delete;
  Integer& operator=(const Integer&) = delete;
  mpz_ptr get() { return value_; }

  std::vector<std::uint64_t> limbs() const {
    std::vector<std::uint64_t> limbs((mpz_sizeinbase(value_, 2) + 63) / 64);
    std::size_t count = 0;
    mpz_export(limbs.data(), &count, -1, sizeof(std::uint64_t), 0, 0, value_);
    limbs.resize(count);
    return limbs;
  }

 private:
  mpz_t value_;
};

}  // namespace

Count::Count(std::span<const std::uint64_t> limbs) : limbs_(limbs.begin(), limbs.end()) {
  while (!limbs_.empty() && limbs_.back() == 0) limbs_.pop_back();
}

Count Count::parse(std::string_view digits) {
  const bool decimal =
      !digits.empty() && std::ranges::all_of(digits, [](char c) { return c >= '0' && c <= '9'; });
  if (!decimal) {
    throw Error(Errc::invalid_argument,
                fmt::format("'{}' as a count: expected decimal digits", detail::printable(digits)));
  }
  Integer value;
  mpz_set_str(value.get(), std::string(digits).c_str(), 10);
  return Count(value.limbs());
}

std::size_t Count::bits() const {
  if (limbs_.empty()) return 0;
  return 64 * limbs_.size() - static_cast<std::size_t>(std::countl_zero(limbs_.back()));
}

double Count::to_double() const {
  double value = 0;
  for (std::size_t i = limbs_.size(); i-- > 0;) {
    value = std::ldexp(value, 64) + static_cast<double>(limbs_[i]);
  }
  return value;
}

std::string Count::to_string() const {
  Integer value(limbs_);
  std::string digits(mpz_sizeinbase(value.get(), 10) + 2, '\0');
  mpz_get_str(digits.data(), 10, value.get());
  digits.resize(digits.find('\0'));
  return digits;
}

Count& Count::operator+=(const Count& other) {
  if (limbs_.size() < other.limbs_.size()) limbs_.resize(other.limbs_.size());
  std::uint64_t carry = 0;
  for (std::size_t i = 0; i < limbs_.size(); ++i) {
    const std::uint64_t addend = i < other.limbs_.size() ? other.limbs_[i] : 0;
    const std::uint64_t sum = limbs_[i] + addend;
    const std::uint64_t with_carry = sum + carry;
    carry = (sum < addend) | (with_carry < sum);
    limbs_[i] = with_carry;
  }
  if (carry != 0) limbs_.push_back(carry);
  return *this;
}

Count& Count::operator*=(const Count& other) {
  Integer product(limbs_);
  Integer factor(other.limbs_);
  mpz_mul(product.get(), product.get(), factor.get());
  limbs_ = product.limbs();
  return *this;
}

std::strong_ordering Count::operator<=>(const Count& other) const {
  if (limbs_.size() != other.limbs_.size()) return limbs_.size() <=> other.limbs_.size();
  return std::lexicographical_compare_three_way(limbs_.rbegin(), limbs_.rend(),
                                                other.limbs_.rbegin(), other.limbs_.rend());
}

}  // namespace kinjo
