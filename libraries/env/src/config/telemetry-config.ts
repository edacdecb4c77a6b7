import { type Static, Type } from "typebox";

const closed = { additionalProperties: false };

/** Destinations of metrics and traces, in addition to the Prometheus endpoint. */
export const telemetrySchema = Type.Object(
  {
    statsd: Type.Optional(
      Type.Object(
        {
          address: Type.String({
            pattern: "^(unix|udp):.+",
            description: "unix:{path of a stream socket} or udp:{host}:{port}",
          }),
          format: Type.Union([Type.Literal("geneva"), Type.Literal("tags")], {
            default: "geneva",
            description:
              "format of the lines. `geneva`: JSON, for Azure's agents. `tags`: plain statsd gauges with the tags of DogStatsD, for example for Telegraf or statsd_exporter; without account and namespace",
          }),
          account: Type.String({ default: "*", description: "account of the metrics" }),
          namespace: Type.String({ default: "*", description: "namespace of the metrics" }),
          clusters: Type.Object(
            {
              account: Type.String({ default: "*", description: "account of the metrics about clusters" }),
              namespace: Type.String({
                default: "*",
                description: "namespace of the metrics about clusters",
              }),
            },
            { ...closed, default: {}, description: "metrics about clusters, which the monitor sends" },
          ),
          environment: Type.Optional(
            Type.String({ description: "dimension Environment of every metric, for example int or prod" }),
          ),
        },
        closed,
      ),
    ),
    metrics: Type.Optional(
      Type.Object(
        {
          url: Type.String({
            pattern: "^https?://",
            description:
              "collector of OpenTelemetry metrics (OTLP over HTTP), for example http://localhost:4318/v1/metrics",
          }),
          clusters: Type.Optional(
            Type.String({
              pattern: "^https?://",
              description: "collector of the metrics about clusters, which the monitor sends. Default: `url`",
            }),
          ),
          environment: Type.Optional(
            Type.String({ description: "attribute deployment.environment.name of every metric" }),
          ),
        },
        closed,
      ),
    ),
    traces: Type.Optional(
      Type.Object(
        {
          url: Type.String({
            pattern: "^https?://",
            description:
              "collector of OpenTelemetry traces (OTLP over HTTP), for example http://localhost:4318/v1/traces",
          }),
          sampleRatio: Type.Number({
            minimum: 0,
            maximum: 1,
            default: 1,
            description: "share of sampled traces, 0 to 1, for traces that start in the service",
          }),
        },
        closed,
      ),
    ),
  },
  {
    ...closed,
    default: {},
    description: "receivers of metrics and traces in addition to the Prometheus endpoint",
  },
);

export type TelemetryConfig = Static<typeof telemetrySchema>;
