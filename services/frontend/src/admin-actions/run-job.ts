import { runJob as run, runnableJob } from "@keelson/admin-actions";
import { type JsonValue, listAt, redactText } from "@keelson/base";
import { requiredJson, streamLimitMs } from "./parameters.ts";
import type { AdminAction } from "./running/admin-action.ts";
import { identityOf } from "./write-kubernetes-object.ts";

/** Runs a Job in the cluster and streams its log. */
export const runJob: AdminAction<{ readonly job: JsonValue }> = {
  method: "POST",
  suffix: "runjob",
  mutating: true,
  long: { limitMs: streamLimitMs },
  read(request) {
    const job = requiredJson(request);
    runnableJob(job);
    return { job };
  },
  recorded: ({ job }) => ({ ...identityOf(job), commands: commandsOf(job) }),
  handle: async (context, { job }) => ({ status: 200, text: run(context, job) }),
};

/** What the Job runs; arguments may hold passwords. */
function commandsOf(job: JsonValue): readonly string[] {
  return listAt(job, "spec", "template", "spec", "containers").map((container) =>
    redactText([...listAt(container, "command"), ...listAt(container, "args")].map(String).join(" ")),
  );
}
