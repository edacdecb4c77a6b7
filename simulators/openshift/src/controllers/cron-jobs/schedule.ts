import type { KubeObject } from "@keelson/apiserver";
import { numberAt, stringAt } from "@keelson/base";
import { Cron } from "croner";

export type Due =
  | { readonly kind: "valid"; readonly missed: Date | undefined; readonly next: Date | undefined }
  | { readonly kind: "invalid"; readonly message: string };

/** Maximum number of missed times that are computed one by one. */
const maxMissed = 100;

/** Returns the latest missed time and the next scheduled time. A time is missed if it has no Job. */
export function dueTime(cronJob: KubeObject, now: Date): Due {
  const schedule = stringAt(cronJob, "spec", "schedule") ?? "";
  const timezone = stringAt(cronJob, "spec", "timeZone") ?? "UTC";
  let cron: Cron;
  try {
    cron = new Cron(schedule, { timezone, mode: "5-part" });
  } catch (error) {
    return { kind: "invalid", message: `unparseable schedule ${JSON.stringify(schedule)}: ${String(error)}` };
  }
  const deadline = numberAt(cronJob, "spec", "startingDeadlineSeconds");
  const created = Date.parse(cronJob.metadata.creationTimestamp ?? "") || now.getTime();
  const last = Date.parse(stringAt(cronJob, "status", "lastScheduleTime") ?? "") || created;
  const from = deadline === undefined ? last : Math.max(last, now.getTime() - deadline * 1_000);
  let missed: Date | undefined;
  let next = cron.nextRun(new Date(from));
  for (let count = 0; next && next <= now; count++) {
    missed = next;
    // After `maxMissed` missed times, skips all times that are more than an hour before the current time.
    next = cron.nextRun(count < maxMissed ? next : new Date(now.getTime() - 60_000 * 60));
    if (count > 2 * maxMissed) next = cron.nextRun(now);
  }
  return { kind: "valid", missed, next: next ?? undefined };
}
