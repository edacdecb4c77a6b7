import type { Metrics } from "@keelson/base";

export type Protocol = "http" | "https";

/** Registers the gateway's metrics. Source of the statsd names: Azure/ARO-RP `pkg/gateway`. */
export function gatewayMetrics(metrics: Metrics) {
  return {
    connections: metrics.counter({
      name: "gateway_connections_total",
      help: "Connections of clusters, by what became of them.",
      labels: ["protocol", "action"],
      emits: [{ metric: "gateway.connections", value: "one" }],
    }),
    open: metrics.gauge({
      name: "gateway_connections_open",
      help: "Connections of clusters that are open now.",
      labels: ["protocol"],
      emits: [{ metric: "gateway.connections.open", value: "observed" }],
    }),
    lastChangeFeed: metrics.gauge({
      name: "gateway_last_change_feed_seconds",
      help: "When the database last answered, in seconds since 1970: what is older is not known here.",
      emits: [{ metric: "gateway.lastchangefeed", value: "observed" }],
    }),
    noHost: metrics.counter({
      name: "gateway_no_host_total",
      help: "TLS connections that named no host, by link; `unknown` where no cluster has it.",
      labels: ["linkid", "action"],
      emits: [{ metric: "gateway.nohost", value: "one" }],
    }),
    heartbeat: metrics.gauge({
      name: "gateway_heartbeat",
      help: "1 while the gateway takes connections.",
      emits: [{ metric: "gateway.heartbeat", value: "observed" }],
    }),
  };
}

export type GatewayMetrics = ReturnType<typeof gatewayMetrics>;
