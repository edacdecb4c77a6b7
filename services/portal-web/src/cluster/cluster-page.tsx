import { Button } from "@patternfly/react-core";
import SyncIcon from "@patternfly/react-icons/dist/esm/icons/sync-alt-icon";
import { useIsFetching, useQuery, useQueryClient } from "@tanstack/react-query";
import { type ComponentType, lazy, Suspense } from "react";
import { Link } from "wouter";
import { type ClusterRef, resourcePath } from "../api/cluster-path.ts";
import { useLive } from "../api/live-provider.tsx";
import { clusterKey, queries } from "../api/queries.ts";
import { RequestFailed } from "../api/request.ts";
import { ClusterActions } from "../clusters/cluster-actions.tsx";
import { ClusterState } from "../clusters/cluster-state.tsx";
import { LiveMark } from "../clusters/clusters-page.tsx";
import type { TabProps } from "../navigation/tab-props.ts";
import type { TabName } from "../navigation/tabs.ts";
import { WatchButton } from "../notifications/watch-button.tsx";
import { ClusterNav } from "./cluster-nav.tsx";
import { Overview } from "./overview.tsx";
import { loadTab } from "./pages.tsx";

const tabs: Readonly<Record<TabName, ComponentType<TabProps>>> = {
  Overview,
  Timeline: lazy(loadTab.Timeline),
  Activity: lazy(loadTab.Activity),
  Alerts: lazy(loadTab.Alerts),
  ClusterOperators: lazy(loadTab.ClusterOperators),
  Nodes: lazy(loadTab.Nodes),
  Machines: lazy(loadTab.Machines),
  MachineSets: lazy(loadTab.MachineSets),
  Events: lazy(loadTab.Events),
  Pods: lazy(loadTab.Pods),
  Resources: lazy(loadTab.Resources),
  AzureResources: lazy(loadTab.AzureResources),
  APIStatistics: lazy(loadTab.APIStatistics),
  KCMStatistics: lazy(loadTab.KCMStatistics),
  DNSStatistics: lazy(loadTab.DNSStatistics),
  IngressStatistics: lazy(loadTab.IngressStatistics),
  Prometheus: lazy(loadTab.Prometheus),
  Maintenance: lazy(loadTab.Maintenance),
  Upgrade: lazy(loadTab.Upgrade),
  Actions: lazy(loadTab.Actions),
  Sessions: lazy(loadTab.Sessions),
  Recordings: lazy(loadTab.Recordings),
};

interface ClusterPageProps {
  readonly cluster: ClusterRef;
  readonly tab: TabName;
}

/** Page of one cluster: its state, its access buttons, and the selected tab. */
export default function ClusterPage({ cluster, tab }: ClusterPageProps) {
  const path = resourcePath(cluster);
  const detail = useQuery(queries.cluster(cluster));
  const client = useQueryClient();
  const isFetching = useIsFetching({ queryKey: clusterKey(path) }) > 0;
  const running = useLive().progress.get(path);
  const Tab = tabs[tab];
  if (detail.error instanceof RequestFailed && detail.error.code === "NotFound")
    return <MissingCluster name={cluster.name} />;
  return (
    <main id="main" className="page" tabIndex={-1}>
      <div id="ClusterDetailPanel">
        <Link href="/" className="back">
          ‹ All clusters
        </Link>
        <div className="title-row">
          <h1 id="ClusterDetailName">{detail.data?.name ?? cluster.name}</h1>
          {detail.data && <ClusterState cluster={detail.data} />}
          {/* The timeline has a button for each running operation. */}
          {running && tab !== "Timeline" && <WatchButton operation={running} />}
          <div className="title-actions">
            <LiveMark />
            <ClusterActions cluster={{ name: cluster.name, resourceId: detail.data?.resourceId ?? path }} />
            <Button
              variant="plain"
              aria-label="Refresh"
              icon={<SyncIcon />}
              isLoading={isFetching}
              onClick={() => void client.invalidateQueries({ queryKey: clusterKey(path) })}
            />
          </div>
        </div>
        <div className="cluster-columns">
          <ClusterNav cluster={cluster} current={tab} />
          <section aria-labelledby="tab-title" className="tab">
            <h2 id="tab-title">{tab}</h2>
            <Suspense fallback={<div className="loading" aria-busy="true" />}>
              <Tab key={path} cluster={cluster} />
            </Suspense>
          </section>
        </div>
      </div>
    </main>
  );
}

/** Page of a cluster that was deleted or never existed. */
function MissingCluster({ name }: { readonly name: string }) {
  return (
    <main id="main" className="page" tabIndex={-1}>
      <Link href="/" className="back">
        ‹ All clusters
      </Link>
      <h1>{name}</h1>
      <p role="status">Cluster not found. It was deleted, or the address is wrong.</p>
    </main>
  );
}
