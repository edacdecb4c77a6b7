import { type Static, Type } from "typebox";
import { clusterSummarySchema } from "./clusters.ts";
import { clusterHealthSchema } from "./health.ts";
import { closed } from "./shape.ts";

/**
 * `GET /api/events` as server-sent events. Event names are `cluster` (new or changed), `removed` (deleted),
 * `health` (the monitor observed the cluster), `operation` (progress of the active operation) and `resync`:
 * events may have been missed, so read everything again. It is the first event of each connection.
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
    resourceId: Type.String({ description: "of the cluster, lower case" }),
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
