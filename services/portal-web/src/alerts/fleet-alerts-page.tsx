import type { ClusterSummary } from "@keelson/portal-api";
import { useQuery } from "@tanstack/react-query";
import { Link } from "wouter";
import { queries } from "../api/queries.ts";
import { LiveMark } from "../clusters/clusters-page.tsx";
import { DataTable } from "../display/data-table.tsx";
import { useNow } from "../display/now.ts";
import { QueryView } from "../display/query-view.tsx";
import { type FleetAlert, fleetAlerts } from "./fleet-alerts.ts";
import { Runbook } from "./runbook.tsx";
import { SeverityLabel } from "./severity-label.tsx";

/** Maximum number of links to clusters for each alert. The page with the list of clusters contains all clusters. */
const maxLinks = 20;
const ageMs = 30_000;

/** Page with the alerts of all clusters, from the monitor's last observations. */
export default function FleetAlertsPage() {
  const clusters = useQuery(queries.clusters);
  const nowMs = useNow(true, ageMs);
  const keyOf = ({ name, severity, source }: FleetAlert<ClusterSummary>) => `${severity} ${source} ${name}`;
  return (
    <main id="main" className="page" tabIndex={-1}>
      <div className="title-row">
        <h1>Alerts</h1>
        <LiveMark />
      </div>
      <p className="faint">
        The monitor observes each cluster every minute. It keeps the first eight names of each list.
      </p>
      <QueryView query={clusters} subject="alerts">
        {(all) => (
          <DataTable
            label="Alerts of all clusters"
            rows={fleetAlerts(all, nowMs)}
            keyOf={keyOf}
            empty="No alert fires in any observed cluster."
            columns={[
              { title: "Alert", sortBy: ({ name }) => name, breaks: true },
              {
                title: "Severity",
                sortBy: ({ severity }) => severity,
                cell: ({ severity }) => <SeverityLabel severity={severity} />,
              },
              { title: "Source", sortBy: ({ source }) => source },
              { title: "Number", sortBy: ({ clusters: found }) => found.length },
              { title: "Clusters", breaks: true, cell: (alert) => <Clusters alert={alert} /> },
            ]}
            detail={(alert) => (
              <>
                <Runbook name={alert.runbook} />
                <p className="faint">
                  To silence the alert, open a cluster of this row. Its page Alerts shows the command.
                </p>
              </>
            )}
          />
        )}
      </QueryView>
    </main>
  );
}

function Clusters({ alert: { clusters } }: { readonly alert: FleetAlert<ClusterSummary> }) {
  return (
    <ul className="alert-clusters">
      {clusters.slice(0, maxLinks).map(({ cluster: { name, resourceId }, detail }) => (
        <li key={resourceId}>
          <Link href={`${resourceId.toLowerCase()}/alerts`}>{name}</Link>
          {detail && <span className="faint"> {detail}</span>}
        </li>
      ))}
      {clusters.length > maxLinks && <li className="faint">and {clusters.length - maxLinks} more</li>}
    </ul>
  );
}
