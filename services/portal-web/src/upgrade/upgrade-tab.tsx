import type { ActionOutcome } from "@keelson/portal-api";
import { Alert } from "@patternfly/react-core";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useRequestFlow } from "../actions/request-flow.tsx";
import { apiPath, type ClusterRef, resourcePath } from "../api/cluster-path.ts";
import { clusterKey, queries } from "../api/queries.ts";
import { RequestFailed, readJson } from "../api/request.ts";
import { DataTable } from "../display/data-table.tsx";
import { Facts } from "../display/facts.tsx";
import { QueryView } from "../display/query-view.tsx";
import { StateLabel } from "../display/state-label.tsx";
import { TimeText } from "../display/time-text.tsx";
import { visibleText } from "../display/visible-text.ts";
import type { TabProps } from "../navigation/tab-props.ts";
import { UpgradeForm } from "./upgrade-form.tsx";
import { parseUpgradeStatus, type UpgradeStatus } from "./upgrade-status.ts";

const followedMs = 5_000;

/** Page with the cluster's version, its update history, and the checks and the form for the next upgrade. */
export default function UpgradeTab({ cluster }: TabProps) {
  const [version, setVersion] = useState("");
  const { data: info } = useQuery(queries.info);
  const status = useUpgradeStatus(cluster, version, info?.csrf);
  return (
    <QueryView query={status} subject="the version">
      {(data) => (
        <UpgradeView
          cluster={cluster}
          status={data}
          mayUpgrade={info?.role === "elevated"}
          onCheck={setVersion}
        />
      )}
    </QueryView>
  );
}

/** Returns the upgrade status. The status is the result of an admin API action, so every read appears in the audit log. */
function useUpgradeStatus(cluster: ClusterRef, version: string, csrf: string | undefined) {
  return useQuery<UpgradeStatus>({
    queryKey: [...clusterKey(resourcePath(cluster)), "upgrade", version],
    enabled: csrf !== undefined,
    placeholderData: (before) => before,
    refetchInterval: ({ state }) => (state.data?.progressing ? followedMs : false),
    queryFn: async ({ signal }): Promise<UpgradeStatus> => {
      const { content, error } = await readJson<ActionOutcome>(`${apiPath(cluster)}/admin-reads`, {
        method: "POST",
        body: { action: "GET upgrade", query: version === "" ? {} : { version } },
        csrf,
        signal,
      });
      if (error) throw new RequestFailed(400, error.code, error.message);
      return parseUpgradeStatus(content);
    },
  });
}

interface UpgradeViewProps {
  readonly cluster: ClusterRef;
  readonly status: UpgradeStatus;
  readonly mayUpgrade: boolean;
  readonly onCheck: (version: string) => void;
}

function UpgradeView({ cluster, status, mayUpgrade, onCheck }: UpgradeViewProps) {
  const flow = useRequestFlow(cluster, true);
  const { version, desired, channel, progressing, message, history, checked, checks } = status;
  return (
    <>
      <Facts
        title="Version"
        facts={{
          Version: visibleText(version),
          ...(desired === version ? {} : { "Moves To": visibleText(desired) }),
          Channel: visibleText(channel),
        }}
      />
      {progressing && (
        <Alert isInline component="p" variant="info" title="An update is in progress">
          {visibleText(message)}
        </Alert>
      )}
      <h3>Upgrade the cluster</h3>
      <UpgradeForm
        key={channel}
        status={status}
        isDisabled={flow.isPending || !mayUpgrade}
        onCheck={onCheck}
        onUpgrade={flow.start}
      />
      {!mayUpgrade && <p className="faint">Upgrades need the role elevated.</p>}
      {flow.view}
      <h3>{checked === "" ? "Checks" : `Checks for ${visibleText(checked)}`}</h3>
      <DataTable
        label="Checks"
        rows={checks}
        keyOf={({ name }) => name}
        empty="No version is offered. Enter a version and a channel that has it."
        columns={[
          { title: "Check", cell: ({ name }) => visibleText(name) },
          {
            title: "Result",
            cell: ({ passed }) => (
              <StateLabel state={passed ? "Passed" : "Failed"} status={passed ? "success" : "danger"} />
            ),
          },
          { title: "Message", cell: (each) => visibleText(each.message) || "–", breaks: true },
        ]}
      />
      <h3>History</h3>
      <DataTable
        label="History"
        rows={history}
        keyOf={(each, at) => `${at} ${each.version}`}
        empty="No version is known."
        columns={[
          { title: "Version", cell: (each) => visibleText(each.version) },
          { title: "State", cell: ({ state }) => <StateLabel state={visibleText(state)} /> },
          { title: "Start", cell: ({ startedAt }) => <TimeText at={visibleText(startedAt)} /> },
          { title: "End", cell: ({ completedAt }) => <TimeText at={visibleText(completedAt)} /> },
        ]}
      />
    </>
  );
}
