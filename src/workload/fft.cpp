#include "workload/fft.hpp"

#include <algorithm>

#include <fmt/format.h>
#include <kinjo/simd.hpp>

#include "base/text.hpp"
#include "measure/sampling.hpp"
#include "workload/cache_levels.hpp"
#include "workload/fft_settings.hpp"
#include "workload/memory_use.hpp"

namespace kinjo {

namespace {

fft::Input input_of(const FftSettings& settings) {
  return settings.real ? fft::Input::real : fft::Input::complex;
}

/// Whether a cut leaves alone what was asked for: what it says itself goes before the options.
bool agrees(const fft::Cut& cut, const FftSettings& settings) {
  using fft::InCache, fft::Overlap;
  const bool method = settings.in_cache == InCache::automatic ||
                      cut.in_cache == InCache::automatic || cut.in_cache == settings.in_cache;
  return method && (settings.overlap == Overlap::automatic || cut.overlap == Overlap::automatic ||
                    cut.overlap == settings.overlap);
}

/// The cuts of a line that are worth trying and are such as was asked for. Of a line that can be
/// transformed directly those that are not are none of them, if that was.
std::vector<fft::Cut> candidates(const fft::Line& line, const FftSettings& settings,
                                 std::size_t threads) {
  std::vector<fft::Cut> cuts = fft::candidates(line, bytes_of(settings.precision), threads);
  std::erase_if(cuts, [&](const fft::Cut& cut) { return !agrees(cut, settings); });
  const auto is_direct = [](const fft::Cut& cut) { return cut.in_cache == fft::InCache::direct; };
  if (settings.in_cache == fft::InCache::direct && std::ranges::any_of(cuts, is_direct)) {
    std::erase_if(cuts, [&](const fft::Cut& cut) { return !is_direct(cut); });
  }
  return cuts;
}

/// The fastest cuts of those worth trying, axis by axis; what is not faster than what plans choose
/// unasked is left to them.
fft::Wisdom::Cuts fastest_cuts(FftRun& run, const FftSettings& settings, const Mapping& mapping,
                               const FftSize& size) {
  const auto lines = fft::lines_of(size.shape, {}, input_of(settings));
  fft::Wisdom::Cuts best(lines.size());
  run.make_plan(best);
  double least = run.quick();
  for (std::size_t axis = 0; axis < lines.size(); ++axis) {
    for (const fft::Cut& cut : candidates(lines[axis], settings, mapping.size())) {
      fft::Wisdom::Cuts cuts = best;
      cuts[axis] = cut;
      run.make_plan(cuts);
      const double seconds = run.quick();
      if (seconds >= least) continue;
      least = seconds;
      best = std::move(cuts);
    }
  }
  return best;
}

/// What is measured, and what comes in of it.
class FftRounds {
 public:
  FftRounds(const Topology& machine, FftRequest& request) : machine_(machine), request_(request) {
    std::vector<FftPlacement> placements = request.placements;
    if (placements.empty()) placements = {request.settings.placement};
    for (const FftSize& size : request.sizes) {
      for (const FftPlacement placement : placements) {
        Case one{size, request.settings, placements.size() > 1};
        one.settings.placement = placement;
        cases_.push_back(one);
        add_builders(one);
      }
    }
  }

  std::vector<Record> run(const ProgressSink& progress) {
    const std::size_t total = request_.rounds * builders_.size();
    std::size_t done = 0;
    run_in_turn(request_.rounds, cases_.size(), request_.configurations.size(),
                [&](std::size_t which, std::size_t c) {
                  const Configuration configuration{request_.configurations[c]};
                  if (progress) {
                    progress({done, total,
                              fmt::format("{}, {}", name_of(cases_[which]), configuration.name())});
                  }
                  ++done;
                  run_one(which, c);
                });
    std::vector<Record> records;
    for (const RecordBuilder& builder : builders_) {
      records.push_back(builder.finish());
      records.back().parameters.push_back({"rounds", static_cast<std::int64_t>(request_.rounds)});
    }
    return records;
  }

 private:
  struct Case {
    FftSize size;
    FftSettings settings;
    bool one_of_several_placements;
  };

  static std::string name_of(const Case& one) {
    const std::string size = to_string(one.size);
    if (!one.one_of_several_placements) return size;
    return fmt::format("{}, data {}", size, to_string(one.settings.placement));
  }

  void add_builders(const Case& one) {
    for (const Mapping& mapping : request_.configurations) {
      subjects_.emplace_back(machine_, one.settings, one.size);
      builders_.emplace_back(subjects_.back(), Configuration{mapping});
      if (one.settings.verify) builders_.back().set_verified(true);
    }
  }

  void run_one(std::size_t which, std::size_t c) {
    const Case& one = cases_[which];
    const Mapping& mapping = request_.configurations[c];
    const auto run = make_fft_run(one.settings, mapping, one.size);
    use_wisdom(*run, one, mapping);
    const std::size_t place = which * request_.configurations.size() + c;
    builders_[place].add(subjects_[place].sample(*run, mapping));
  }

  /// Tries once for each key, in the first round.
  void use_wisdom(FftRun& run, const Case& one, const Mapping& mapping) {
    const auto key = fft_wisdom_key(machine_, one.settings, mapping, one.size);
    const bool tried = std::ranges::find(tried_, key) != tried_.end();
    if (request_.measure && !tried) {
      request_.found.remember(key, fastest_cuts(run, one.settings, mapping, one.size));
      request_.wisdom.remember(request_.found);
      tried_.push_back(key);
    }
    if (const auto cuts = request_.wisdom.find(key)) run.make_plan(*cuts);
  }

  const Topology& machine_;
  FftRequest& request_;
  std::vector<Case> cases_;
  std::vector<FftSubject> subjects_;
  std::vector<RecordBuilder> builders_;
  std::vector<fft::Wisdom::Key> tried_;
};

/// Names of the result's values: `load_1_ms`, `load_1_bytes`.
void add_phases(Values& values, const std::vector<FftPhase>& phases) {
  for (const FftPhase& phase : phases) {
    std::string name = phase.name;
    std::ranges::replace(name, ' ', '_');
    values.push_back({name + "_ms", 1e3 * phase.seconds});
    values.push_back({name + "_bytes", static_cast<std::int64_t>(phase.bytes)});
  }
}

bool is_compute(const FftPhase& phase) { return phase.name.starts_with("compute"); }

}  // namespace

FftSubject::FftSubject(const Topology& machine, const FftSettings& settings, const FftSize& size)
    : machine_(machine), settings_(settings), size_(size) {
  check_fft_settings(settings);
  const double bytes = 4 * size.points() * static_cast<double>(settings.memory().number_bytes) /
                       (settings.real ? 2 : 1);
  metrics_ = {
      {.name = "mflops", .unit = "MFLOP/s", .flops_per_byte = size.flops(settings.real) / bytes},
      {.name = "limit", .unit = "MFLOP/s"},
      {.name = "share", .unit = "%"},
      {.name = "seconds", .unit = "s", .better = Better::lower}};
  if (settings.real) return;
  metrics_.push_back({.name = "memory_ms", .unit = "ms", .better = Better::lower});
  metrics_.push_back({.name = "compute_ms", .unit = "ms", .better = Better::lower});
}

Values FftSubject::parameters() const {
  return {{"size", to_string(size_)},
          {"precision", to_string(settings_.precision)},
          {"numbers", settings_.real ? "real" : "complex"},
          {"place", settings_.in_place ? "in" : "out"},
          {"data", to_string(settings_.placement)},
          {"deal", fft::to_string(settings_.deal)},
          {"in_cache", fft::to_string(settings_.in_cache)},
          {"overlap", fft::to_string(settings_.overlap)},
          {"pages", to_string(settings_.pages)},
          {"bind", to_string(settings_.bind)}};
}

Sample FftSubject::sample(FftRun& run, const Mapping& mapping) const {
  const FftSample measured = run.sample();
  const double flops = size_.flops(settings_.real) / 1e6;
  const double array = size_.points() * static_cast<double>(settings_.memory().number_bytes);
  double memory = 0, compute = 0, moved = 0;
  for (const FftPhase& phase : measured.phases) {
    (is_compute(phase) ? compute : memory) += 1e3 * phase.seconds;
    moved += phase.bytes;
  }
  Sample sample;
  sample.values = {flops / measured.seconds, flops / measured.limit,
                   100 * measured.limit / measured.seconds, measured.seconds};
  if (!settings_.real) sample.values.insert(sample.values.end(), {memory, compute});
  sample.fault = measured.fault;
  sample.result = {{"plan", run.plan_text()},
                   {"plan_bytes", static_cast<std::int64_t>(run.plan_bytes())}};
  if (!settings_.real) {
    sample.result.push_back({"moved_bytes", static_cast<std::int64_t>(moved)});
    sample.result.push_back({"moved_arrays", moved / array});
    add_phases(sample.result, measured.phases);
  }
  if (settings_.verify) {
    sample.result.push_back({"error", measured.error});
    sample.result.push_back({"error_bound", measured.error_bound});
  }
  sample.result.push_back(
      {"level", level_of(machine_, mapping,
                         static_cast<std::size_t>(settings_.in_place ? array : 2 * array))});
  sample.result.push_back({"calls", runs_alone(mapping) ? "one thread" : "team"});
  sample.result.push_back({"simd", to_string(simd_level())});
  add_memory_values(sample, run.placement(), run.pages(), run.audit(),
                    mapping.binds() && settings_.placement != FftPlacement::none);
  return sample;
}

std::optional<Sample> FftSubject::run(const Configuration& configuration) {
  const double start = now_seconds();
  const Mapping& mapping = configuration.mapping;
  Sample sample = this->sample(*make_fft_run(settings_, mapping, size_), mapping);
  sample.seconds = now_seconds() - start;
  return sample;
}

fft::Wisdom::Key fft_wisdom_key(const Topology& machine, const FftSettings& settings,
                                const Mapping& mapping, const FftSize& size) {
  const fft::Options options{
      .in_cache = settings.in_cache, .overlap = settings.overlap, .deal = settings.deal};
  const fft::Arrays arrays = settings.in_place ? fft::Arrays::one : fft::Arrays::two;
  return {fft::wisdom_place(machine, mapping, options, arrays), size.shape,
          bytes_of(settings.precision), input_of(settings)};
}

std::size_t fft_memory(const FftRequest& request) {
  FftMemory memory = request.settings.memory();
  for (const Mapping& mapping : request.configurations) {
    memory.threads = std::max(memory.threads, mapping.size());
  }
  double most = 0;
  for (const FftSize& size : request.sizes) {
    check_fft_size(size, memory);
    most = std::max(most, fft_bytes(size, memory));
  }
  return static_cast<std::size_t>(most);
}

std::vector<Record> run_fft(const Topology& machine, FftRequest& request,
                            const ProgressSink& progress) {
  fft_memory(request);
  return FftRounds(machine, request).run(progress);
}

}  // namespace kinjo
