import { type Static, Type } from "typebox";

/** Of the monitor of clusters. */
export const monitorSchema = Type.Object(
  {
    podNamespaces: Type.Optional(
      Type.Array(Type.String({ pattern: "^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$" }), {
        description: "namespaces of watched pods, instead of those of the platform",
      }),
    ),
    everyMs: Type.Integer({
      minimum: 1_000,
      maximum: 3_600_000,
      default: 60_000,
      description: "time between two passes over a cluster",
    }),
    concurrentPasses: Type.Integer({
      minimum: 1,
      maximum: 1_024,
      default: 64,
      description: "passes at work at the same time; those that wait for their cluster do not count",
    }),
    leaseMs: Type.Integer({
      minimum: 1_000,
      maximum: 3_600_000,
      default: 60_000,
      description: "a silent monitor loses its clusters to the others after this",
    }),
    heartbeatMs: Type.Integer({
      minimum: 100,
      maximum: 1_800_000,
      default: 10_000,
      description: "time between its signs of life; half of the lease at most",
    }),
  },
  {
    additionalProperties: false,
    description: "what the monitor watches, how often, and how monitors share the clusters",
  },
);

type MonitorConfig = Static<typeof monitorSchema>;

/** What its members may not say beside each other. */
export function monitorProblems(monitor: unknown): readonly string[] {
  const { leaseMs, heartbeatMs }: Partial<MonitorConfig> = Object(monitor);
  if (typeof leaseMs !== "number" || typeof heartbeatMs !== "number" || heartbeatMs * 2 <= leaseMs) return [];
  return [
    "/monitor/heartbeatMs must be at most half of /monitor/leaseMs: one sign of life that fails would lose clusters",
  ];
}
