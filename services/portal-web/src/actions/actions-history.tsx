import type { ActionView } from "@keelson/portal-api";
import { useQuery } from "@tanstack/react-query";
import { queries } from "../api/queries.ts";
import { DataTable } from "../display/data-table.tsx";
import { QueryView } from "../display/query-view.tsx";
import { StateLabel } from "../display/state-label.tsx";
import { formatDuration } from "../display/time.ts";
import { visibleText } from "../display/visible-text.ts";
import type { TabProps } from "../navigation/tab-props.ts";
import { parametersOf } from "./parameters.ts";

/** Administrators' actions on the cluster, and the signed-in person's permissions. */
export function ActionsHistory({ cluster }: TabProps) {
  const actions = useQuery(queries.actions(cluster));
  const info = useQuery(queries.info);
  return (
    <>
      <h3>What administrators did</h3>
      <QueryView query={actions} subject="actions">
        {(data) => (
          <DataTable
            label="What administrators did"
            rows={data.actions}
            keyOf={({ id }) => id}
            initialOrder={{ column: "Start", descending: true }}
            empty="No administrator has done anything to this cluster."
            columns={[
              { title: "Action", sortBy: ({ action }) => action, breaks: true },
              { title: "Who", sortBy: ({ caller }) => caller, breaks: true },
              {
                title: "State",
                sortBy: ({ state }) => state,
                cell: ({ state }) => <StateLabel state={state} />,
              },
              { title: "Start", sortBy: ({ startedAt }) => startedAt, isTime: true },
              { title: "Duration", cell: durationOf },
              {
                title: "Parameters",
                cell: ({ parameters }) => <code>{visibleText(parametersOf(parameters))}</code>,
                breaks: true,
              },
            ]}
          />
        )}
      </QueryView>
      <h3>What you may do</h3>
      <p className="faint">Through the admin API, with or without this portal.</p>
      <QueryView query={info} subject="your permissions">
        {({ permissions }) => (
          <DataTable
            label="What you may do"
            rows={permissions}
            keyOf={({ action }) => action}
            empty="Nothing."
            columns={[
              {
                title: "Action",
                sortBy: ({ action }) => action,
                cell: ({ action }) => <code>{action}</code>,
              },
              {
                title: "Allowed",
                sortBy: ({ allowed }) => (allowed ? "Yes" : "No"),
                cell: ({ allowed }) => (
                  <StateLabel state={allowed ? "Yes" : "No"} status={allowed ? "success" : undefined} />
                ),
              },
              { title: "Needs a Reason", sortBy: ({ needsReason }) => (needsReason ? "Yes" : "No") },
            ]}
          />
        )}
      </QueryView>
    </>
  );
}

const durationOf = ({ startedAt, endedAt }: ActionView): string =>
  endedAt === undefined ? "–" : formatDuration(Date.parse(endedAt) - Date.parse(startedAt));
