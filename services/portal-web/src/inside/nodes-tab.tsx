import type { NodeView } from "@keelson/portal-api";
import { useQuery } from "@tanstack/react-query";
import { queries } from "../api/queries.ts";
import { DataTable } from "../display/data-table.tsx";
import { useNow } from "../display/now.ts";
import { QueryView } from "../display/query-view.tsx";
import { StateLabel } from "../display/state-label.tsx";
import { formatAge } from "../display/time.ts";
import type { TabProps } from "../navigation/tab-props.ts";
import { NodeDetail } from "./node-detail.tsx";
import { nodeStatus } from "./node-status.ts";

const ageMs = 30_000;

export default function NodesTab({ cluster }: TabProps) {
  const nodes = useQuery(queries.nodes(cluster));
  const nowMs = useNow(true, ageMs);
  return (
    <QueryView query={nodes} subject="nodes">
      {(data) => (
        <DataTable
          label="Nodes"
          className="dense"
          rows={data.nodes}
          keyOf={({ name }) => name}
          initialOrder={{ column: "Name", descending: false }}
          empty="The cluster has no nodes yet."
          columns={[
            { title: "Name", sortBy: ({ name }) => name, breaks: true },
            {
              title: "Status",
              sortBy: (node) => nodeStatus(node).state,
              cell: (node) => <NodeState node={node} />,
            },
            {
              title: "Schedulable",
              sortBy: ({ unschedulable }) => (unschedulable ? "No" : "Yes"),
              cell: ({ unschedulable }) =>
                unschedulable ? <StateLabel state="No" status="warning" /> : "Yes",
            },
            { title: "Instance Type", sortBy: ({ instanceType }) => instanceType },
            // Portals of earlier versions do not return the roles and the usage of nodes, so the next two columns then show a
            // dash.
            { title: "Roles", sortBy: ({ roles = [] }) => roles.join(", ") },
            {
              title: "CPU, Memory",
              sortBy: ({ usage }) => usage?.memoryPercent ?? "",
              cell: ({ usage }) => (usage ? `${usage.cpuPercent} %, ${usage.memoryPercent} %` : "–"),
            },
            {
              title: "Age",
              sortBy: ({ createdTime }) => createdTime,
              cell: ({ createdTime }) => formatAge(createdTime, nowMs).replace(" ago", ""),
            },
          ]}
          detail={(node) => <NodeDetail node={node} />}
        />
      )}
    </QueryView>
  );
}

function NodeState({ node }: { readonly node: NodeView }) {
  const { state, pressures } = nodeStatus(node);
  return (
    <span className="labels">
      <StateLabel state={state} />
      {pressures.map((pressure) => (
        <StateLabel key={pressure} state={pressure} status="warning" />
      ))}
    </span>
  );
}
