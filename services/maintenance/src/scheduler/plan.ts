import { createHash } from "node:crypto";
import { crc32 } from "node:zlib";
import type { ResourceKey } from "@keelson/arm";
import { parseGoDuration } from "@keelson/base";
import { type Calendar, type MaintenanceSchedule, nextTime, parseCalendar } from "@keelson/model";

/** A schedule as the scheduler computes with it. */
export interface Plan {
  readonly calendar: Calendar;
  readonly acrossMs: number;
  readonly lookForwardCount: number;
}

/** @throws Error when what is stored cannot be read: it was validated, so an older build wrote it */
export function planOf({ schedule, scheduleAcross, lookForwardCount }: MaintenanceSchedule): Plan {
  const calendar = parseCalendar(schedule);
  if (calendar.kind === "problem") throw new Error(calendar.message);
  const across = parseGoDuration(scheduleAcross);
  if (across.kind === "problem") throw new Error(across.message);
  return { calendar: calendar.calendar, acrossMs: Math.max(0, across.ms), lookForwardCount };
}

const secondMs = 1000;

/**
 * Where in each period a cluster has its place, in milliseconds from the start: always the same for a cluster and a
 * length (Azure/ARO-RP pkg/mimo/scheduler/manager.go). The last second is left out, so that it is less than
 * `acrossMs`.
 */
export function offsetMs(cluster: ResourceKey, acrossMs: number): number {
  if (acrossMs <= secondMs) return 0;
  const share = crc32(cluster) / 0xffff_ffff;
  return Math.round(((acrossMs - secondMs) * share) / secondMs) * secondMs;
}

/** The starts of the coming periods that have their manifests already; at least one, if there is any. */
export function comingPeriods({ calendar, lookForwardCount }: Plan, now: Date): readonly Date[] {
  const periods: Date[] = [];
  let time = nextTime(calendar, now);
  while (time && periods.length < Math.max(1, lookForwardCount)) {
    periods.push(time);
    time = nextTime(calendar, time);
  }
  return periods;
}

/** The times of a cluster, still to come, in periods that have begun; like `runAfter`. None is made for them any more. */
export function begunTimes({ calendar, acrossMs }: Plan, cluster: ResourceKey, now: Date): readonly number[] {
  const offset = offsetMs(cluster, acrossMs);
  const times: number[] = [];
  let start = nextTime(calendar, new Date(now.getTime() - offset));
  while (start && start <= now) {
    times.push((start.getTime() + offset) / secondMs);
    start = nextTime(calendar, start);
  }
  return times;
}

/** A manifest that waits for its time. */
export interface FutureManifest {
  readonly id: string;
  /** Seconds since 1970, like those of manifests. */
  readonly runAfter: number;
}

export interface Changes {
  /** The `runAfter` of the manifests to make. */
  readonly create: readonly number[];
  /** The IDs of those to cancel. */
  readonly cancel: readonly string[];
}

/**
 * What makes the future manifests of one cluster those of its schedule. Manifests of a period that has begun stay,
 * if the schedule still has it, but none is made for it any more.
 */
export function planManifests(
  plan: Plan,
  cluster: ResourceKey,
  present: readonly FutureManifest[],
  now: Date,
): Changes {
  const offset = offsetMs(cluster, plan.acrossMs);
  const wanted = new Set(comingPeriods(plan, now).map((start) => (start.getTime() + offset) / secondMs));
  const create = [...wanted].filter((time) => !present.some(({ runAfter }) => runAfter === time));
  const isKept = ({ runAfter }: FutureManifest) => {
    if (wanted.has(runAfter)) return true;
    const start = runAfter * secondMs - offset;
    return start <= now.getTime() && nextTime(plan.calendar, new Date(start - 1))?.getTime() === start;
  };
  const superfluous = present.filter((each, index) => {
    const isRepeated = present.findIndex(({ runAfter }) => runAfter === each.runAfter) < index;
    return isRepeated || !isKept(each);
  });
  return { create, cancel: superfluous.map(({ id }) => id) };
}

/** The ID of the manifest of one cluster document, schedule and time: two schedulers make the same one, once. A UUID. */
export function manifestId(scheduleId: string, clusterDocumentId: string, runAfter: number): string {
  const hash = createHash("sha256").update(`${scheduleId}\n${clusterDocumentId}\n${runAfter}`).digest("hex");
  const variant = "89ab"[Number.parseInt(hash.slice(16, 17), 16) % 4];
  return [
    hash.slice(0, 8),
    hash.slice(8, 12),
    `8${hash.slice(13, 16)}`,
    `${variant}${hash.slice(17, 20)}`,
    hash.slice(20, 32),
  ].join("-");
}
