import { type Static, Type } from "typebox";
import { closed, time } from "./shape.ts";

const text = Type.String();

/** Firing alert of a cluster. Its strings come from the cluster and are untrusted. */
const firingAlertSchema = closed({
  name: text,
  severity: Type.String({ description: "empty if the alert has none" }),
  namespace: Type.String({ description: "empty if the alert has none" }),
  summary: text,
  description: text,
  runbookUrl: Type.Optional(Type.String({ pattern: "^https://" })),
  since: Type.Optional(time("start of the alert")),
  labels: Type.Record(text, text),
});
export type FiringAlert = Static<typeof firingAlertSchema>;

export const clusterAlertsSchema = closed({
  total: Type.Integer({ minimum: 0, description: "number of firing alerts" }),
  alerts: Type.Array(firingAlertSchema, { maxItems: 500 }),
});
export type ClusterAlerts = Static<typeof clusterAlertsSchema>;
