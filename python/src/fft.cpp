/// kinjo._kinjo._FftPlan: what kinjo/fft.py calls, with arrays that it has made fit.
#include <memory>
#include <optional>
#include <variant>
#include <vector>

#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>
#include <kinjo/fft.hpp>

#include "array.hpp"
#include "lock.hpp"
#include "parts.hpp"
#include "team.hpp"

namespace kinjo::python {
namespace {

/// Numbers from which on other Python threads run meanwhile: below it the hand-over of the
/// interpreter's lock would cost more than the work.
constexpr std::size_t kReleasingSize = 1024;

fft::Scale scale_of(const std::string& name) {
  if (name == "one") return fft::Scale::one;
  if (name == "by_n") return fft::Scale::by_n;
  if (name == "by_root_n") return fft::Scale::by_root_n;
  throw Error(Errc::invalid_argument,
              fmt::format("fft: scale '{}': expected one, by_n or by_root_n", name));
}

/// A transform of C-contiguous arrays of one shape and type.
class PythonFft {
 public:
  PythonFft(bool real, bool single, const std::vector<std::size_t>& shape,
            const std::vector<std::size_t>& axes, const std::string& forward,
            const std::string& backward, const PythonTeam* team)
      : single_(single), real_(real) {
    const fft::Options options{
        .axes = axes, .forward = scale_of(forward), .backward = scale_of(backward)};
    if (team) team_ = team->get();
    const Unlocked released;
    if (real) {
      make<RealFft>(shape, options);
    } else {
      make<Fft>(shape, options);
    }
  }

  void forward(nb::handle in, nb::handle out) const { transform(in, out, true); }
  void backward(nb::handle in, nb::handle out) const { transform(in, out, false); }
  std::size_t bytes() const {
    return std::visit([](const auto& plan) { return plan.table_bytes() + plan.work_bytes(); },
                      *plan_);
  }
  std::string describe() const {
    return std::visit([](const auto& plan) { return plan.describe(); }, *plan_);
  }

 private:
  template <template <class> class Plan>
  void make(const std::vector<std::size_t>& shape, const fft::Options& options) {
    const auto of = [&]<class T>(T) {
      if (team_) {
        plan_.emplace(Plan<T>(*team_, shape, options));
      } else {
        plan_.emplace(Plan<T>(shape, options));
      }
    };
    single_ ? of(float{}) : of(double{});
  }

  /// The memory of an argument, which must be C-contiguous and of that type and size.
  void* data(nb::handle object, const char* name, bool complex, std::size_t size,
             Access access) const {
    PyArrayObject* array = as_numpy(object);
    const int type =
        complex ? (single_ ? NPY_CFLOAT : NPY_CDOUBLE) : (single_ ? NPY_FLOAT : NPY_DOUBLE);
    const int flags = NPY_ARRAY_C_CONTIGUOUS | NPY_ARRAY_ALIGNED |
                      (access == Access::write ? NPY_ARRAY_WRITEABLE : 0);
    if (!array || PyArray_TYPE(array) != type || (PyArray_FLAGS(array) & flags) != flags ||
        !PyArray_ISNOTSWAPPED(array) || static_cast<std::size_t>(PyArray_SIZE(array)) != size) {
      throw Error(Errc::invalid_argument,
                  fmt::format("fft: {} is no contiguous array as the plan needs it", name));
    }
    return PyArray_DATA(array);
  }

  void transform(nb::handle in, nb::handle out, bool forward) const {
    std::visit([&](const auto& plan) { call(plan, in, out, forward); }, *plan_);
  }
  template <class T>
  void call(const Fft<T>& plan, nb::handle in, nb::handle out, bool forward) const {
    using Complex = std::complex<T>;
    const auto* x = static_cast<const Complex*>(data(in, "in", true, plan.size(), Access::read));
    auto* y = static_cast<Complex*>(data(out, "out", true, plan.size(), Access::write));
    const auto released = release(plan.size());
    forward ? plan.forward(x, y) : plan.backward(x, y);
  }
  template <class T>
  void call(const RealFft<T>& plan, nb::handle in, nb::handle out, bool forward) const {
    using Complex = std::complex<T>;
    const std::size_t n = plan.size(), half = plan.spectrum_size();
    const void* x = data(in, "in", !forward, forward ? n : half, Access::read);
    void* y = data(out, "out", forward, forward ? half : n, Access::write);
    const auto released = release(n);
    if (forward) return plan.forward(static_cast<const T*>(x), static_cast<Complex*>(y));
    plan.backward(static_cast<const Complex*>(x), static_cast<T*>(y));
  }
  std::unique_ptr<Unlocked> release(std::size_t size) const {
    if (size < kReleasingSize && !team_) return nullptr;
    return std::make_unique<Unlocked>();
  }

  bool single_, real_;
  std::shared_ptr<Team> team_;  ///< outlives the plan
  std::optional<std::variant<Fft<float>, Fft<double>, RealFft<float>, RealFft<double>>> plan_;
};

}  // namespace

void add_fft(nb::module_& module) {
  nb::class_<PythonFft>(module, "_FftPlan", "A plan of ``kinjo.fft``.")
      .def(nb::init<bool, bool, const std::vector<std::size_t>&, const std::vector<std::size_t>&,
                    const std::string&, const std::string&, const PythonTeam*>(),
           nb::arg("real"), nb::arg("single"), nb::arg("shape"), nb::arg("axes"),
           nb::arg("forward"), nb::arg("backward"), nb::arg("team").none())
      .def("forward", &PythonFft::forward, nb::arg("array"), nb::arg("out"))
      .def("backward", &PythonFft::backward, nb::arg("array"), nb::arg("out"))
      .def_prop_ro("bytes", &PythonFft::bytes, "memory that the plan holds")
      .def("__str__", &PythonFft::describe);
}

}  // namespace kinjo::python
