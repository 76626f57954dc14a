/// kinjo cells model: predicts the multiply and SCG on many cells by LogGP.
#include "cells_model.hpp"

#include <cmath>
#include <memory>
#include <optional>

#include <fmt/format.h>
#include <kinjo/comm_model.hpp>
#include <kinjo/error.hpp>

#include "base/text.hpp"
#include "base/whole_file.hpp"
#include "command.hpp"
#include "configurations.hpp"
#include "report/json.hpp"
#include "report/table.hpp"
#include "workload/cells_fit.hpp"
#include "workload/cells_settings.hpp"
#include "workload/choose.hpp"

namespace kinjo::cli {

namespace {

using comm::Form;
using comm::LogGp;

struct Options {
  std::string fit, way = "put";
  std::optional<double> latency_us, overhead_us, gap_us, gap_ns_per_byte, overhead_ns_per_byte;
  std::string workload = "gemm", cells = "16,64,256,1024,4096", size = "8192";
  std::string reduction = "kinjo";
  std::vector<std::string> forms;
  double gflops = 10, copy_ns_per_byte = 0.1, point_ns = 2;
  OutputOption output;
  Format format = Format::text;
};

/// A prediction, and of which form, with which messages on which network.
struct Row {
  std::string form;
  double bytes;
  LogGp network;
  comm::Prediction prediction;
};

/// What was measured, and how far the model is off.
struct Measured {
  comm::MessageTimes times;
  comm::LogGpFit line;
  comm::SizedError sized;
};

struct Model {
  LogGp network;
  std::optional<Measured> fit;
  std::size_t size = 0;
  std::vector<Row> rows;
};

void check_not_negative(const char* name, double value) {
  if (std::isfinite(value) && value >= 0) return;
  throw Error(Errc::invalid_argument,
              fmt::format("{} {}: expected a finite number from 0 on", name, value));
}

/// Takes a parameter that is given in place of the fitted one.
void set(double& parameter, const std::optional<double>& given, double unit, const char* name) {
  if (!given) return;
  check_not_negative(name, *given);
  parameter = *given * unit;
}

/// What the options say, in place of what was fitted.
LogGp with_options(LogGp n, const Options& options) {
  set(n.latency_s, options.latency_us, 1e-6, "--latency-us");
  set(n.overhead_s, options.overhead_us, 1e-6, "--overhead-us");
  if (options.fit.empty()) n.gap_s = n.overhead_s;
  set(n.gap_s, options.gap_us, 1e-6, "--gap-us");
  set(n.gap_per_byte_s, options.gap_ns_per_byte, 1e-9, "--gap-ns-per-byte");
  set(n.overhead_per_byte_s, options.overhead_ns_per_byte, 1e-9, "--overhead-ns-per-byte");
  return n;
}

void set_network(Model& model, const Options& options) {
  if (options.fit.empty() && !(options.latency_us && options.gap_ns_per_byte)) {
    throw Error(Errc::invalid_argument,
                "no network: expected --fit FILE, or --latency-us and --gap-ns-per-byte");
  }
  if (!options.fit.empty()) {
    const auto times = read_pingpong(options.fit, options.way);
    model.fit = Measured{times, comm::fit_log_gp(times), comm::sized_error(times)};
    model.network = model.fit->line.parameters;
  }
  model.network = with_options(model.network, options);
}

/// A cell's part of a program, and the message that it sends.
Row row_of(const Model& model, const Options& options, std::string form, double bytes) {
  const LogGp network =
      model.fit ? with_options(comm::log_gp_at(model.fit->times, bytes), options) : model.network;
  return {std::move(form), bytes, network, {}};
}

std::vector<Form> forms_of(const Options& options) {
  std::vector<Form> forms;
  for (const std::string& form : parts_of(options.forms)) forms.push_back(parse_form(form));
  if (forms.empty()) forms = {Form::put};
  return forms;
}

std::size_t size_of(const Options& options) {
  const auto sizes = parse_cells_sizes(options.size);
  if (sizes.size() == 1) return sizes.front();
  throw Error(Errc::invalid_argument,
              fmt::format("'{}' as a size: expected one number", detail::printable(options.size)));
}

std::vector<int> cells_of(const Options& options) {
  std::vector<int> counts;
  for (const std::string& part : parts_of({options.cells})) {
    const auto count = detail::parse_number<int>(part);
    if (!count || *count < 1 || *count > 1'000'000) {
      throw Error(Errc::invalid_argument,
                  fmt::format("'{}' cells: expected numbers from 1 to 1000000, as 16,64",
                              detail::printable(options.cells)));
    }
    counts.push_back(*count);
  }
  return counts;
}

Model model_of(const Options& options) {
  Model model;
  set_network(model, options);
  model.size = size_of(options);
  const auto size = static_cast<double>(model.size);
  // Also what the workload has no use for must be something.
  const auto forms = forms_of(options);
  const auto reduction = choose<comm::Reduction>("reduction", options.reduction,
                                                 {{"kinjo", comm::Reduction::kinjo},
                                                  {"everyone", comm::Reduction::everyone},
                                                  {"doubling", comm::Reduction::doubling}});
  if (options.workload == "scg") {
    for (const int cells : cells_of(options)) {
      Row row = row_of(model, options, "put", 8 * size);
      row.prediction = predict_scg(row.network, {size, options.point_ns * 1e-9, reduction}, cells);
      model.rows.push_back(std::move(row));
    }
    return model;
  }
  check_not_negative("--copy-ns-per-byte", options.copy_ns_per_byte);
  for (const Form form : forms) {
    const comm::GemmCase gemm{size, options.gflops * 1e9, form, options.copy_ns_per_byte * 1e-9};
    for (const int cells : cells_of(options)) {
      Row row = row_of(model, options, to_string(form), 8 * size * std::ceil(size / cells));
      row.prediction = predict_gemm(row.network, gemm, cells);
      model.rows.push_back(std::move(row));
    }
  }
  return model;
}

Json network_json(const LogGp& n) {
  return {{"latency_us", n.latency_s * 1e6},
          {"overhead_us", n.overhead_s * 1e6},
          {"gap_us", n.gap_s * 1e6},
          {"gap_ns_per_byte", n.gap_per_byte_s * 1e9},
          {"overhead_ns_per_byte", n.overhead_per_byte_s * 1e9}};
}

Json model_json(const Model& model, const Options& options) {
  Json json{{"schema", "kinjo-cells-model/1"},
            {"meaning", "predicted, not measured"},
            {"workload", options.workload},
            {"size", model.size},
            {"network", network_json(model.network)}};
  if (model.fit) {
    json["fit"] = {{"way", options.way},
                   {"median_error", model.fit->line.median_error},
                   {"worst_error", model.fit->line.worst_error},
                   {"sized_median_error", model.fit->sized.median},
                   {"sized_worst_error", model.fit->sized.worst}};
  }
  json["predictions"] = Json::array();
  for (const Row& row : model.rows) {
    const comm::Prediction& p = row.prediction;
    json["predictions"].push_back({{"form", row.form},
                                   {"cells", p.cells},
                                   {"message_bytes", row.bytes},
                                   {"network", network_json(row.network)},
                                   {"seconds", p.seconds},
                                   {"efficiency", p.efficiency},
                                   {"communication_share", p.communication_share}});
  }
  return json;
}

/// For people, or as CSV: then with all digits.
Table table_of(const Model& model, Format format) {
  const bool all_digits = format == Format::csv;
  std::vector<std::string> header = {"form", "cells", "seconds", "efficiency",
                                     all_digits ? "communication_share" : "communication"};
  if (all_digits) {
    header.insert(header.end(), {"message_bytes", "gap_ns_per_byte", "overhead_ns_per_byte"});
  } else if (model.fit) {
    header.insert(header.end(), {"bytes", "G, ns", "O, ns"});
  }
  Table table(header);
  const auto share_text = [&](double share) {
    return all_digits ? fmt::format("{}", share) : fmt::format("{:.1f} %", 100 * share);
  };
  for (const Row& row : model.rows) {
    const comm::Prediction& p = row.prediction;
    const auto number = [&](double value, int digits) {
      return all_digits ? fmt::format("{}", value) : fmt::format("{:.{}g}", value, digits);
    };
    std::vector<std::string> cells = {row.form, std::to_string(p.cells), number(p.seconds, 6),
                                      share_text(p.efficiency), share_text(p.communication_share)};
    if (all_digits || model.fit) {
      cells.push_back(fmt::format("{}", row.bytes));
      cells.push_back(number(row.network.gap_per_byte_s * 1e9, 4));
      cells.push_back(number(row.network.overhead_per_byte_s * 1e9, 4));
    }
    table.add(cells);
  }
  return table;
}

std::string text_of(const Model& model, const Options& options) {
  const LogGp& n = model.network;
  std::string text = fmt::format(
      "PREDICTED by LogGP, not measured: L {:.4g} us, o {:.4g} us, g {:.4g} us, G {:.4g} ns a byte",
      n.latency_s * 1e6, n.overhead_s * 1e6, n.gap_s * 1e6, n.gap_per_byte_s * 1e9);
  if (n.overhead_per_byte_s > 0) {
    text += fmt::format(", O {:.4g} ns a byte", n.overhead_per_byte_s * 1e9);
  }
  text += '\n';
  if (model.fit) {
    const auto off = [](double median, double worst) {
      return fmt::format("{:.1f} % off in the middle, {:.1f} % at worst\n", 100 * median,
                         100 * worst);
    };
    text += fmt::format("one line fitted to '{}': ", options.way) +
            off(model.fit->line.median_error, model.fit->line.worst_error) +
            "below, G and O at the size of the message; such a size from those beside it: " +
            off(model.fit->sized.median, model.fit->sized.worst);
  }
  text +=
      options.workload == "scg"
          ? fmt::format("SCG of {0} x {0} points, an iteration\n", model.size)
          : fmt::format("{0} x {0} matrices, {1:g} GFLOP/s a cell\n", model.size, options.gflops);
  return text + table_of(model, Format::text).to_text();
}

int run(const Options& options) {
  if (!options.output.file.empty()) detail::check_writable(options.output.file);
  const Model model = model_of(options);
  options.output.write(options.format == Format::json  ? json_text(model_json(model, options))
                       : options.format == Format::csv ? table_of(model, Format::csv).to_csv()
                                                       : text_of(model, options));
  return kDone;
}

void add_network(CLI::App& command, Options& options) {
  command
      .add_option("--fit", options.fit,
                  "take the network from the records of kinjo cells pingpong --format json")
      ->type_name("FILE");
  command
      .add_option("--way", options.way,
                  "the way of the ping-pong that is fitted: put, put_short, get, am, send, copy or "
                  "by_hand")
      ->capture_default_str();
  command.add_option("--latency-us", options.latency_us, "L, of the last byte on its way");
  command.add_option("--overhead-us", options.overhead_us,
                     "o, of a message at either end's processor");
  command.add_option("--gap-us", options.gap_us, "g, between messages; default: o");
  command.add_option("--gap-ns-per-byte", options.gap_ns_per_byte, "G, 1 / bandwidth");
  command.add_option("--overhead-ns-per-byte", options.overhead_ns_per_byte,
                     "O, where a put is a copy by the processor");
}

}  // namespace

void add_cells_model(CLI::App& cells, int& status) {
  auto options = std::make_shared<Options>();
  CLI::App* command =
      cells.add_subcommand("model", "Predict the multiply and SCG on many cells by LogGP");
  add_network(*command, *options);
  command->add_option("--workload", options->workload, "gemm or scg")
      ->check(CLI::IsMember({"gemm", "scg"}))
      ->capture_default_str();
  command->add_option("--cells", options->cells, "how many, a list")
      ->type_name("LIST")
      ->capture_default_str();
  command->add_option("--size", options->size, "N of matrices, or n of n x n points")
      ->type_name("SIZE")
      ->capture_default_str();
  command->add_option("--form", options->forms, "of gemm: put, get, send; a list compares them")
      ->type_name("LIST")
      ->allow_extra_args(false);
  command->add_option("--gflops", options->gflops, "of one cell that does not communicate (gemm)")
      ->capture_default_str();
  command
      ->add_option("--copy-ns-per-byte", options->copy_ns_per_byte,
                   "into or out of a buffer (--form send)")
      ->capture_default_str();
  command->add_option("--point-ns", options->point_ns, "of one point in one iteration (scg)")
      ->capture_default_str();
  command
      ->add_option(
          "--reduction", options->reduction,
          "of scg: kinjo, everyone (tells everyone) or doubling; kinjo is everyone up to 32 cells, "
          "else doubling")
      ->capture_default_str();
  add_format(*command, options->format, {Format::text, Format::json, Format::csv});
  options->output.add_to(*command);
  command->footer("Example: kinjo cells model --latency-us 20 --gap-ns-per-byte 1 --cells 16,64");
  command->callback([options, &status] { status = run(*options); });
}

}  // namespace kinjo::cli
