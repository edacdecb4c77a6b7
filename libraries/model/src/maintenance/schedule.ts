import { CloudError } from "@keelson/arm";
import { isPlainObject, parseGoDuration } from "@keelson/base";
import { malformed } from "../bodies/malformed.ts";
import {
  invalid,
  requestInteger,
  requestProperty,
  requestString,
  requireStrings,
} from "../bodies/request-properties.ts";
import { parseCalendar } from "./calendar.ts";
import { type MaintenanceSelector, selectorOperators } from "./selectors.ts";

const scheduleStates = ["Enabled", "Disabled"] as const;

/** Maintenance task with a calendar and cluster selectors. */
export interface MaintenanceSchedule {
  readonly state: (typeof scheduleStates)[number];
  readonly maintenanceTaskID: string;
  /** Calendar expression; see `calendar.ts`. */
  readonly schedule: string;
  /** Number of future periods for which the service creates manifests in advance. */
  readonly lookForwardCount: number;
  /**
   * Duration in Go's format. In each period, the maintenance of the clusters is distributed over this duration, which begins at
   * the start of the period.
   */
  readonly scheduleAcross: string;
  readonly selectors: readonly MaintenanceSelector[];
}

/** Partition: `schedules`. */
export interface MaintenanceScheduleDocument {
  readonly id: string;
  readonly partitionKey: string;
  readonly maintenanceSchedule: MaintenanceSchedule;
}

export const schedulesPartition = "schedules";

/**
 * Maximum of `lookForwardCount`. A higher value is probably a mistake, because each cluster gets this number of manifests per
 * schedule.
 */
const mostLookForward = 100;

export interface ScheduleRequest {
  /** Schedule ID. Undefined for a new schedule, for which the service generates an ID. */
  readonly id?: string;
  readonly schedule: MaintenanceSchedule;
}

/**
 * Parses the body of a PUT request for a schedule. Rules: Azure/ARO-RP pkg/api/admin.
 * @throws CloudError InvalidParameter, InvalidRequestContent
 */
export function parseScheduleRequest(body: unknown): ScheduleRequest {
  if (!isPlainObject(body)) throw malformed("", "an object", body);
  const id = requestString(body, "id").toLowerCase();
  if (!/^[-.\w]{0,100}$/.test(id)) {
    throw invalid("id", "Must be at most 100 letters, digits, '-', '.' and '_'");
  }
  const schedule = parseSchedule(body);
  return { ...(id === "" ? {} : { id }), schedule };
}

function parseSchedule(body: Record<string, unknown>): MaintenanceSchedule {
  const maintenanceTaskID = required(body, "maintenanceTaskID");
  const lookForwardCount = requestInteger(body, "lookForwardCount");
  if (lookForwardCount < 0) throw invalid("LookForwardCount", "Must be above 0");
  if (lookForwardCount > mostLookForward)
    throw invalid("lookForwardCount", `Must be at most ${mostLookForward}`);
  const schedule = required(body, "schedule");
  const scheduleAcross = required(body, "scheduleAcross");
  const duration = parseGoDuration(scheduleAcross);
  if (duration.kind === "problem") {
    throw invalid("scheduleAcross", `Must be a valid time.Duration: ${duration.message}`);
  }
  if (duration.ms < 0) throw invalid("scheduleAcross", "Must not be negative");
  const selectors = parseSelectors(requestProperty(body, "selectors") ?? []);
  const calendar = parseCalendar(schedule);
  if (calendar.kind === "problem") throw invalid("schedule", calendar.message);
  return {
    state: stateAt(body),
    maintenanceTaskID,
    schedule,
    lookForwardCount,
    scheduleAcross,
    selectors,
  };
}

function required(body: Record<string, unknown>, name: string): string {
  const value = requestString(body, name);
  if (value === "") throw invalid(name, "Must be provided");
  return value;
}

/** Default: disabled. */
function stateAt(body: Record<string, unknown>): MaintenanceSchedule["state"] {
  const text = requestString(body, "state") || "Disabled";
  const state = scheduleStates.find((each) => each === text);
  if (state) return state;
  throw invalid("state", `Must be one of [${scheduleStates.map((each) => `'${each}'`).join(", ")}]`);
}

function parseSelectors(list: unknown): readonly MaintenanceSelector[] {
  if (!Array.isArray(list)) throw malformed("selectors", "an array", list);
  if (list.length === 0) throw invalid("selectors", "Must be provided");
  return list.map((each: unknown, index) => parseSelector(each, `selectors[${index}]`));
}

function parseSelector(selector: unknown, path: string): MaintenanceSelector {
  if (!isPlainObject(selector)) throw malformed(path, "an object", selector);
  const key = requestString(selector, "key", `${path}.key`);
  const sent = requestString(selector, "operator", `${path}.operator`);
  const value = requestString(selector, "value", `${path}.value`);
  const values = requireStrings(requestProperty(selector, "values") ?? [], `${path}.values`);
  const operator = selectorOperators.find((each) => each === sent);
  if (!operator) {
    const known = selectorOperators.map((each) => `'${each}'`).join(", ");
    throw invalid(`${path}.operator`, `Must be one of [${known}]`);
  }
  const one = { name: "value", isEmpty: value === "" };
  const many = { name: "values", isEmpty: values.length === 0 };
  const [needed, forbidden] = operator === "eq" ? [one, many] : [many, one];
  if (needed.isEmpty) {
    throw invalid(`${path}.${needed.name}`, `Must be provided for operator type '${operator}'`);
  }
  if (!forbidden.isEmpty) {
    throw invalid(`${path}.${forbidden.name}`, `Must not be provided for operator type '${operator}'`);
  }
  return operator === "eq" ? { key, operator, value } : { key, operator, values };
}

/**
 * Checks that the task is unchanged, because manifests for it already exist.
 * @throws CloudError PropertyChangeNotAllowed
 */
export function assertScheduleChange(current: MaintenanceSchedule, wanted: MaintenanceSchedule): void {
  if (current.maintenanceTaskID === wanted.maintenanceTaskID) return;
  throw new CloudError("PropertyChangeNotAllowed", "Changing property 'maintenanceTaskID' is not allowed.", {
    target: "maintenanceTaskID",
  });
}

/** Returns a schedule in the admin API format. */
export function externalSchedule({ id, maintenanceSchedule }: MaintenanceScheduleDocument): object {
  const { state, maintenanceTaskID, schedule, lookForwardCount, scheduleAcross, selectors } =
    maintenanceSchedule;
  return {
    id,
    state,
    maintenanceTaskID,
    schedule,
    ...(lookForwardCount === 0 ? {} : { lookForwardCount }),
    scheduleAcross,
    selectors,
  };
}
