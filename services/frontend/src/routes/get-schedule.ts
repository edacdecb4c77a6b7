import { CloudError } from "@keelson/arm";
import { externalSchedule, schedulesPartition } from "@keelson/model";
import type { Route } from "../route.ts";
import { uncheckedVersion } from "../version-rule.ts";
import { paths } from "./paths.ts";

export const getSchedule: Route = {
  method: "GET",
  path: paths.schedule,
  versions: uncheckedVersion,
  authorization: "caller",
  async handle(exchange, { database }) {
    const id = exchange.parameter("scheduleId");
    const stored = await database.collections.schedules.find(schedulesPartition, id, exchange.signal);
    if (!stored) throw new CloudError("NotFound", `schedule '${id}' not found`);
    return { status: 200, body: externalSchedule(stored.document) };
  },
};
