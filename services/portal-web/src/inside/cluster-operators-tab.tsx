import type { ClusterOperatorView } from "@keelson/portal-api";
import { useQuery } from "@tanstack/react-query";
import { queries } from "../api/queries.ts";
import { DataTable } from "../display/data-table.tsx";
import { QueryView } from "../display/query-view.tsx";
import { StateLabel } from "../display/state-label.tsx";
import type { Status } from "../display/status.ts";
import { TimeText } from "../display/time-text.tsx";
import type { TabProps } from "../navigation/tab-props.ts";

/** Expected status of each condition type, and the severity if the condition has a different status. */
const expectations = {
  available: { wanted: "True", otherwise: "danger" },
  progressing: { wanted: "False", otherwise: "info" },
  degraded: { wanted: "False", otherwise: "danger" },
} as const satisfies Record<string, { wanted: string; otherwise: Status }>;

function Condition({ type, status }: { readonly type: keyof typeof expectations; readonly status: string }) {
  const { wanted, otherwise } = expectations[type];
  const meaning = status === wanted ? "success" : status === "Unknown" ? "warning" : otherwise;
  return <StateLabel state={status} status={meaning} />;
}

export default function ClusterOperatorsTab({ cluster }: TabProps) {
  const operators = useQuery(queries.clusterOperators(cluster));
  const column = (title: string, type: keyof typeof expectations) => ({
    title,
    sortBy: (operator: ClusterOperatorView) => operator[type],
    cell: (operator: ClusterOperatorView) => <Condition type={type} status={operator[type]} />,
  });
  return (
    <QueryView query={operators} subject="cluster operators">
      {(data) => (
        <DataTable
          label="Cluster operators"
          rows={data.operators}
          keyOf={({ name }) => name}
          initialOrder={{ column: "Name", descending: false }}
          empty="The cluster has no cluster operators yet."
          columns={[
            { title: "Name", sortBy: ({ name }) => name },
            column("Available", "available"),
            column("Progressing", "progressing"),
            column("Degraded", "degraded"),
          ]}
          detail={(operator) => <Conditions operator={operator} />}
        />
      )}
    </QueryView>
  );
}

function Conditions({ operator }: { readonly operator: ClusterOperatorView }) {
  return (
    <div className="detail">
      <DataTable
        label={`Conditions of ${operator.name}`}
        rows={operator.conditions}
        keyOf={({ type }) => type}
        empty="No conditions reported."
        columns={[
          { title: "Condition", cell: ({ type }) => type },
          { title: "Status", cell: ({ status }) => status },
          { title: "Since", cell: ({ lastUpdated }) => <TimeText at={lastUpdated} /> },
          { title: "Reason", cell: ({ reason }) => reason || "–" },
          { title: "Message", cell: ({ message }) => message || "–", breaks: true },
        ]}
      />
    </div>
  );
}
