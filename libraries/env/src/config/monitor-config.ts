import { type Static, Type } from "typebox";

/** Configuration of the cluster monitor. */
export const monitorSchema = Type.Object(
  {
    podNamespaces: Type.Optional(
      Type.Array(Type.String({ pattern: "^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$" }), {
        description: "namespaces of watched pods. Default: the namespaces of the platform",
      }),
    ),
    everyMs: Type.Integer({
      minimum: 1_000,
      maximum: 3_600_000,
      default: 60_000,
      description: "time between two collections from a cluster",
    }),
    concurrentPasses: Type.Integer({
      minimum: 1,
      maximum: 1_024,
      default: 64,
      description:
        "maximum number of concurrent collections. A collection does not count while it waits for a response of its cluster",
    }),
    leaseMs: Type.Integer({
      minimum: 1_000,
      maximum: 3_600_000,
      default: 60_000,
      description: "time without a heartbeat after which other monitors acquire the clusters of a monitor",
    }),
    heartbeatMs: Type.Integer({
      minimum: 100,
      maximum: 1_800_000,
      default: 10_000,
      description: "time between heartbeats, at most half of leaseMs",
    }),
  },
  {
    additionalProperties: false,
    description: "settings of the cluster monitor",
  },
);

type MonitorConfig = Static<typeof monitorSchema>;

/** Returns contradictions between the fields of `monitor`. */
export function monitorProblems(monitor: unknown): readonly string[] {
  const { leaseMs, heartbeatMs }: Partial<MonitorConfig> = Object(monitor);
  if (typeof leaseMs !== "number" || typeof heartbeatMs !== "number" || heartbeatMs * 2 <= leaseMs) return [];
  return [
    "/monitor/heartbeatMs must be at most half of /monitor/leaseMs: otherwise one failed heartbeat would lose clusters",
  ];
}
