import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { queries } from "../api/queries.ts";
import { DataTable } from "../display/data-table.tsx";
import { FilterField, matchesWords } from "../display/filter-field.tsx";
import { QueryView } from "../display/query-view.tsx";
import { StateLabel } from "../display/state-label.tsx";
import type { TabProps } from "../navigation/tab-props.ts";

/** Page with the cluster's Kubernetes events, newest first. */
export default function EventsTab({ cluster }: TabProps) {
  const events = useQuery(queries.clusterEvents(cluster));
  const [filter, setFilter] = useState("");
  return (
    <QueryView query={events} subject="events">
      {({ events: all, total }) => (
        <>
          <FilterField label="Filter events" value={filter} onChange={setFilter} />
          {total > all.length && (
            <p className="faint">
              The newest {all.length} of {total} events are shown.
            </p>
          )}
          <DataTable
            label="Events"
            className="dense"
            rows={all.filter((event) => matchesWords(filter, Object.values(event).join(" ")))}
            keyOf={({ namespace, object, reason, lastSeen }, at) =>
              `${namespace} ${object} ${reason} ${lastSeen} ${at}`
            }
            initialOrder={{ column: "Last Seen", descending: true }}
            empty="No event of the visible namespaces has these words."
            columns={[
              { title: "Last Seen", sortBy: ({ lastSeen }) => lastSeen, isTime: true },
              {
                title: "Type",
                sortBy: ({ type }) => type,
                cell: ({ type }) => (
                  <StateLabel state={type || "–"} status={type === "Warning" ? "warning" : "info"} />
                ),
              },
              { title: "Reason", sortBy: ({ reason }) => reason, breaks: true },
              { title: "Namespace", sortBy: ({ namespace }) => namespace, breaks: true },
              { title: "Object", sortBy: ({ object }) => object, breaks: true },
              { title: "Count", sortBy: ({ count }) => count },
              { title: "Message", cell: ({ message }) => message, breaks: true },
            ]}
          />
        </>
      )}
    </QueryView>
  );
}
