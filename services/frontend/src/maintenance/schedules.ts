import { randomUUID } from "node:crypto";
import { CloudError } from "@keelson/arm";
import { create, replace } from "@keelson/database";
import {
  assertScheduleChange,
  externalSchedule,
  type MaintenanceScheduleDocument,
  parseScheduleRequest,
  schedulesPartition,
} from "@keelson/model";
import { conflict, retryConflicts, unexpectedResult } from "../commits/conflict-retry.ts";
import { paths } from "../http/messages/paths.ts";
import type { RequestContext } from "../http/messages/request-context.ts";
import type { Response } from "../http/messages/response.ts";
import { uncheckedVersion } from "../http/messages/version-rule.ts";
import { limitOf, pageOf } from "../http/paging.ts";
import type { Route } from "../http/route.ts";
import type { Service } from "../service/service.ts";

export const getSchedule: Route = {
  method: "GET",
  path: paths.schedule,
  versions: uncheckedVersion,
  async handle(request, { database }) {
    const id = request.parameter("scheduleId");
    const stored = await database.collections.schedules.find(schedulesPartition, id, request.signal);
    if (!stored) throw new CloudError("NotFound", `schedule '${id}' not found`);
    return { status: 200, body: externalSchedule(stored.document) };
  },
};

/** Lists all maintenance schedules. */
export const listSchedules: Route = {
  method: "GET",
  path: paths.schedules,
  versions: uncheckedVersion,
  handle(request, service) {
    const { schedules } = service.database.collections;
    const query = { partitionKey: schedulesPartition, limit: limitOf(request) };
    return pageOf(
      request,
      service,
      (position) => schedules.list({ ...query, ...position }, request.signal),
      externalSchedule,
    );
  },
};

/** Adds a schedule. If the body contains an ID, changes the schedule with that ID. */
export const putSchedule: Route = {
  method: "PUT",
  path: paths.schedules,
  versions: uncheckedVersion,
  handle: (request, service) =>
    retryConflicts(service.clock, request.signal, () => attemptPut(request, service)),
};

async function attemptPut(
  request: RequestContext,
  { database }: Service,
): Promise<Response | typeof conflict> {
  const { schedules } = database.collections;
  const { signal } = request;
  const { id = randomUUID(), schedule } = request.read(parseScheduleRequest);
  const stored = await schedules.find(schedulesPartition, id, signal);
  if (stored) assertScheduleChange(stored.document.maintenanceSchedule, schedule);
  const document: MaintenanceScheduleDocument = {
    ...(stored?.document ?? { id, partitionKey: schedulesPartition }),
    maintenanceSchedule: { ...stored?.document.maintenanceSchedule, ...schedule },
  };
  const write = stored ? replace(schedules, stored, document) : create(schedules, document);
  const result = await database.commit(schedulesPartition, [write], { signal });
  if (result.kind === "conflict") return conflict;
  if (result.kind !== "committed") throw unexpectedResult(result);
  return { status: stored ? 200 : 201, body: externalSchedule(document) };
}
