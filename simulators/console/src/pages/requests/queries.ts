import { queryOptions } from "@tanstack/react-query";
import type { ClockState } from "../../api/clock.ts";
import type { FaultsView } from "../../api/faults.ts";
import type { Info } from "../../api/info.ts";
import { send } from "./request.ts";

const read = <T>(path: string, ...key: readonly string[]) =>
  queryOptions({ queryKey: key, queryFn: async ({ signal }) => (await send(path, { signal })) as T });

/** Reads of the pages. */
export const queries = {
  info: read<Info>("/api/info", "info"),
  clock: read<ClockState>("/api/clock", "clock"),
  faults: read<FaultsView>("/api/faults", "faults"),
};
