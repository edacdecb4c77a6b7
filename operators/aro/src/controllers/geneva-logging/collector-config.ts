import { stringify } from "yaml";
import { filtersOf } from "./log-filters.ts";
import { fromEnvironment, recordStatements } from "./log-records.ts";
import { sourcesOf } from "./log-sources.ts";
import type { ExporterRole } from "./names.ts";
import type { Profile } from "./profile.ts";

const exporter = "otlp_grpc/gateway";
const storage = "file_storage";
const records = "transform/records";
const common = "attributes/common";
const labels = (source: string) => `attributes/${source}`;

/** Returns the collector configuration for the nodes of a role (Azure/ARO-RP docs/otel-geneva-logging.md). */
export function collectorConfig(profile: Profile, role: ExporterRole): string {
  const sources = sourcesOf(profile, role).map((source) => ({
    ...source,
    filters: filtersOf(profile, source.name, role),
  }));
  const filters = sources.flatMap((source) => source.filters);
  const configuration = {
    receivers: Object.fromEntries(sources.map(({ receiver, settings }) => [receiver, settings])),
    processors: {
      memory_limiter: { check_interval: "1s", limit_percentage: 80, spike_limit_percentage: 15 },
      ...Object.fromEntries(
        filters.map(({ name, drops }) => [name, { error_mode: "ignore", logs: { log_record: drops } }]),
      ),
      [records]: {
        error_mode: "ignore",
        log_statements: [{ context: "log", statements: recordStatements }],
      },
      [common]: { actions: [{ key: "Environment", action: "delete" }] },
      ...Object.fromEntries(sources.map(({ name }) => [labels(name), { actions: labelsOf(name) }])),
      batch: { timeout: "10s", send_batch_size: 2_048, send_batch_max_size: 4_096 },
    },
    extensions: {
      health_check: { endpoint: "0.0.0.0:13133" },
      [storage]: { directory: "/var/lib/otelcol/file_storage" },
    },
    exporters: {
      [exporter]: {
        endpoint: fromEnvironment("GENEVA_GATEWAY_ENDPOINT"),
        compression: "gzip",
        retry_on_failure: { enabled: true },
        // The queues are on disk, so that an unavailable gateway does not fill the node's memory.
        sending_queue: { enabled: true, queue_size: 1_200, num_consumers: 2, storage },
      },
    },
    service: {
      telemetry: {
        metrics: {
          level: "basic",
          readers: [{ pull: { exporter: { prometheus: { host: "0.0.0.0", port: 8_888 } } } }],
        },
      },
      extensions: ["health_check", storage],
      pipelines: Object.fromEntries(
        sources.map(({ name, receiver, filters }) => [
          `logs/${name}`,
          {
            receivers: [receiver],
            processors: [
              "memory_limiter",
              ...filters.map((filter) => filter.name),
              records,
              common,
              labels(name),
              "batch",
            ],
            exporters: [exporter],
          },
        ]),
      ),
    },
  };
  return stringify(configuration, { lineWidth: 0, aliasDuplicateObjects: false });
}

function labelsOf(source: string) {
  return ["source_name", "EventName"].map((key) => ({ key, value: source, action: "upsert" }));
}
