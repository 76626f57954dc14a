/// Arguments with the names that callers know, so that what is wrong with them is told in a
/// sentence: nanobind would list the signatures that it knows.
#pragma once

#include <concepts>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>

#include <fmt/format.h>
#include <nanobind/nanobind.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <kinjo/error.hpp>

namespace kinjo::python {

namespace nb = nanobind;

/// What an argument is called in messages.
struct Name {
  const char* function;
  const char* argument;
};

/// Throws `Error` (`invalid_argument`): the function, the argument, and what is wrong with it.
template <class... Args>
[[noreturn]] void refuse(Name name, fmt::format_string<Args...> text, Args&&... args) {
  throw Error(Errc::invalid_argument, fmt::format("{}: {} ", name.function, name.argument) +
                                          fmt::format(text, std::forward<Args>(args)...));
}

/// Throws TypeError: what the argument is, and what was expected.
[[noreturn]] void refuse_type(Name name, nb::handle object, const char* expected);

/// Of whatever has `__index__`. Throws TypeError for anything else.
nb::int_ need_integer(nb::handle object, Name name);
/// Of a str, whose text it is. Throws TypeError for anything else.
std::string_view need_text(nb::handle object, Name name);
/// Of whatever has `__float__` or `__index__`. Throws TypeError for anything else, and `Error`
/// (`invalid_argument`) for an integer that exceeds all doubles.
double need_real(nb::handle object, Name name);

template <class T>
concept WholeNumber = std::integral<T> && !std::same_as<T, bool>;

/// An argument of any kind, of which `read` makes a T: a number, a std::string, a std::string_view
/// of the caller's, a pointer to a bound class that None makes null, or a std::optional of these.
template <class T>
struct Given {
  nb::handle object;

  /// Throws TypeError for another kind, and `Error` (`invalid_argument`) for a number beyond T.
  T read(Name name) const;
};

/// What is expected, in Python's words. Of a bound class: its name.
template <class T>
const char* wanted() {
  if constexpr (std::same_as<T, bool>) {
    return "a bool";
  } else {
    static const std::string kName =
        "a kinjo." + nb::cast<std::string>(
                         nb::type<std::remove_cv_t<std::remove_pointer_t<T>>>().attr("__name__"));
    return kName.c_str();
  }
}

template <class T>
constexpr bool kIsOptional = false;
template <class T>
constexpr bool kIsOptional<std::optional<T>> = true;

template <class T>
T Given<T>::read(Name name) const {
  if constexpr (kIsOptional<T>) {
    if (object.is_none()) return std::nullopt;
    return Given<typename T::value_type>{object}.read(name);
  } else if constexpr (std::same_as<T, double>) {
    return need_real(object, name);
  } else if constexpr (std::same_as<T, std::string> || std::same_as<T, std::string_view>) {
    return T(need_text(object, name));
  } else {
    T value{};
    if constexpr (std::is_pointer_v<T>) {
      if (object.is_none()) return value;
    }
    if constexpr (WholeNumber<T>) {
      const nb::int_ number = need_integer(object, name);
      if (nb::try_cast(number, value)) return value;
      refuse(name, "is {}: expected {} to {}", nb::str(number).c_str(),
             std::numeric_limits<T>::min(), std::numeric_limits<T>::max());
    } else {
      if (nb::try_cast(object, value, false)) return value;
      refuse_type(name, object, wanted<T>());
    }
  }
}

}  // namespace kinjo::python

namespace nanobind::detail {

/// In signatures and stubs. That it may be None is added where None is its default.
template <class T>
constexpr auto given_name() {
  using kinjo::python::kIsOptional;
  if constexpr (kIsOptional<T>) {
    return given_name<typename T::value_type>();
  } else if constexpr (std::is_pointer_v<T>) {
    return make_caster<std::remove_cv_t<std::remove_pointer_t<T>>>::Name;
  } else if constexpr (kinjo::python::WholeNumber<T>) {
    return const_name("typing.SupportsIndex");
  } else if constexpr (std::is_arithmetic_v<T>) {
    return make_caster<T>::Name;
  } else {
    return const_name("str");
  }
}

template <class T>
struct type_caster<kinjo::python::Given<T>> {
  NB_TYPE_CASTER(kinjo::python::Given<T>, given_name<T>())

  bool from_python(handle object, std::uint32_t, cleanup_list*) noexcept {
    value.object = object;
    return true;
  }
};

}  // namespace nanobind::detail
