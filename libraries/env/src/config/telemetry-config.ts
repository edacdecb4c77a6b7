import { type Static, Type } from "typebox";

const closed = { additionalProperties: false };

/** Where figures and traces go, beside the Prometheus port. */
export const telemetrySchema = Type.Object(
  {
    statsd: Type.Optional(
      Type.Object(
        {
          address: Type.String({
            pattern: "^(unix|udp):.+",
            description: "unix:{path of a stream socket} or udp:{host}:{port}",
          }),
          account: Type.String({ default: "*", description: "account that the figures belong to" }),
          namespace: Type.String({ default: "*", description: "namespace that the figures belong to" }),
          clusters: Type.Object(
            {
              account: Type.String({ default: "*", description: "account of the figures about clusters" }),
              namespace: Type.String({
                default: "*",
                description: "namespace of the figures about clusters",
              }),
            },
            { ...closed, default: {}, description: "figures about clusters, which the monitor sends" },
          ),
          environment: Type.Optional(
            Type.String({ description: "dimension Environment of every figure, for example int or prod" }),
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
            Type.String({ description: "attribute deployment.environment.name of every figure" }),
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
            description: "share of the traces that begin here and are kept",
          }),
        },
        closed,
      ),
    ),
  },
  { ...closed, default: {}, description: "where figures and traces go, beside the Prometheus port" },
);

export type TelemetryConfig = Static<typeof telemetrySchema>;
