import { createHash } from "node:crypto";
import { crc32 } from "node:zlib";
import type { ResourceKey } from "@keelson/arm";
import { parseGoDuration } from "@keelson/base";
import { type Calendar, type MaintenanceSchedule, nextTime, parseCalendar } from "@keelson/model";

/** Parsed schedule. */
export interface Plan {
  readonly calendar: Calendar;
  readonly acrossMs: number;
  readonly lookForwardCount: number;
}

/**
 * @throws Error for a stored schedule that cannot be parsed. Schedules are validated, so an older build wrote it
 */
export function planOf({ schedule, scheduleAcross, lookForwardCount }: MaintenanceSchedule): Plan {
  const calendar = parseCalendar(schedule);
  if (calendar.kind === "problem") throw new Error(calendar.message);
  const across = parseGoDuration(scheduleAcross);
  if (across.kind === "problem") throw new Error(across.message);
  return { calendar: calendar.calendar, acrossMs: Math.max(0, across.ms), lookForwardCount };
}

const secondMs = 1000;

/**
 * Returns the time of a cluster within each period, in milliseconds from the start. It is constant for a cluster
 * and a length (Azure/ARO-RP pkg/mimo/scheduler/manager.go). The last second is omitted, so that the value is
 * less than `acrossMs`.
 */
export function offsetMs(cluster: ResourceKey, acrossMs: number): number {
  if (acrossMs <= secondMs) return 0;
  const share = crc32(cluster) / 0xffff_ffff;
  return Math.round(((acrossMs - secondMs) * share) / secondMs) * secondMs;
}

/** Returns the starts of the coming periods with manifests, at least one if a period exists. */
export function comingPeriods({ calendar, lookForwardCount }: Plan, now: Date): readonly Date[] {
  const periods: Date[] = [];
  let time = nextTime(calendar, now);
  while (time && periods.length < Math.max(1, lookForwardCount)) {
    periods.push(time);
    time = nextTime(calendar, time);
  }
  return periods;
}

/**
 * Returns the future times of a cluster in periods that have begun, in the format of `runAfter`. No new manifest
 * is created for them.
 */
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

/** Manifest that waits for its time. */
export interface FutureManifest {
  readonly id: string;
  /** Seconds since 1970, like those of manifests. */
  readonly runAfter: number;
}

export interface Changes {
  /** `runAfter` of the manifests to create. */
  readonly create: readonly number[];
  /** IDs of the manifests to cancel. */
  readonly cancel: readonly string[];
}

/**
 * Computes the changes that make a cluster's future manifests match its schedule. Manifests of a period that has
 * begun remain if the schedule still includes them, but no new one is created for it.
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

/**
 * Returns the UUID of the manifest of a cluster document, schedule and time. Concurrent schedulers compute the
 * same ID, so it is created once.
 */
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
