import { type Static, Type } from "typebox";
import { closed, oneOf, time } from "./shape.ts";

const healthProblemSchema = closed({
  kind: oneOf(
    "UnavailableOperators",
    "DegradedOperators",
    "NotReadyNodes",
    "CriticalAlerts",
    "WarningAlerts",
  ),
  count: Type.Integer({ minimum: 1 }),
  names: Type.Array(Type.String(), { description: "the first names in alphabetical order, at most eight" }),
});
export type HealthProblem = Static<typeof healthProblemSchema>;

/** Last observation of a cluster by the monitor. */
export const clusterHealthSchema = closed({
  state: oneOf("Available", "Degraded", "Unavailable", "Unknown"),
  reason: Type.String({ description: "reason in PascalCase, for example `NodesNotReady`" }),
  since: Type.Optional(time("start time of the state")),
  observedAt: Type.Optional(time("time of the last observation. Missing without an observation")),
  staleAt: Type.Optional(time("time after which the observation is outdated")),
  apiServer: Type.Optional(
    Type.Integer({ description: "status code of the API server's `/healthz`. 0: no response" }),
  ),
  nodes: Type.Optional(Type.Integer()),
  certificateDays: Type.Optional(
    Type.Integer({ description: "whole days until the first certificate of the service expires" }),
  ),
  problems: Type.Array(healthProblemSchema),
});
export type ClusterHealth = Static<typeof clusterHealthSchema>;
