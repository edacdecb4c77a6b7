import type { ClusterSummary } from "@keelson/portal-api";
import { Button, SearchInput } from "@patternfly/react-core";
import SyncIcon from "@patternfly/react-icons/dist/esm/icons/sync-alt-icon";
import { useQuery } from "@tanstack/react-query";
import { useDeferredValue, useState } from "react";
import { Link, useSearchParams } from "wouter";
import { useLive } from "../api/live-provider.tsx";
import { queries } from "../api/queries.ts";
import { type Column, DataTable } from "../display/data-table.tsx";
import { QueryView } from "../display/query-view.tsx";
import { formatTime } from "../display/time.ts";
import { ClusterActions } from "./cluster-actions.tsx";
import { countOf, filterClusters, stateOf } from "./cluster-rows.ts";
import { ClusterState } from "./cluster-state.tsx";

/** Without the connection that brings changes, the list is read again. */
const pollMs = 15_000;

const columns: readonly Column<ClusterSummary>[] = [
  {
    title: "Name",
    sortBy: ({ name }) => name,
    cell: ({ name, resourceId }) => (
      <div data-automation-key="name">
        <Link href={resourceId.toLowerCase()}>{name}</Link>
      </div>
    ),
  },
  {
    title: "Subscription",
    sortBy: ({ subscription }) => subscription,
    cell: ({ subscription }) => <span className="mono">{subscription}</span>,
    breaks: true,
  },
  { title: "Version", sortBy: ({ version }) => version, cell: ({ version }) => version || "–" },
  {
    title: "Creation Date",
    sortBy: ({ createdAt }) => (createdAt === "Unknown" ? "" : createdAt),
    cell: ({ createdAt }) => formatTime(createdAt),
  },
  {
    title: "Provisioned By",
    sortBy: ({ provisionedBy }) => provisionedBy,
    cell: ({ provisionedBy }) => provisionedBy || "–",
    breaks: true,
  },
  { title: "State", sortBy: stateOf, cell: (cluster) => <ClusterState cluster={cluster} /> },
  { title: "Actions", cell: (cluster) => <ClusterActions cluster={cluster} /> },
];

/** All clusters. */
export function ClustersPage() {
  const live = useLive();
  const clusters = useQuery({ ...queries.clusters, refetchInterval: live.mode === "live" ? false : pollMs });
  const [search, setSearch] = useSearchParams();
  const [filter, setFilter] = useState(search.get("filter") ?? "");
  const shownFilter = useDeferredValue(filter);
  const changeFilter = (value: string) => {
    setFilter(value);
    setSearch(value ? { filter: value } : {}, { replace: true });
  };
  return (
    <main id="main" className="page" tabIndex={-1}>
      <div className="title-row">
        <h1>Clusters</h1>
        <LiveMark />
      </div>
      <QueryView query={clusters} subject="clusters">
        {(all) => {
          const shown = filterClusters(all, shownFilter);
          return (
            <>
              <div className="toolbar">
                <SearchInput
                  className="filter"
                  aria-label="Filter on resource ID"
                  placeholder="Filter on resource ID"
                  value={filter}
                  onChange={(_, value) => changeFilter(value)}
                  onClear={() => changeFilter("")}
                />
                <span id="ClusterCount" role="status">
                  {countOf(shown)}
                </span>
                <Button
                  variant="plain"
                  aria-label="Refresh"
                  icon={<SyncIcon />}
                  isLoading={clusters.isFetching}
                  onClick={() => void clusters.refetch()}
                />
              </div>
              <DataTable
                label="Clusters"
                columns={columns}
                rows={shown}
                keyOf={({ resourceId }) => resourceId}
                initialOrder={{ column: "Name", descending: false }}
                empty={
                  all.length === 0
                    ? "There is no cluster yet. One appears here as soon as it is asked for."
                    : "No resource ID has that in it."
                }
              />
            </>
          );
        }}
      </QueryView>
    </main>
  );
}

const marks = {
  live: "live",
  connecting: "connecting …",
  waiting: "not live: connecting again soon",
  ended: "not live",
};

/** Whether what is shown changes by itself. */
export function LiveMark() {
  const { mode } = useLive();
  return (
    <span className={`live-mark ${mode}`} role="status">
      {marks[mode]}
    </span>
  );
}
