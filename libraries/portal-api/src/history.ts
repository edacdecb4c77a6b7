import { type Static, Type } from "typebox";
import { closed, oneOf, time } from "./shape.ts";

const text = Type.String();

/** Schema of a maintenance manifest. A manifest is one task for the cluster. */
const maintenanceManifestSchema = closed({
  id: text,
  task: text,
  taskName: Type.String({
    description: "name of the task, or its ID if this release does not have the task",
  }),
  state: text,
  statusText: text,
  priority: Type.Integer(),
  runAfter: time("earliest start"),
  runBefore: Type.Optional(time("latest start")),
  createdBySchedule: Type.Optional(text),
});
export type MaintenanceManifestView = Static<typeof maintenanceManifestSchema>;
export const maintenanceSchema = closed({
  manifests: Type.Array(maintenanceManifestSchema),
  tasks: Type.Array(closed({ id: text, name: text }), { description: "tasks that can be planned, by name" }),
});
export type Maintenance = Static<typeof maintenanceSchema>;

/** Administrator's action on the cluster through the admin API. Its output is omitted. */
const actionSchema = closed({
  id: text,
  action: text,
  caller: text,
  state: oneOf("Running", "Succeeded", "Failed", "Interrupted"),
  startedAt: time("start of the action"),
  endedAt: Type.Optional(time("end of the action. Missing while the action runs")),
  parameters: Type.Record(text, Type.Unknown()),
  correlationId: Type.Optional(text),
});
export type ActionView = Static<typeof actionSchema>;
export const actionsSchema = closed({ actions: Type.Array(actionSchema) });
export type Actions = Static<typeof actionsSchema>;

/** Session through which an administrator accesses the cluster. The session's ID does not grant access. */
const sessionSchema = closed({
  id: text,
  kind: oneOf("kubeconfig", "ssh"),
  username: text,
  cluster: Type.String({ description: "resource ID, lower case" }),
  elevated: Type.Boolean(),
  master: Type.Optional(Type.Integer({ description: "number of the master, for SSH sessions" })),
  used: Type.Optional(
    Type.Boolean({ description: "true if the SSH password has been used. It is valid for one connection" }),
  ),
  createdAt: time("start of the session"),
  expiresAt: time("expiry time of the session"),
});
export type SessionView = Static<typeof sessionSchema>;
export const sessionsSchema = closed({ sessions: Type.Array(sessionSchema) });
export type Sessions = Static<typeof sessionsSchema>;

/** History of the cluster from all sources, newest first. */
export const activitySchema = closed({
  activity: Type.Array(
    closed({
      at: time("start of the event"),
      kind: oneOf("operation", "action", "maintenance", "session"),
      title: text,
      state: text,
      who: Type.Optional(text),
      id: text,
    }),
  ),
});
export type Activity = Static<typeof activitySchema>;
