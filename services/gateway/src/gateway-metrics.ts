import type { Metrics } from "@keelson/base";

export type Protocol = "http" | "https";

/** Registers the gateway's metrics. Source of the statsd names: Azure/ARO-RP `pkg/gateway`. */
export function gatewayMetrics(metrics: Metrics) {
  return {
    connections: metrics.counter({
      name: "gateway_connections_total",
      help: "Connections from clusters, by protocol and action (allowed, denied).",
      labels: ["protocol", "action"],
      emits: [{ metric: "gateway.connections", value: "one" }],
    }),
    open: metrics.gauge({
      name: "gateway_connections_open",
      help: "Open connections from clusters.",
      labels: ["protocol"],
      emits: [{ metric: "gateway.connections.open", value: "observed" }],
    }),
    lastChangeFeed: metrics.gauge({
      name: "gateway_last_change_feed_seconds",
      help: "Unix time of the last database response. The gateway may not know later changes.",
      emits: [{ metric: "gateway.lastchangefeed", value: "observed" }],
    }),
    noHost: metrics.counter({
      name: "gateway_no_host_total",
      help: "TLS connections without a server name, by link ID. `unknown`: no cluster has this link ID.",
      labels: ["linkid", "action"],
      emits: [{ metric: "gateway.nohost", value: "one" }],
    }),
    heartbeat: metrics.gauge({
      name: "gateway_heartbeat",
      help: "1 after the gateway has become ready to accept connections.",
      emits: [{ metric: "gateway.heartbeat", value: "observed" }],
    }),
  };
}

export type GatewayMetrics = ReturnType<typeof gatewayMetrics>;
