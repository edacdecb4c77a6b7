import type { SessionView } from "@keelson/portal-api";
import { Button } from "@patternfly/react-core";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { queries } from "../api/queries.ts";
import { send } from "../api/request.ts";
import type { TabProps } from "../cluster/cluster-page.tsx";
import { DataTable } from "../display/data-table.tsx";
import { Failure, QueryView } from "../display/query-view.tsx";
import { formatTime } from "../display/time.ts";
import { apiPath } from "../navigation/cluster-path.ts";

/** By what administrators reach the cluster now. */
export default function SessionsTab({ cluster }: TabProps) {
  const sessions = useQuery(queries.sessions(cluster));
  const { data: info } = useQuery(queries.info);
  const client = useQueryClient();
  const revoke = useMutation({
    mutationFn: (id: string) =>
      send(`${apiPath(cluster)}/sessions/${encodeURIComponent(id)}`, {
        method: "DELETE",
        ...(info ? { csrf: info.csrf } : {}),
      }),
    onSettled: () => client.invalidateQueries({ queryKey: queries.sessions(cluster).queryKey }),
  });
  return (
    <>
      {revoke.error && (
        <Failure
          error={revoke.error}
          subject="the session's end"
          retry={() => revoke.variables !== undefined && revoke.mutate(revoke.variables)}
        />
      )}
      <QueryView query={sessions} subject="sessions">
        {(data) => (
          <DataTable
            label="Sessions"
            rows={data.sessions}
            keyOf={({ id }) => id}
            initialOrder={{ column: "Start", descending: true }}
            empty="No session of this cluster is open."
            columns={[
              { title: "Kind", sortBy: kindOf, cell: kindOf },
              {
                title: "Who",
                sortBy: ({ username }) => username,
                cell: ({ username }) => username,
                breaks: true,
              },
              {
                title: "Elevated",
                sortBy: ({ elevated }) => (elevated ? "Yes" : "No"),
                cell: ({ elevated }) => (elevated ? "Yes" : "No"),
              },
              {
                title: "Start",
                sortBy: ({ createdAt }) => createdAt,
                cell: ({ createdAt }) => formatTime(createdAt),
              },
              {
                title: "End",
                sortBy: ({ expiresAt }) => expiresAt,
                cell: ({ expiresAt }) => formatTime(expiresAt),
              },
              {
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
              },
            ]}
          />
        )}
      </QueryView>
    </>
  );
}

function kindOf({ kind, master, used }: SessionView): string {
  const node = master === undefined ? "" : ` to master-${master}`;
  return `${kind}${node}${used === true ? ", used" : ""}`;
}
