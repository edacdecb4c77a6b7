import { Button } from "@patternfly/react-core";
import { useQuery } from "@tanstack/react-query";
import type { Orphan } from "../../api/orphans.ts";
import { QueryView } from "../display/query-view.tsx";
import { type Column, Table } from "../display/table.tsx";
import { queries } from "../requests/queries.ts";

const columns: readonly Column<Orphan>[] = [
  { title: "Finding", cell: ({ kind }) => kind },
  { title: "Resource", cell: ({ id }) => <span className="mono">{id}</span> },
  { title: "Reason", cell: ({ message }) => message },
];

/** Page of the differences between the simulated Azure and the service's clusters. */
export function OrphansPage() {
  const orphans = useQuery(queries.orphans);
  return (
    <>
      <div className="row">
        <p>
          Resources that no cluster owns, and resources that a finished cluster lacks (
          <code>./keelson sim audit</code>).
        </p>
        <Button variant="secondary" isDisabled={orphans.isFetching} onClick={() => void orphans.refetch()}>
          Compare again
        </Button>
      </div>
      <QueryView query={orphans} subject="orphans">
        {(view) => (
          <Table
            label="Findings"
            columns={columns}
            rows={view.orphans}
            keyOf={({ kind, id, message }) => [kind, id, message].join("\n")}
            empty="No findings: the simulated Azure and the clusters match."
          />
        )}
      </QueryView>
    </>
  );
}
