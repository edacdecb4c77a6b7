import { isPlainObject } from "@keelson/base";
import type { Operation } from "./operations.ts";
import type { Subscription } from "./subscription.ts";

const prefix = "RESOURCEGROUPDELETIONJOB-";

/** Returns a group's deletion job as clients receive it: operation ID and location in JSON, encoded as base64url. */
export function groupJobOf({ locations }: Pick<Subscription, "locations">, { id }: Operation): string {
  const job = { jobId: `${prefix}${id}`, jobLocation: locations[0] ?? "global" };
  return Buffer.from(JSON.stringify(job)).toString("base64url");
}

/** Returns the operation ID that a group deletion job contains. If the string is not a job, returns the string unchanged. */
export function operationIdOf(job: string): string {
  try {
    const value: unknown = JSON.parse(Buffer.from(job, "base64url").toString());
    const id = isPlainObject(value) ? value.jobId : undefined;
    return typeof id === "string" && id.startsWith(prefix) ? id.slice(prefix.length) : job;
  } catch {
    return job;
  }
}
