import { type Static, Type } from "typebox";
import { clusterSummarySchema } from "./clusters.ts";
import { closed } from "./shape.ts";

/**
 * `GET /api/events` as server-sent events. The name of an event is `cluster` (it is new, or changed), `removed` (it is gone),
 * `operation` (how far the one under way is) or `resync`: what was missed is not known, so read everything again. It comes
 * first on each connection.
 */
export const portalEventSchemas = {
  resync: closed({}),
  cluster: clusterSummarySchema,
  removed: closed({ resourceId: Type.String() }),
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
