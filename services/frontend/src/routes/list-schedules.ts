import { externalSchedule, schedulesPartition } from "@keelson/model";
import { limitOf, pageOf } from "../paging.ts";
import type { Route } from "../route.ts";
import { uncheckedVersion } from "../version-rule.ts";
import { paths } from "./paths.ts";

/** What is done to which clusters again and again. */
export const listSchedules: Route = {
  method: "GET",
  path: paths.schedules,
  versions: uncheckedVersion,
  authorization: "caller",
  handle(exchange, service) {
    const { schedules } = service.database.collections;
    const query = { partitionKey: schedulesPartition, limit: limitOf(exchange) };
    return pageOf(
      exchange,
      service,
      (position) => schedules.list({ ...query, ...position }, exchange.signal),
      externalSchedule,
    );
  },
};
