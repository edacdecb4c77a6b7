import { type Static, Type } from "typebox";
import { clusterSummarySchema } from "./clusters.ts";
import { clusterHealthSchema } from "./health.ts";
import { closed } from "./shape.ts";

/**
 * Schemas of the server-sent events of `GET /api/events`, by name.
 * - `cluster`: a new or changed cluster.
 * - `removed`: a deleted cluster.
 * - `health`: an observation by the monitor.
 * - `operation`: progress of an operation.
 * - `resync`: the client must read all data again. Each connection begins with this event. It is also sent after lost
 *   events.
 */
export const portalEventSchemas = {
  resync: closed({}),
  cluster: clusterSummarySchema,
  removed: closed({ resourceId: Type.String() }),
  health: closed({
    resourceId: Type.String({ description: "lower case" }),
    health: clusterHealthSchema,
  }),
  operation: closed({
    resourceId: Type.String({ description: "resource ID of the cluster, lower case" }),
    id: Type.String(),
    kind: Type.String(),
    state: Type.String(),
    percentComplete: Type.Optional(Type.Number()),
    currentSteps: Type.Array(Type.String()),
  }),
};
export type PortalEvents = {
  [Name in keyof typeof portalEventSchemas]: Static<(typeof portalEventSchemas)[Name]>;
};
