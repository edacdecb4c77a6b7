import type { MachineView } from "@keelson/portal-api";
import { useQuery } from "@tanstack/react-query";
import { queries } from "../api/queries.ts";
import { DataTable } from "../display/data-table.tsx";
import { Facts } from "../display/facts.tsx";
import { QueryView } from "../display/query-view.tsx";
import { StateLabel } from "../display/state-label.tsx";
import { TimeText } from "../display/time-text.tsx";
import type { TabProps } from "../navigation/tab-props.ts";

export default function MachinesTab({ cluster }: TabProps) {
  const machines = useQuery(queries.machines(cluster));
  return (
    <QueryView query={machines} subject="machines">
      {(data) => (
        <DataTable
          label="Machines"
          rows={data.machines}
          keyOf={({ name }) => name}
          initialOrder={{ column: "Name", descending: false }}
          empty="The cluster has no machines yet."
          columns={[
            { title: "Name", sortBy: ({ name }) => name },
            {
              title: "Status",
              sortBy: ({ status }) => status,
              cell: (machine) => <MachineState machine={machine} />,
            },
            { title: "Created Time", sortBy: ({ createdTime }) => createdTime, isTime: true },
          ]}
          detail={(machine) => <MachineDetail machine={machine} />}
        />
      )}
    </QueryView>
  );
}

function MachineState({ machine: { status, errorReason } }: { readonly machine: MachineView }) {
  return (
    <span className="labels">
      <StateLabel state={status} status={status === "Running" ? "success" : undefined} />
      {errorReason !== "None" && <StateLabel state={errorReason} status="danger" />}
    </span>
  );
}

function MachineDetail({ machine }: { readonly machine: MachineView }) {
  return (
    <div className="detail">
      <Facts
        title="Overview"
        facts={{
          "Last updated": <TimeText at={machine.lastUpdated} />,
          "Last operation": machine.lastOperation,
          "Last operation at": <TimeText at={machine.lastOperationDate} />,
          "Error reason": machine.errorReason,
          "Error message": machine.errorMessage,
        }}
      />
    </div>
  );
}
