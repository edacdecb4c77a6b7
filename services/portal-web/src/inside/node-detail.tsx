import type { NodeResources, NodeView } from "@keelson/portal-api";
import { DataTable } from "../display/data-table.tsx";
import { Facts } from "../display/facts.tsx";
import { formatByteQuantity } from "../display/quantity.ts";
import { TimeText } from "../display/time-text.tsx";

const resources = ({ cpu, memory, storageVolume, pods }: NodeResources) => ({
  CPU: cpu,
  Memory: formatByteQuantity(memory),
  Storage: formatByteQuantity(storageVolume),
  Pods: pods,
});

/** Details of a node, as reported by the cluster. */
export function NodeDetail({ node }: { readonly node: NodeView }) {
  return (
    <div className="detail">
      <div className="detail-columns">
        <Facts
          title="Overview"
          facts={{
            Created: <TimeText at={node.createdTime} />,
            "Instance type": node.instanceType,
            Zone: node.zone,
            "Internal IP": node.internalIp,
            Kubelet: node.kubeletVersion,
            "Operating system": node.osImage,
          }}
        />
        <Facts title="Capacity" facts={resources(node.capacity)} />
        <Facts title="Allocatable" facts={resources(node.allocatable)} />
      </div>
      <h3>Conditions</h3>
      <DataTable
        label={`Conditions of ${node.name}`}
        rows={node.conditions}
        keyOf={({ type }) => type}
        empty="None."
        columns={[
          { title: "Type", cell: ({ type }) => type },
          { title: "Status", cell: ({ status }) => status },
          { title: "Since", cell: ({ lastTransitionTime }) => <TimeText at={lastTransitionTime} /> },
          { title: "Heartbeat", cell: ({ lastHeartbeatTime }) => <TimeText at={lastHeartbeatTime} /> },
          { title: "Reason", cell: ({ reason }) => reason || "–" },
          { title: "Message", cell: ({ message }) => message || "–", breaks: true },
        ]}
      />
      <h3>Taints</h3>
      <DataTable
        label={`Taints of ${node.name}`}
        rows={node.taints}
        keyOf={({ key, effect }) => `${key} ${effect}`}
        empty="None."
        columns={[
          { title: "Key", cell: ({ key }) => key, breaks: true },
          { title: "Value", cell: ({ value }) => value || "–" },
          { title: "Effect", cell: ({ effect }) => effect },
          { title: "Added", cell: ({ timeAdded }) => <TimeText at={timeAdded} /> },
        ]}
      />
      <Facts title="Labels" facts={node.labels} />
      <Facts title="Annotations" facts={node.annotations} />
      <Facts title="Volumes" facts={Object.fromEntries(node.volumes.map(({ name, path }) => [name, path]))} />
    </div>
  );
}
