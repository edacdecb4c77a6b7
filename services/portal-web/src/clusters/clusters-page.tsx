import type { ClusterSummary } from "@keelson/portal-api";
import { Button, SearchInput } from "@patternfly/react-core";
import SyncIcon from "@patternfly/react-icons/dist/esm/icons/sync-alt-icon";
import { useQuery } from "@tanstack/react-query";
import { useDeferredValue, useMemo, useState } from "react";
import { useSearchParams } from "wouter";
import { useLive } from "../api/live-provider.tsx";
import { queries } from "../api/queries.ts";
import { DataTable } from "../display/data-table.tsx";
import { useNow } from "../display/now.ts";
import { QueryView } from "../display/query-view.tsx";
import { sorted } from "../display/sort.ts";
import { clusterColumns } from "./cluster-columns.tsx";
import { countOf, filterClusters } from "./cluster-rows.ts";
import { ExportButtons } from "./export-buttons.tsx";
import { FacetBar } from "./facet-bar.tsx";
import { chosenClusters } from "./facets.ts";
import { type FleetView, readView, viewParameters } from "./fleet-address.ts";

/** Polling interval of the list in ms while the event connection is down. */
const pollMs = 15_000;
/** Update interval of the displayed ages in ms. */
const ageMs = 30_000;

/** List of all clusters. The page's URL contains the filters and the sort order. */
export function ClustersPage() {
  const live = useLive();
  const clusters = useQuery({ ...queries.clusters, refetchInterval: live.mode === "live" ? false : pollMs });
  const [search, setSearch] = useSearchParams();
  const address = readView(search);
  // The input field changes with each key press. The URL and the table change after a delay.
  const [filter, setFilter] = useState(address.filter);
  const shownFilter = useDeferredValue(filter);
  const change = (changes: Partial<FleetView>) =>
    setSearch(viewParameters({ ...address, filter, ...changes }), { replace: true });
  const changeFilter = (value: string) => {
    setFilter(value);
    change({ filter: value });
  };
  return (
    <main id="main" className="page" tabIndex={-1}>
      <div className="title-row">
        <h1>Clusters</h1>
        <LiveMark />
      </div>
      <QueryView query={clusters} subject="clusters">
        {(all) => (
          <Fleet
            all={all}
            view={{ ...address, filter: shownFilter }}
            onChange={change}
            toolbar={
              <SearchInput
                className="filter"
                aria-label="Filter on resource ID"
                placeholder="Filter on resource ID"
                value={filter}
                onChange={(_, value) => changeFilter(value)}
                onClear={() => changeFilter("")}
              />
            }
            refresh={
              <Button
                variant="plain"
                aria-label="Refresh"
                icon={<SyncIcon />}
                isLoading={clusters.isFetching}
                onClick={() => void clusters.refetch()}
              />
            }
          />
        )}
      </QueryView>
    </main>
  );
}

interface FleetProps {
  readonly all: readonly ClusterSummary[];
  readonly view: FleetView;
  readonly onChange: (changes: Partial<FleetView>) => void;
  readonly toolbar: React.ReactNode;
  readonly refresh: React.ReactNode;
}

function Fleet({ all, view, onChange, toolbar, refresh }: FleetProps) {
  const nowMs = useNow(true, ageMs);
  const columns = useMemo(() => clusterColumns(nowMs), [nowMs]);
  const matching = filterClusters(all, view.filter);
  const shown = chosenClusters(matching, view.choice, nowMs);
  const { column, descending } = view.order;
  const inOrder = () => {
    const sortBy = columns.find(({ title }) => title === column)?.sortBy;
    return sortBy ? sorted(shown, sortBy, descending) : shown;
  };
  return (
    <>
      <FacetBar
        clusters={matching}
        choice={view.choice}
        onChoice={(choice) => onChange({ choice })}
        nowMs={nowMs}
      />
      <div className="toolbar">
        {toolbar}
        <span id="ClusterCount" role="status">
          {countOf(shown)}
        </span>
        {refresh}
        <ExportButtons clusters={inOrder} isEmpty={shown.length === 0} />
      </div>
      <div className="table-scroll">
        <DataTable
          label="Clusters"
          className="cluster-table dense"
          columns={columns}
          rows={shown}
          keyOf={({ resourceId }) => resourceId}
          order={view.order}
          onOrder={(order) => onChange({ order })}
          empty={
            all.length === 0
              ? "There are no clusters yet. A cluster appears here when its creation begins."
              : "No cluster matches these filters."
          }
        />
      </div>
    </>
  );
}

const marks = {
  live: "live",
  connecting: "connecting …",
  waiting: "not live: connecting again soon",
  ended: "not live",
};

/** Mark that shows whether the page updates automatically. */
export function LiveMark() {
  const { mode } = useLive();
  return (
    <span className={`live-mark ${mode}`} role="status">
      {marks[mode]}
    </span>
  );
}
