import { useQuery } from "@tanstack/react-query";
import { queries } from "../api/queries.ts";
import { DataTable } from "../display/data-table.tsx";
import { ExpandableName, useExpanded } from "../display/expandable-name.tsx";
import { Facts } from "../display/facts.tsx";
import { QueryView } from "../display/query-view.tsx";
import { StateLabel } from "../display/state-label.tsx";
import { TimeText } from "../display/time-text.tsx";
import type { TabProps } from "../navigation/tab-props.ts";

export default function MachineSetsTab({ cluster }: TabProps) {
  const machineSets = useQuery(queries.machineSets(cluster));
  const expanded = useExpanded();
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
            {
              title: "Name",
              sortBy: ({ name }) => name,
              cell: ({ name }) => (
                <ExpandableName
                  name={name}
                  isOpen={expanded.isOpen(name)}
                  onToggle={() => expanded.toggle(name)}
                />
              ),
            },
            {
              title: "Desired Replicas",
              sortBy: ({ desiredReplicas }) => desiredReplicas,
              cell: ({ desiredReplicas }) => desiredReplicas,
            },
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
            {
              title: "Public LoadBalancer",
              sortBy: ({ publicLoadBalancerName }) => publicLoadBalancerName,
              cell: ({ publicLoadBalancerName }) => publicLoadBalancerName || "–",
            },
            {
              title: "Storage Type",
              sortBy: ({ accountStorageType }) => accountStorageType,
              cell: ({ accountStorageType }) => accountStorageType || "–",
            },
          ]}
          below={(set) =>
            expanded.isOpen(set.name) ? (
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
            ) : undefined
          }
        />
      )}
    </QueryView>
  );
}
