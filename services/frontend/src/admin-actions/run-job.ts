import { runJob as run, runnableJob } from "@keelson/admin-actions";
import type { JsonValue } from "@keelson/base";
import type { AdminAction } from "../admin-action.ts";
import { requiredJson } from "./required-json.ts";
import { streamLimitMs } from "./stream-limit.ts";
import { identityOf } from "./write-kubernetes-object.ts";

/** Runs a Job in the cluster and tells what it writes. */
export const runJob: AdminAction<{ readonly job: JsonValue }> = {
  method: "POST",
  suffix: "runjob",
  mutating: true,
  long: { limitMs: streamLimitMs },
  read(exchange) {
    const job = requiredJson(exchange);
    runnableJob(job);
    return { job };
  },
  recorded: ({ job }) => identityOf(job),
  handle: async (context, { job }) => ({ status: 200, text: run(context, job) }),
};
