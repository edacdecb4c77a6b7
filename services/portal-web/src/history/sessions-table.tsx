import type { SessionView } from "@keelson/portal-api";
import { Button } from "@patternfly/react-core";
import { type QueryKey, useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { Link } from "wouter";
import { queries } from "../api/queries.ts";
import { send } from "../api/request.ts";
import { type Column, DataTable } from "../display/data-table.tsx";
import { Failure } from "../display/query-view.tsx";

interface SessionsTableProps {
  readonly sessions: readonly SessionView[];
  /** Key of the query for sessions. The query is repeated after a session was ended. */
  readonly queryKey: QueryKey;
  /** Text that is shown instead of an empty table. */
  readonly empty: string;
  /** True if a column shows the cluster's name. */
  readonly showsClusters?: boolean;
}

/** Table of open sessions. Each row has a button that ends the session. */
export function SessionsTable({ sessions, queryKey, empty, showsClusters = false }: SessionsTableProps) {
  const { data: info } = useQuery(queries.info);
  const client = useQueryClient();
  const revoke = useMutation({
    mutationFn: (id: string) =>
      send(`/api/sessions/${encodeURIComponent(id)}`, {
        method: "DELETE",
        csrf: info?.csrf,
      }),
    onSettled: () => client.invalidateQueries({ queryKey }),
  });
  const actions: Column<SessionView> = {
    title: "Actions",
    cell: (session) => (
      <Button
        variant="secondary"
        size="sm"
        isDanger
        isDisabled={!info || revoke.isPending}
        aria-label={`Revoke ${kindOf(session)} of ${session.username}`}
        onClick={() => revoke.mutate(session.id)}
      >
        Revoke
      </Button>
    ),
  };
  return (
    <>
      {revoke.error && (
        <Failure
          error={revoke.error}
          title="Cannot end the session"
          retry={() => revoke.variables !== undefined && revoke.mutate(revoke.variables)}
        />
      )}
      <DataTable
        label="Sessions"
        rows={sessions}
        keyOf={({ id }) => id}
        initialOrder={{ column: "Start", descending: true }}
        empty={empty}
        columns={[...(showsClusters ? [clusterColumn] : []), ...columns, actions]}
      />
    </>
  );
}

const clusterColumn: Column<SessionView> = {
  title: "Cluster",
  sortBy: ({ cluster }) => cluster,
  cell: ({ cluster }) => <Link href={cluster}>{cluster.split("/").at(-1)}</Link>,
};

const columns: readonly Column<SessionView>[] = [
  { title: "Kind", sortBy: kindOf },
  { title: "Who", sortBy: ({ username }) => username, breaks: true },
  { title: "Elevated", sortBy: ({ elevated }) => (elevated ? "Yes" : "No") },
  { title: "Start", sortBy: ({ createdAt }) => createdAt, isTime: true },
  { title: "End", sortBy: ({ expiresAt }) => expiresAt, isTime: true },
];

function kindOf({ kind, master, used }: SessionView): string {
  const node = master === undefined ? "" : ` to master-${master}`;
  return `${kind}${node}${used === true ? ", used" : ""}`;
}
