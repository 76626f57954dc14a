#include "gemm_memory.hpp"

#include <fmt/format.h>
#include <kinjo/simd.hpp>

#include "base/text.hpp"
#include "base/whole_file.hpp"
#include "progress.hpp"
#include "report/configuration.hpp"
#include "report/gemm_text.hpp"
#include "report/json.hpp"
#include "report_file.hpp"
#include "workload/gemm.hpp"

namespace kinjo::cli {

namespace {

GemmRequest request_of(const GemmMemoryOptions& options, const Topology& machine) {
  GemmRequest request;
  request.configurations = options.configurations.mappings_or_alone(machine);
  for (const std::string& size : parts_of(options.sizes)) {
    request.shapes.push_back(parse_gemm_shape(size));
  }
  if (!options.plans.empty()) request.plans = parts_of(options.plans);
  request.settings = {
      .precision = options.precision == "float" ? Precision::single_ : Precision::double_,
      .pages = parse_pages(options.pages),
      .bind = parse_bind_level(options.configurations.bind),
      .verify = options.verify};
  request.rounds = options.repeat;
  return request;
}

std::string header(const GemmMemoryOptions& options) {
  return fmt::format("Products of matrices of {}s, {}; medians of {} round{}\n", options.precision,
                     to_string(simd_level()), options.repeat, options.repeat == 1 ? "" : "s");
}

std::string render(const std::vector<Record>& records, const GemmMemoryOptions& options,
                   const Topology& machine) {
  if (options.format == Format::json) return json_text(records_json(records, machine));
  if (options.format == Format::csv) return gemm_csv(records).to_csv();
  return header(options) + gemm_table(records).to_text() +
         "\nWhat the plans move, as they predict it:\n" + gemm_plans_table(records).to_text();
}

std::vector<Record> measure(const GemmRequest& request, const Topology& machine) {
  ProgressBar bar;
  return run_gemm(machine, request, [&](const Progress& p) { bar.show(p); });
}

std::string name_of(const Record& record) {
  return fmt::format("{} by {}", *value_text_of(record.parameters, "size"),
                     *value_text_of(record.parameters, "plan"));
}

}  // namespace

void GemmMemoryOptions::add_to(CLI::App& command) {
  command
      .add_option("--size", sizes,
                  "measure products of N × N matrices in memory, or of C (M × N) = A (M × K) · B "
                  "(K × N), e.g. 2048,4096 or 100000x64x64 (K, M and G are powers of 1024)")
      ->type_name("LIST")
      ->allow_extra_args(false);
  command.add_option("--precision", precision, "double or float")
      ->check(CLI::IsMember({"double", "float"}))
      ->capture_default_str();
  add_pages(command, pages);
  command.add_option("--repeat", repeat, "rounds, each a sample of everything")
      ->check(CLI::Range(1, 10000))
      ->capture_default_str();
  command.add_option("--report", report, "also write a page with figures")->type_name("FILE.html");
}

int run_gemm_memory(const GemmMemoryOptions& options) {
  for (const std::string& file : {options.report, options.output.file}) {
    if (!file.empty()) detail::check_writable(file);
  }
  const Topology machine = Topology::discover();
  const GemmRequest request = request_of(options, machine);
  note(fmt::format("the matrices take {} of memory",
                   detail::format_bytes(gemm_memory(machine, request))));
  const std::vector<Record> records = measure(request, machine);
  options.output.write(render(records, options, machine));
  note_faults(records, name_of);
  if (!options.report.empty()) {
    write_report("Products of matrices beside their limit", records, request.configurations,
                 machine, options.report);
  }
  return status_of(records);
}

}  // namespace kinjo::cli
