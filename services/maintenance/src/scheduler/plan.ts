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
 * Parses a stored schedule.
 * @throws Error for an invalid schedule, which only an earlier build can have stored
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
 * Returns a cluster's offset from the start of each period, in milliseconds. The offset depends only on the cluster and on
 * `acrossMs`. It is a multiple of one second, and at most `acrossMs` minus one second. Source: Azure/ARO-RP
 * pkg/mimo/scheduler/manager.go.
 */
export function offsetMs(cluster: ResourceKey, acrossMs: number): number {
  if (acrossMs <= secondMs) return 0;
  const share = crc32(cluster) / 0xffff_ffff;
  return Math.round(((acrossMs - secondMs) * share) / secondMs) * secondMs;
}

/**
 * Returns the start times of the next `lookForwardCount` periods, which receive manifests. If `lookForwardCount` is 0, returns
 * the start time of the next period.
 */
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
 * Returns a cluster's future `runAfter` times in periods that have already started. No new manifests are created for these times.
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

/** Manifest scheduled for a future time. */
export interface FutureManifest {
  readonly id: string;
  /** Unix time in seconds, like `runAfter` of stored manifests. */
  readonly runAfter: number;
}

export interface Changes {
  /** `runAfter` times of the manifests to create. */
  readonly create: readonly number[];
  /** IDs of the manifests to cancel. */
  readonly cancel: readonly string[];
}

/**
 * Computes the changes that align a cluster's future manifests with its schedule. In a period that has already started, manifests
 * that match the schedule are kept, but no manifests are added.
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
 * Returns a deterministic manifest UUID for a cluster document, schedule and time. Concurrent schedulers compute the same UUID,
 * so the manifest is created once.
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
