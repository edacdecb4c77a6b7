import type {
  ActionView,
  Activity,
  MaintenanceManifestView,
  OperationView,
  SessionView,
} from "@keelson/portal-api";

type Entry = Activity["activity"][number];

const mostEntries = 500;

export interface ActivitySources {
  readonly operations: readonly OperationView[];
  readonly actions: readonly ActionView[];
  readonly manifests: readonly MaintenanceManifestView[];
  readonly sessions: readonly SessionView[];
}

/** Merges the entries of all sources into one history of the cluster, newest first. */
export function activityOf({ operations, actions, manifests, sessions }: ActivitySources): Activity {
  const entries: Entry[] = [
    ...operations.map(({ id, startTime, kind, state }): Entry => {
      return { at: startTime, kind: "operation", title: kind, state, id };
    }),
    ...actions.map(({ id, startedAt, action, state, caller }): Entry => {
      const who = caller === "" ? {} : { who: caller };
      return { at: startedAt, kind: "action", title: action, state, ...who, id };
    }),
    ...manifests.map(({ id, runAfter, taskName, state, createdBySchedule }): Entry => {
      const who = createdBySchedule === undefined ? {} : { who: `schedule ${createdBySchedule}` };
      return { at: runAfter, kind: "maintenance", title: taskName, state, ...who, id };
    }),
    ...sessions.map((session): Entry => {
      const { id, createdAt, kind, elevated, master, used, username } = session;
      const title = kind === "ssh" ? `SSH to master-${master}` : `kubeconfig${elevated ? ", elevated" : ""}`;
      return {
        at: createdAt,
        kind: "session",
        title,
        state: used === true ? "Used" : "Open",
        who: username,
        id,
      };
    }),
  ];
  entries.sort((a, b) => Date.parse(b.at) - Date.parse(a.at));
  return { activity: entries.slice(0, mostEntries) };
}
