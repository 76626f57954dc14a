/// The large work arrays of a plan: one set for each call that is under way.
#pragma once

#include <array>
#include <memory>
#include <mutex>
#include <vector>

#include <kinjo/memory.hpp>
#include <kinjo/team.hpp>

#include "fft/storage.hpp"

namespace kinjo::fft::detail {

/// Throws `Error` (`out_of_memory`) if there is no room for work arrays of so many complex numbers:
/// for finding that out before the time that making tables takes. Nothing is kept or touched.
template <class T>
void check_room(std::array<std::size_t, 2> sizes);

template <class T>
class WorkArrays {
 public:
  /// Two arrays of so many complex numbers, dealt to a team's threads in blocks if there is one.
  /// The first set is made at once. Throws `Error` (`out_of_memory`).
  WorkArrays(Team* team, std::array<std::size_t, 2> sizes);
  ~WorkArrays();

  /// A set, from the construction to the destruction of this object.
  class Lease {
   public:
    explicit Lease(const WorkArrays& arrays);
    ~Lease();
    Lease(const Lease&) = delete;
    Lease& operator=(const Lease&) = delete;
    Storage<T> operator[](std::size_t i) const;

   private:
    friend class WorkArrays;
    struct Set;
    const WorkArrays& arrays_;
    std::unique_ptr<Set> set_;
  };

  std::size_t bytes() const { return 2 * sizeof(T) * (sizes_[0] + sizes_[1]); }

 private:
  using Set = typename Lease::Set;
  std::unique_ptr<Set> make() const;

  Team* team_;
  std::array<std::size_t, 2> sizes_;
  mutable std::mutex mutex_;
  mutable std::vector<std::unique_ptr<Set>> idle_;
};

}  // namespace kinjo::fft::detail
