import type { FiringAlert } from "@keelson/portal-api";
import { useQuery } from "@tanstack/react-query";
import { resourcePath } from "../api/cluster-path.ts";
import { queries } from "../api/queries.ts";
import { healthAt } from "../clusters/health.ts";
import { CopyField } from "../display/copy-field.tsx";
import { DataTable } from "../display/data-table.tsx";
import { Facts } from "../display/facts.tsx";
import { useNow } from "../display/now.ts";
import { QueryView } from "../display/query-view.tsx";
import type { TabProps } from "../navigation/tab-props.ts";
import { type Condition, conditionsOf, platformRunbook } from "./conditions.ts";
import { Runbook } from "./runbook.tsx";
import { runbooks } from "./runbooks.ts";
import { SeverityLabel } from "./severity-label.tsx";
import { type SilencedCluster, silenceCommand } from "./silence.ts";

const ageMs = 30_000;

/** Page with the problems that the monitor found, and the cluster's firing alerts. */
export default function AlertsTab({ cluster }: TabProps) {
  const detail = useQuery(queries.cluster(cluster));
  const alerts = useQuery(queries.alerts(cluster));
  const nowMs = useNow(true, ageMs);
  const silenced = { name: detail.data?.name ?? cluster.name, resourceId: resourcePath(cluster) };
  return (
    <>
      <h3>Found by the monitor</h3>
      <QueryView query={detail} subject="the monitor's observation">
        {(data) => (
          <Conditions
            // The list excludes the cluster's own alerts, because the page shows them below with all details.
            conditions={conditionsOf(healthAt(data, nowMs)).filter(({ source }) => source === "monitor")}
            cluster={silenced}
          />
        )}
      </QueryView>
      <h3>Firing in the cluster</h3>
      <QueryView query={alerts} subject="alerts">
        {({ alerts: firing, total }) => (
          <>
            <FiringAlerts alerts={firing} cluster={silenced} />
            {total > firing.length && (
              <p className="faint">
                {firing.length} of {total} firing alerts are shown.
              </p>
            )}
          </>
        )}
      </QueryView>
    </>
  );
}

interface ConditionsProps {
  readonly conditions: readonly Condition[];
  readonly cluster: SilencedCluster;
}

function Conditions({ conditions, cluster }: ConditionsProps) {
  return (
    <DataTable
      label="Found by the monitor"
      rows={conditions}
      keyOf={({ name }) => name}
      empty="The monitor found nothing wrong in its last observation."
      columns={[
        { title: "Alert", cell: ({ name }) => name },
        { title: "Severity", cell: ({ severity }) => <SeverityLabel severity={severity} /> },
        { title: "Concerns", cell: ({ detail }) => detail, breaks: true },
      ]}
      detail={(condition) => (
        <>
          <Runbook name={condition.runbook} />
          <Silence condition={condition} cluster={cluster} />
        </>
      )}
    />
  );
}

interface FiringAlertsProps {
  readonly alerts: readonly FiringAlert[];
  readonly cluster: SilencedCluster;
}

const severities = ["critical", "warning", "info", "none"];

function FiringAlerts({ alerts, cluster }: FiringAlertsProps) {
  const keyOf = ({ name, namespace, labels }: FiringAlert) => JSON.stringify([name, namespace, labels]);
  return (
    <DataTable
      label="Firing in the cluster"
      rows={alerts}
      keyOf={(alert, at) => `${at} ${keyOf(alert)}`}
      initialOrder={{ column: "Severity", descending: false }}
      empty="No alert fires in the cluster."
      columns={[
        {
          title: "Alert",
          sortBy: ({ name }) => name,
          breaks: true,
          cell: ({ name }) => name || "(no name)",
        },
        {
          title: "Severity",
          sortBy: ({ severity }) => severities.indexOf(severity) + 1 || severities.length + 1,
          cell: ({ severity }) => <SeverityLabel severity={severity} />,
        },
        { title: "Namespace", sortBy: ({ namespace }) => namespace, breaks: true },
        { title: "Since", sortBy: ({ since = "" }) => since, isTime: true },
        { title: "Summary", cell: ({ summary }) => summary || "–", breaks: true },
      ]}
      detail={(alert) => <AlertDetail alert={alert} cluster={cluster} />}
    />
  );
}

function AlertDetail({ alert, cluster }: { readonly alert: FiringAlert; readonly cluster: SilencedCluster }) {
  const { name, description, runbookUrl, labels } = alert;
  return (
    <div className="detail">
      {description && <p className="multiline">{description}</p>}
      {runbookUrl !== undefined && (
        <p>
          <a href={runbookUrl} target="_blank" rel="noreferrer">
            Runbook that the cluster names: {runbookUrl}
          </a>
        </p>
      )}
      <Runbook name={runbooks.has(name) ? name : platformRunbook} />
      <Facts title="Labels" facts={labels} />
      <Silence condition={{ name, source: "cluster" }} cluster={cluster} />
    </div>
  );
}

interface SilenceProps {
  readonly condition: Pick<Condition, "name" | "source">;
  readonly cluster: SilencedCluster;
}

function Silence({ condition, cluster }: SilenceProps) {
  const command = silenceCommand(condition, cluster);
  if (command === undefined) return null;
  return (
    <div className="detail">
      <CopyField label="Silence for two hours" value={command} />
      <p className="faint">
        {condition.source === "monitor"
          ? "Set the option --alertmanager.url to the Alertmanager that receives the alerts of the monitor."
          : "Use the elevated kubeconfig from Download Kubeconfig. Simulated clusters do not run amtool."}{" "}
        Silenced alerts remain in this list.
      </p>
    </div>
  );
}
