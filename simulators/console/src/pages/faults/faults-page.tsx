import { Label } from "@patternfly/react-core";
import { useQuery } from "@tanstack/react-query";
import type { FaultView } from "../../api/faults.ts";
import { ConfirmButton } from "../display/confirm-button.tsx";
import { Failure, QueryView } from "../display/query-view.tsx";
import { type Column, Table } from "../display/table.tsx";
import { queries } from "../requests/queries.ts";
import { useChange } from "../requests/use-change.ts";
import { FaultForm } from "./fault-form.tsx";

const columns: readonly Column<FaultView>[] = [
  { title: "Kind", cell: ({ kind }) => kind },
  {
    title: "Target",
    cell: ({ part, cluster }) => (
      <Label isCompact color={part === "azure" ? "blue" : "purple"}>
        {part === "azure" ? "Azure" : (cluster ?? "all clusters")}
      </Label>
    ),
  },
  {
    title: "Parameters",
    cell: ({ parameters }) => (
      <span className="mono">
        {Object.entries(parameters)
          .map(([name, value]) => `${name}=${value}`)
          .join(" ") || "–"}
      </span>
    ),
  },
  {
    title: "Injected",
    cell: ({ injected, matched }) => (matched === undefined ? "–" : `${injected} of ${matched} requests`),
  },
];

/** Page that lists the active faults and contains a form for new faults. */
export function FaultsPage() {
  const faults = useQuery({ ...queries.faults, refetchInterval: 5_000 });
  const change = useChange("faults");
  const clear = (id: string) =>
    change.mutate({ method: "DELETE", path: `/api/faults/${encodeURIComponent(id)}` });
  const withClear: readonly Column<FaultView>[] = [
    ...columns,
    {
      title: "Action",
      cell: ({ id, kind }) =>
        // Boot problems cannot be removed. They disappear when the machine boots.
        id.startsWith("boot-") ? undefined : (
          <ConfirmButton
            label={`Clear ${kind} ${id}`}
            isDisabled={change.isPending}
            onConfirm={() => clear(id)}
          >
            Clear
          </ConfirmButton>
        ),
    },
  ];
  return (
    <QueryView query={faults} subject="faults">
      {(view) => (
        <>
          <h2>In force</h2>
          <Table
            label="Faults in force"
            columns={withClear}
            rows={view.faults}
            keyOf={({ id }) => id}
            empty="No fault is in force."
          />
          {change.error && <Failure error={change.error} title="Cannot clear the fault" />}
          <h2>Inject a fault</h2>
          <FaultForm kinds={view.kinds} clusters={view.clusters} />
        </>
      )}
    </QueryView>
  );
}
