import { randomUUID } from "node:crypto";
import { create, replace } from "@keelson/database";
import {
  assertScheduleChange,
  externalSchedule,
  type MaintenanceScheduleDocument,
  parseScheduleRequest,
  schedulesPartition,
} from "@keelson/model";
import type { Answer } from "../answer.ts";
import { conflict, retryConflicts, unexpectedResult } from "../conflict-retry.ts";
import type { Exchange } from "../exchange.ts";
import type { Route } from "../route.ts";
import type { Service } from "../service.ts";
import { uncheckedVersion } from "../version-rule.ts";
import { paths } from "./paths.ts";

/** Adds a schedule, or changes the one with the body's ID. */
export const putSchedule: Route = {
  method: "PUT",
  path: paths.schedules,
  versions: uncheckedVersion,
  authorization: "caller",
  handle: (exchange, service) =>
    retryConflicts(service.clock, exchange.signal, () => attemptPut(exchange, service)),
};

async function attemptPut(exchange: Exchange, { database }: Service): Promise<Answer | typeof conflict> {
  const { schedules } = database.collections;
  const { signal } = exchange;
  const { id = randomUUID(), schedule } = exchange.read(parseScheduleRequest);
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
