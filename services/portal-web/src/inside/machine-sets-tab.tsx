import { useQuery } from "@tanstack/react-query";
import { queries } from "../api/queries.ts";
import { DataTable } from "../display/data-table.tsx";
import { Facts } from "../display/facts.tsx";
import { QueryView } from "../display/query-view.tsx";
import { StateLabel } from "../display/state-label.tsx";
import { TimeText } from "../display/time-text.tsx";
import type { TabProps } from "../navigation/tab-props.ts";

export default function MachineSetsTab({ cluster }: TabProps) {
  const machineSets = useQuery(queries.machineSets(cluster));
  return (
    <QueryView query={machineSets} subject="machine sets">
      {(data) => (
        <DataTable
          label="Machine sets"
          rows={data.machines}
          keyOf={({ name }) => name}
          initialOrder={{ column: "Name", descending: false }}
          empty="The cluster has no machine sets yet."
          columns={[
            { title: "Name", sortBy: ({ name }) => name },
            { title: "Desired Replicas", sortBy: ({ desiredReplicas }) => desiredReplicas },
            {
              title: "Current Replicas",
              sortBy: ({ replicas }) => replicas,
              cell: ({ replicas, desiredReplicas }) =>
                replicas === desiredReplicas ? (
                  replicas
                ) : (
                  <StateLabel state={String(replicas)} status="warning" />
                ),
            },
            { title: "Public LoadBalancer", sortBy: ({ publicLoadBalancerName }) => publicLoadBalancerName },
            { title: "Storage Type", sortBy: ({ accountStorageType }) => accountStorageType },
          ]}
          detail={(set) => (
            <div className="detail">
              <Facts
                title="Overview"
                facts={{
                  Type: set.type,
                  Created: <TimeText at={set.createdAt} />,
                  "VM size": set.vmSize,
                  Subnet: set.subnet,
                  "Virtual network": set.vnet,
                  "Error reason": set.errorReason,
                  "Error message": set.errorMessage,
                }}
              />
            </div>
          )}
        />
      )}
    </QueryView>
  );
}
