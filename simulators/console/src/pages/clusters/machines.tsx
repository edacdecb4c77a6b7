import { Button } from "@patternfly/react-core";
import type { ClusterView, MachineView } from "../../api/clusters.ts";
import { ConfirmButton } from "../display/confirm-button.tsx";
import { Failure } from "../display/query-view.tsx";
import { type Column, Table } from "../display/table.tsx";
import { useChange } from "../requests/use-change.ts";

interface MachinesProps {
  readonly path: string;
  readonly view: ClusterView;
}

/** Shows the virtual machines of a cluster, and buttons that start and stop a machine. */
export function Machines({ path, view }: MachinesProps) {
  const power = useChange("clusters");
  const fault = useChange("faults");
  const turn = (name: string, on: boolean) =>
    power.mutate({
      method: "POST",
      path: `${path}/machines/${encodeURIComponent(name)}/power`,
      body: { on },
    });
  const fillDisk = (node: string) =>
    fault.mutate({
      method: "POST",
      path: "/api/faults",
      body: { kind: "disk-full", cluster: view.name, parameters: { node } },
    });
  const columns: readonly Column<MachineView>[] = [
    { title: "Node", cell: ({ name }) => <span className="mono">{name}</span> },
    { title: "Size", cell: ({ size }) => size },
    { title: "Zone", cell: ({ zone }) => zone ?? "–" },
    {
      title: "Power",
      cell: ({ power: state }) => <span className={state === "running" ? "" : "bad"}>{state ?? "–"}</span>,
    },
    {
      title: "Action",
      cell: ({ name, power: state }) => (
        <div className="actions">
          {state === "running" ? (
            <ConfirmButton
              label={`Turn off ${name}`}
              isDisabled={power.isPending}
              onConfirm={() => turn(name, false)}
            >
              Turn off
            </ConfirmButton>
          ) : (
            <Button
              variant="secondary"
              size="sm"
              aria-label={`Turn on ${name}`}
              isDisabled={power.isPending || state === undefined}
              onClick={() => turn(name, true)}
            >
              Turn on
            </Button>
          )}
          <Button
            variant="secondary"
            size="sm"
            aria-label={`Fill disk of ${name}`}
            isDisabled={fault.isPending}
            onClick={() => fillDisk(name)}
          >
            Fill disk
          </Button>
        </div>
      ),
    },
  ];
  const error = power.error ?? fault.error;
  return (
    <section className="wide">
      <h3>Nodes</h3>
      <Table
        label="Nodes"
        columns={columns}
        rows={view.machines}
        keyOf={({ name }) => name}
        empty="The cluster has no virtual machines."
      />
      {error && <Failure error={error} title="Cannot change the node" />}
    </section>
  );
}
