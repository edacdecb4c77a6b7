import type { ClusterSummary } from "@keelson/portal-api";
import { Link } from "wouter";
import type { Column } from "../display/data-table.tsx";
import { TimeText } from "../display/time-text.tsx";
import { ClusterActions } from "./cluster-actions.tsx";
import { stateOf } from "./cluster-rows.ts";
import { ClusterState } from "./cluster-state.tsx";
import { healthAt, healthRank } from "./health.ts";
import { HealthCell } from "./health-cell.tsx";

/** Columns of the cluster table. Titles and order up to `Actions` are the same as in the original (Azure/ARO-RP portal/v2). */
export const clusterColumns = (nowMs: number): readonly Column<ClusterSummary>[] => [
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
  { title: "Version", sortBy: ({ version }) => version },
  {
    title: "Creation Date",
    sortBy: ({ createdAt }) => (createdAt === "Unknown" ? "" : createdAt),
    cell: ({ createdAt }) => <TimeText at={createdAt} />,
  },
  { title: "Provisioned By", sortBy: ({ provisionedBy }) => provisionedBy, breaks: true },
  { title: "State", sortBy: stateOf, cell: (cluster) => <ClusterState cluster={cluster} /> },
  { title: "Actions", cell: (cluster) => <ClusterActions cluster={cluster} /> },
  {
    title: "Health",
    sortBy: (cluster) => healthRank(healthAt(cluster, nowMs)),
    cell: (cluster) => <HealthCell health={healthAt(cluster, nowMs)} nowMs={nowMs} />,
  },
  {
    title: "Resource Group",
    sortBy: ({ resourceGroup }) => resourceGroup,
    cell: ({ resourceGroup, location }) => (
      <div className="resource-group">
        <span>{resourceGroup}</span>
        <span className="faint">{location}</span>
      </div>
    ),
    breaks: true,
  },
];
