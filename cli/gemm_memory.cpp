#include "gemm_memory.hpp"

#include <fmt/format.h>
#include <kinjo/simd.hpp>

#include "base/text.hpp"
#include "progress.hpp"
#include "report/configuration.hpp"
#include "report/gemm_text.hpp"
#include "report/json.hpp"
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
  return fmt::format("Products of matrices of {}s, {}; medians{}\n", options.precision,
                     to_string(simd_level()), rounds_text(options.repeat));
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
  add_measured(command,
               "measure products of N × N matrices in memory, or of C (M × N) = A (M × K) · B "
               "(K × N), e.g. 2048,4096 or 100000x64x64 (K, M and G are powers of 1024)",
               "--precision");
}

int run_gemm_memory(const GemmMemoryOptions& options) {
  options.check_files();
  const Topology& machine = Topology::this_machine();
  const GemmRequest request = request_of(options, machine);
  note(fmt::format("the matrices take {} of memory",
                   detail::format_bytes(gemm_memory(machine, request))));
  const std::vector<Record> records = measure(request, machine);
  return finish(
      options, records, request.configurations, machine,
      {render(records, options, machine), name_of, "Products of matrices beside their limit"});
}

}  // namespace kinjo::cli
