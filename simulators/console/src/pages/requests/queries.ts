import { queryOptions } from "@tanstack/react-query";
import type { ClockState } from "../../api/clock.ts";
import type { ClustersView, ClusterView } from "../../api/clusters.ts";
import type { DirectoryView } from "../../api/directory.ts";
import type { FaultsView } from "../../api/faults.ts";
import type { Info } from "../../api/info.ts";
import type { Orphan } from "../../api/orphans.ts";
import type { LoggedRequest } from "../../api/requests.ts";
import type { GroupsView, ResourcesView } from "../../api/resources.ts";
import { send } from "./request.ts";

const read = <T>(path: string, ...key: readonly string[]) =>
  queryOptions({ queryKey: key, queryFn: async ({ signal }) => (await send(path, { signal })) as T });

/** Queries of the console's pages. */
export const queries = {
  info: read<Info>("/api/info", "info"),
  clock: read<ClockState>("/api/clock", "clock"),
  faults: read<FaultsView>("/api/faults", "faults"),
  clusters: read<ClustersView>("/api/clusters", "clusters"),
  cluster: (path: string) => read<ClusterView>(path, "clusters", path),
  groups: read<GroupsView>("/api/groups", "resources"),
  resourcesOf: (group: string) =>
    read<ResourcesView>(`/api/groups/${encodeURIComponent(group)}/resources`, "resources", group),
  resource: (id: string) =>
    read<{ readonly resource: unknown }>(
      `/api/resource?${new URLSearchParams({ id })}`,
      "resources",
      "one",
      id,
    ),
  request: (sequence: number) => ({
    ...read<LoggedRequest>(`/api/requests/${sequence}`, "request", String(sequence)),
    staleTime: Number.POSITIVE_INFINITY,
  }),
  directory: read<DirectoryView>("/api/directory", "directory"),
  orphans: read<{ readonly orphans: readonly Orphan[] }>("/api/orphans", "orphans"),
};
