import { useQuery } from "@tanstack/react-query";
import { Link } from "wouter";
import { type ClusterRef, resourcePath } from "../api/cluster-path.ts";
import { queries } from "../api/queries.ts";
import { DataTable } from "../display/data-table.tsx";
import { QueryView } from "../display/query-view.tsx";

interface EffectiveRoutesViewProps {
  readonly cluster: ClusterRef;
  readonly nic: string;
}

/** Routes that Azure applies to a network interface. */
export function EffectiveRoutesView({ cluster, nic }: EffectiveRoutesViewProps) {
  const routes = useQuery({ ...queries.effectiveRoutes(cluster, nic), retry: false });
  return (
    <>
      <p>
        <Link href={`${resourcePath(cluster)}/azureresources`}>All Azure resources</Link>
      </p>
      <h3>Effective routes of {nic}</h3>
      <QueryView query={routes} subject="the effective routes">
        {({ routes: all, total }) => (
          <>
            {total > all.length && (
              <p className="faint">
                {all.length} of {total} routes are shown.
              </p>
            )}
            <DataTable
              label="Effective routes"
              rows={all}
              keyOf={(_, at) => `${at}`}
              empty="The network interface has no routes. Azure lists routes only while the virtual machine runs."
              columns={[
                {
                  title: "Address Prefixes",
                  sortBy: ({ addressPrefixes }) => addressPrefixes.join(", "),
                  breaks: true,
                },
                { title: "Next Hop Type", sortBy: ({ nextHopType }) => nextHopType },
                { title: "Next Hops", cell: ({ nextHops }) => nextHops.join(", ") || "–", breaks: true },
                { title: "Source", sortBy: ({ source }) => source },
                { title: "State", sortBy: ({ state }) => state },
                { title: "Name", sortBy: ({ name }) => name, breaks: true },
              ]}
            />
          </>
        )}
      </QueryView>
    </>
  );
}
