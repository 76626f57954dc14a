#include "workload/fft_settings.hpp"

#include "workload/choose.hpp"

namespace kinjo {

void set_fft(FftSettings& settings, const std::string& name, const std::string& value) {
  using fft::Deal, fft::InCache, fft::Overlap;
  if (name == "precision") {
    settings.precision = choose_precision(name, value);
  } else if (name == "numbers") {
    settings.real = choose<bool>(name, value, {{"complex", false}, {"real", true}});
  } else if (name == "place") {
    settings.in_place = choose<bool>(name, value, {{"out", false}, {"in", true}});
  } else if (name == "data") {
    settings.placement = choose<FftPlacement>("placement of the data", value,
                                              {{"block", FftPlacement::block},
                                               {"cyclic", FftPlacement::cyclic},
                                               {"none", FftPlacement::none}});
  } else if (name == "deal") {
    settings.deal = choose<Deal>(name, value, {{"block", Deal::block}, {"cyclic", Deal::cyclic}});
  } else if (name == "in_cache") {
    settings.in_cache = choose<InCache>("transform in cache", value,
                                        {{"automatic", InCache::automatic},
                                         {"in-place", InCache::in_place},
                                         {"stockham", InCache::stockham},
                                         {"direct", InCache::direct}});
  } else if (name == "overlap") {
    settings.overlap = choose<Overlap>(
        name, value,
        {{"automatic", Overlap::automatic}, {"on", Overlap::on}, {"off", Overlap::off}});
  } else if (name == "pages") {
    settings.pages = choose_pages(value);
  } else {
    throw Error(Errc::invalid_argument,
                fmt::format("fft has no parameter '{}': expected {}", name, kFftParameters));
  }
}

void check_fft_settings(const FftSettings& settings) {
  if (!settings.real || !settings.in_place) return;
  throw Error(Errc::invalid_argument,
              "numbers 'real' (--real) and place 'in' (--in-place): expected one of them, as the "
              "arrays differ in size");
}

}  // namespace kinjo
