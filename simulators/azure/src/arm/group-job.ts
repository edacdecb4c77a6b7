import { isPlainObject } from "@keelson/base";
import type { Operation } from "./operations.ts";
import type { Subscription } from "./subscription.ts";

const prefix = "RESOURCEGROUPDELETIONJOB-";

/** The job of a group's deletion as clients see it: base64 of its ID and location. */
export function groupJobOf({ locations }: Pick<Subscription, "locations">, { id }: Operation): string {
  const job = { jobId: `${prefix}${id}`, jobLocation: locations[0] ?? "global" };
  return Buffer.from(JSON.stringify(job)).toString("base64url");
}

/** ID of the operation that a job contains, or `job` itself if it is not a job. */
export function operationIdOf(job: string): string {
  try {
    const value: unknown = JSON.parse(Buffer.from(job, "base64url").toString());
    const id = isPlainObject(value) ? value.jobId : undefined;
    return typeof id === "string" && id.startsWith(prefix) ? id.slice(prefix.length) : job;
  } catch {
    return job;
  }
}
