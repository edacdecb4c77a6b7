import { useQuery } from "@tanstack/react-query";
import { queries } from "../api/queries.ts";
import { QueryView } from "../display/query-view.tsx";
import type { TabProps } from "../navigation/tab-props.ts";
import { SessionsTable } from "./sessions-table.tsx";

/** Page with administrators' open sessions on the cluster. */
export default function SessionsTab({ cluster }: TabProps) {
  const query = queries.sessions(cluster);
  return (
    <QueryView query={useQuery(query)} subject="sessions">
      {({ sessions }) => (
        <SessionsTable
          sessions={sessions}
          queryKey={query.queryKey}
          empty="No session of this cluster is open."
        />
      )}
    </QueryView>
  );
}
