#include "blas1_tables.hpp"

#include <algorithm>
#include <cstdio>
#include <functional>

namespace kinjo::bench {

namespace {

/// 1 K, 48 K, 1 M, or the number itself.
std::string size_text(std::size_t elements) {
  if (elements % (1 << 20) == 0) return std::to_string(elements >> 20) + " M";
  if (elements % 1024 == 0) return std::to_string(elements >> 10) + " K";
  return std::to_string(elements);
}

/// What `field` is in each result, without repetitions, in the order of the results.
template <class Field>
auto distinct(const std::vector<Result>& results, Field field) {
  std::vector<std::decay_t<std::invoke_result_t<Field, const Result&>>> values;
  for (const Result& r : results) {
    const auto& value = std::invoke(field, r);
    if (std::ranges::find(values, value) == values.end()) values.push_back(value);
  }
  return values;
}

std::vector<Result> select(const std::vector<Result>& results, auto&& condition) {
  std::vector<Result> selected;
  std::ranges::copy_if(results, std::back_inserter(selected), condition);
  return selected;
}

std::string title(std::size_t threads, std::size_t offset) {
  const std::string team = threads == 1 ? "one thread" : std::to_string(threads) + " threads";
  if (threads > 1) return team;
  return offset == 0 ? team + ", aligned" : team + ", " + std::to_string(8 * offset) + " bytes off";
}

void print_advantages(const std::vector<Result>& results, const std::string& title) {
  const auto sizes = distinct(results, &Result::elements);
  std::printf("\n| %s |", title.c_str());
  for (std::size_t size : sizes) std::printf(" %s |", size_text(size).c_str());
  std::printf("\n| --- |");
  for (std::size_t i = 0; i < sizes.size(); ++i) std::printf(" ---: |");
  for (const std::string& kernel : distinct(results, &Result::kernel)) {
    std::printf("\n| `%s` |", kernel.c_str());
    for (std::size_t size : sizes) {
      const auto cell = std::ranges::find_if(
          results, [&](const Result& r) { return r.kernel == kernel && r.elements == size; });
      if (cell == results.end() || !cell->advantage) {
        std::printf(" |");
      } else {
        std::printf(" %.2f %c |", *cell->advantage, cell->peer);
      }
    }
  }
  std::printf("\n");
}

void print_shares(const std::vector<Result>& results) {
  if (results.empty()) return;
  std::printf("\n| one thread, aligned, in L1 | elements | | share of the limit |\n");
  std::printf("| --- | ---: | ---: | ---: |\n");
  for (const Result& r : results) {
    std::printf("| `%s` | %s | %.1f %s | %.0f %% |\n", r.kernel.c_str(),
                size_text(r.elements).c_str(), r.rate, r.unit, 100 * *r.limit);
  }
}

}  // namespace

void print_tables(const std::vector<Result>& results) {
  for (std::size_t threads : distinct(results, &Result::threads)) {
    for (std::size_t offset : distinct(results, &Result::offset)) {
      const auto part = select(
          results, [=](const Result& r) { return r.threads == threads && r.offset == offset; });
      if (!part.empty()) print_advantages(part, title(threads, offset));
    }
  }
  auto shares = select(results, [](const Result& r) { return r.limit && r.offset == 0; });
  std::ranges::stable_sort(shares, {}, &Result::elements);
  print_shares(shares);
}

}  // namespace kinjo::bench
