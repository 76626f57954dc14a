#include "tune/journal.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cmath>
#include <cstdlib>
#include <cstring>

#include <fmt/format.h>
#include <kinjo/error.hpp>

#include "base/input_file.hpp"
#include "base/text.hpp"

namespace kinjo {

namespace {

using Json = nlohmann::ordered_json;

constexpr const char* kSchema = "kinjo-tune-journal/1";

[[noreturn]] void refuse(const std::string& name, std::size_t line, const std::string& fault) {
  throw Error(Errc::bad_input, fmt::format("line {} of the journal {}: {}", line, name, fault));
}

Json values_json(const Values& values) {
  Json json = Json::object();
  for (const auto& [name, value] : values) {
    std::visit([&, &key = name](const auto& v) { json[key] = v; }, value);
  }
  return json;
}

Values read_values(const Json& json) {
  Values values;
  for (const auto& [name, value] : json.items()) {
    if (name.ends_with("_message") && !value.is_string()) {
      throw Error(Errc::bad_input, fmt::format("{} is no text", detail::printable(name)));
    }
    if (value.is_string()) {
      values.push_back({name, value.get<std::string>()});
    } else if (value.is_number_integer()) {
      values.push_back({name, value.get<std::int64_t>()});
    } else if (value.is_array()) {
      values.push_back({name, value.get<std::vector<double>>()});
    } else {
      values.push_back({name, value.get<double>()});
    }
  }
  return values;
}

Phase read_phase(const std::string& text) {
  for (const Phase phase : {Phase::warm_up, Phase::screening, Phase::confirmation}) {
    if (text == to_string(phase)) return phase;
  }
  throw Error(Errc::bad_input, fmt::format("unknown phase '{}'", text));
}

std::vector<NodePages> read_pages(const Json& json) {
  std::vector<NodePages> pages;
  for (const Json& node : json) {
    pages.push_back({node.at("node").get<int>(), node.at("asked").get<std::size_t>(),
                     node.at("there").get<std::size_t>(), node.at("as_asked").get<std::size_t>()});
  }
  return pages;
}

DoneRun read_run(const Json& json) {
  DoneRun done;
  done.run = {read_phase(json.at("phase").get<std::string>()), json.at("round").get<std::size_t>(),
              json.at("configuration").get<std::size_t>()};
  Sample& sample = done.sample;
  sample.values = json.at("values").get<std::vector<double>>();
  sample.seconds = json.at("seconds").get<double>();
  sample.fault = json.at("fault").get<std::string>();
  sample.last_words = json.at("last_words").get<std::vector<std::string>>();
  sample.output = json.at("output").get<std::string>();
  sample.result = read_values(json.at("result"));
  sample.pages = read_pages(json.at("pages"));
  sample.amiss = json.at("amiss").get<std::size_t>();
  const auto sane = [](double v) { return v >= 0 && std::isfinite(v); };
  if (!std::ranges::all_of(sample.values, sane) || !sane(sample.seconds)) {
    throw Error(Errc::bad_input, "a value is negative");
  }
  if (sample.values.empty() && sample.fault.empty()) {
    throw Error(Errc::bad_input, "a run has neither values nor a fault");
  }
  return done;
}

Json read_header(Json json) {
  if (!json.is_object() || json.value("schema", "") != kSchema) {
    throw Error(Errc::bad_input,
                fmt::format("expected the header of a sweep, with schema {}", kSchema));
  }
  return json;
}

/// Refuses what is nested deeper than any journal: to copy such JSON would exhaust the stack.
bool is_shallow(int depth, Json::parse_event_t, Json&) {
  constexpr int kDeepest = 32;
  if (depth <= kDeepest) return true;
  throw Error(Errc::bad_input, fmt::format("expected at most {} levels of JSON", kDeepest));
}

/// Why no journal can be made where something is already.
std::string what_is_there(const std::string& path) {
  struct stat file;
  if (stat(path.c_str(), &file) != 0) return "File exists";
  if (S_ISDIR(file.st_mode)) return "Is a directory";
  return S_ISREG(file.st_mode) ? "File exists; go on with it by --resume" : "Not an ordinary file";
}

std::string replaced_text(const Json& json) {
  return json.dump(-1, ' ', false, Json::error_handler_t::replace) + '\n';
}

}  // namespace

JournalContent parse_journal(std::string_view text, const std::string& name) {
  JournalContent content;
  for (std::size_t number = 1;; ++number) {
    const std::size_t end = text.find('\n', content.good_bytes);
    if (end == std::string_view::npos) break;
    const std::string_view line = text.substr(content.good_bytes, end - content.good_bytes);
    try {
      Json json = Json::parse(line, is_shallow);
      if (number == 1) {
        content.header = read_header(std::move(json));
      } else {
        content.runs.push_back(read_run(json));
      }
    } catch (const Json::exception&) {
      refuse(name, number, "expected one object of JSON with the fields of docs/json.md");
    } catch (const Error& error) {
      refuse(name, number, error.what());
    }
    content.good_bytes = end + 1;
  }
  if (content.good_bytes == 0) refuse(name, 1, "expected the header of a sweep");
  return content;
}

std::string journal_line(const DoneRun& done) {
  const Sample& sample = done.sample;
  Json pages = Json::array();
  for (const NodePages& p : sample.pages) {
    pages.push_back(
        {{"node", p.node}, {"asked", p.asked}, {"there", p.there}, {"as_asked", p.as_asked}});
  }
  return replaced_text({{"phase", to_string(done.run.phase)},
                        {"round", done.run.round},
                        {"configuration", done.run.configuration},
                        {"values", sample.values},
                        {"seconds", sample.seconds},
                        {"fault", sample.fault},
                        {"last_words", sample.last_words},
                        {"output", sample.output},
                        {"result", values_json(sample.result)},
                        {"pages", std::move(pages)},
                        {"amiss", sample.amiss}});
}

Journal::Journal(const std::string& path, const Json& header) : path_(path) {
  if (path_.empty()) {
    const char* folder = std::getenv("TMPDIR");
    path_ = fmt::format("{}/kinjo-tune-XXXXXX", folder && *folder ? folder : "/tmp");
    fd_ = mkostemp(path_.data(), O_APPEND | O_CLOEXEC);
  } else {
    fd_ = open(path_.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_APPEND | O_CLOEXEC, 0666);
  }
  if (fd_ < 0) {
    throw Error(Errc::system,
                fmt::format("cannot make the journal {}: {}", path_,
                            errno == EEXIST ? what_is_there(path_) : std::strerror(errno)));
  }
  Json whole = {{"schema", kSchema}};
  whole.update(header);
  try {
    write_line(whole.dump() + '\n');  // what is not UTF-8 could not be asked for again
  } catch (...) {
    discard();  // a journal without its header is of no use
    close(fd_);
    throw;
  }
}

Journal::Journal(const std::string& path, std::size_t good_bytes) : path_(path) {
  fd_ = open(path_.c_str(), O_WRONLY | O_APPEND | O_CLOEXEC);
  if (fd_ < 0 || ftruncate(fd_, static_cast<off_t>(good_bytes)) != 0) fail_writing();
}

Journal::~Journal() {
  if (fd_ >= 0) close(fd_);
}

void Journal::append(const DoneRun& done) { write_line(journal_line(done)); }

void Journal::discard() { unlink(path_.c_str()); }

void Journal::write_line(const std::string& line) {
  for (std::size_t done = 0; done < line.size();) {
    const auto written = write(fd_, line.data() + done, line.size() - done);
    if (written < 0 && errno != EINTR) fail_writing();
    if (written > 0) done += static_cast<std::size_t>(written);
  }
  if (fdatasync(fd_) != 0 && errno != EINVAL && errno != EROFS) fail_writing();
}

void Journal::fail_writing() const {
  throw Error(Errc::system,
              fmt::format("cannot write the journal {}: {}", path_, std::strerror(errno)));
}

std::optional<Sample> Replay::next(const SweepRun& run, std::size_t metrics) {
  if (done_ == runs_.size()) return std::nullopt;
  const DoneRun& known = runs_[done_++];
  const bool fits = known.sample.values.empty() || known.sample.values.size() == metrics;
  if (known.run == run && fits) return known.sample;
  refuse(name_, done_ + 1,
         fmt::format("expected {} {} of configuration {} with {} value{}", to_string(run.phase),
                     run.round, run.configuration, metrics, metrics == 1 ? "" : "s"));
}

std::string read_journal(const std::string& path) {
  const detail::InputFile file = detail::open_input(path);
  return detail::read_start(file.handle.get(), path, file.size());
}

}  // namespace kinjo
