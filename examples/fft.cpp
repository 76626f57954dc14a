// A tone in noise: its frequency from the transform of a signal. Then a picture's worth of numbers
// there and back, over a team of pinned threads.
#include <cmath>
#include <complex>
#include <cstdio>
#include <kinjo/fft.hpp>
#include <kinjo/kinjo.hpp>
#include <numbers>
#include <vector>

int main() {
  const std::size_t n = 1000;
  std::vector<double> signal(n);
  for (std::size_t t = 0; t < n; ++t) {
    const double time = static_cast<double>(t) / static_cast<double>(n);
    signal[t] =
        std::sin(2 * std::numbers::pi * 123 * time) + static_cast<double>(t * 7919 % 17) / 17;
  }
  const kinjo::RealFft tone(n);
  std::vector<std::complex<double>> spectrum(tone.spectrum_size());
  tone.forward(signal.data(), spectrum.data());
  std::size_t loudest = 1;
  for (std::size_t k = 1; k < spectrum.size(); ++k) {
    if (std::abs(spectrum[k]) > std::abs(spectrum[loudest])) loudest = k;
  }
  std::printf("the tone has %zu periods\n", loudest);

  const auto machine = kinjo::Topology::discover();
  kinjo::Team team(
      kinjo::Mapping(machine, kinjo::Policy::scatter(), machine.allowed_cpus().count()));
  const kinjo::Fft<float> plan(team, {480, 640});
  std::vector<std::complex<float>> x(plan.size()), y(plan.size());
  for (std::size_t i = 0; i < x.size(); ++i) x[i] = static_cast<float>(i % 251);
  plan.forward(x.data(), y.data());
  plan.backward(y.data(), y.data());
  float worst = 0;
  for (std::size_t i = 0; i < x.size(); ++i) worst = std::max(worst, std::abs(y[i] - x[i]));
  std::printf("%zu numbers are back, %s\n", x.size(), worst < 1e-3 ? "all right" : "WRONG");
}
