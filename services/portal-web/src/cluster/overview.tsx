import type { ClusterDetail } from "@keelson/portal-api";
import { Alert } from "@patternfly/react-core";
import { useQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { Link } from "wouter";
import { type ClusterRef, resourcePath } from "../api/cluster-path.ts";
import { queries } from "../api/queries.ts";
import { healthAt, healthPhrases, problemNames, problemPhrase } from "../clusters/health.ts";
import { HealthCell } from "../clusters/health-cell.tsx";
import { CopyButton } from "../display/copy-field.tsx";
import { useNow } from "../display/now.ts";
import { QueryView } from "../display/query-view.tsx";
import { StateLabel } from "../display/state-label.tsx";
import { TimeText } from "../display/time-text.tsx";
import type { TabProps } from "../navigation/tab-props.ts";
import { type OverviewGroup, type OverviewRow, overviewGroups } from "./overview-rows.ts";
import { failureOf } from "./remedies.ts";

const ageMs = 30_000;

/** Overview of a cluster from the service's database. */
export function Overview({ cluster }: TabProps) {
  const detail = useQuery(queries.cluster(cluster));
  return (
    <QueryView query={detail} subject="the cluster">
      {(data) => (
        <>
          {data.provisioningState === "Failed" && <ClusterFailure cluster={cluster} detail={data} />}
          <Health cluster={cluster} detail={data} />
          <div className="clusterOverviewList">
            {overviewGroups(data).map((group) => (
              <Group key={group.title} group={group} />
            ))}
          </div>
        </>
      )}
    </QueryView>
  );
}

interface PartProps {
  readonly cluster: ClusterRef;
  readonly detail: ClusterDetail;
}

/** Cause of a cluster's failure, with remedies. */
function ClusterFailure({ cluster, detail }: PartProps) {
  const operations = useQuery(queries.operations(cluster));
  const failure = failureOf(detail, operations.data?.operations);
  if (!failure) return null;
  return (
    <Alert
      id="ClusterFailure"
      isInline
      component="h3"
      className="failure"
      variant="danger"
      title={failure.title}
      actionLinks={<Link href={`${resourcePath(cluster)}/timeline`}>Timeline of the operation</Link>}
    >
      {failure.cause && <p className="multiline">{failure.cause}</p>}
      {failure.step && (
        <p>
          Failed step: <code>{failure.step}</code>
        </p>
      )}
      <ul className="remedies">
        {failure.remedies.map((remedy) => (
          <li key={remedy}>{remedy}</li>
        ))}
      </ul>
    </Alert>
  );
}

/** Health of a cluster from the monitor's last observation. */
function Health({ cluster, detail }: PartProps) {
  const nowMs = useNow(true, ageMs);
  const health = healthAt(detail, nowMs);
  return (
    <section className="overview-health" aria-labelledby="overview-health">
      <h3 id="overview-health">Health</h3>
      <div className="overview-health-row">
        <HealthCell health={health} nowMs={nowMs} />
        <dl className="facts">
          <Fact name="Since" value={health.since ? <TimeText at={health.since} /> : ""} />
          <Fact name="API server" value={apiServerText(health.apiServer)} />
          <Fact name="Nodes" value={health.nodes === undefined ? "" : `${health.nodes}`} />
          <Fact
            name="First certificate expires in"
            value={health.certificateDays === undefined ? "" : `${health.certificateDays} days`}
          />
          {health.problems.map((problem) => (
            <Fact key={problem.kind} name={problemPhrase(problem)} value={problemNames(problem)} />
          ))}
        </dl>
      </div>
      {healthPhrases(health).length > 0 && health.state !== "Unknown" && (
        <Link href={`${resourcePath(cluster)}/alerts`}>Alerts and runbooks</Link>
      )}
    </section>
  );
}

/** Describes the status code of the API server's last response. 0 means no response. */
function apiServerText(code: number | undefined): string {
  if (code === undefined) return "";
  return code === 0 ? "no response" : `HTTP ${code}`;
}

function Fact({ name, value }: { readonly name: string; readonly value: ReactNode }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{value || "–"}</dd>
    </div>
  );
}

function Group({ group: { title, rows } }: { readonly group: OverviewGroup }) {
  return (
    <section>
      <h3>{title}</h3>
      <dl className="facts">
        {rows.map((row) => (
          <div key={row.name} data-automationid="ListCell" data-list-index={row.index}>
            <dt>
              <div data-automationid="DetailsRowCell" data-automation-key="name">
                {row.name}
              </div>
            </dt>
            <dd className="copied-value">
              <div data-automationid="DetailsRowCell" data-automation-key="value">
                <Value row={row} />
              </div>
              {row.copy && <CopyButton label={`Copy ${row.name}`} value={row.value} />}
            </dd>
          </div>
        ))}
      </dl>
    </section>
  );
}

function Value({ row: { name, value, href, at } }: { readonly row: OverviewRow }) {
  if (href)
    return (
      <a href={href} target="_blank" rel="noreferrer">
        {value}
      </a>
    );
  if (at) return <TimeText at={at} />;
  return name === "Provisioning State" ? <StateLabel state={value} /> : value;
}
