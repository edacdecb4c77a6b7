import { type ClusterClient, kubernetesVersion } from "@keelson/apiserver";
import { timestamp } from "@keelson/controller";
import { ensureObject } from "../base/objects.ts";
import { resources } from "../base/resources.ts";

/** Creates ready worker nodes by count or name, for clusters without machines. Existing nodes stay unchanged. */
export async function ensureNodes(
  client: ClusterClient,
  nodes: number | readonly string[],
  now: Date,
): Promise<void> {
  const names =
    typeof nodes === "number" ? Array.from({ length: nodes }, (_, index) => `node-${index}`) : nodes;
  const capacity = { cpu: "8", memory: "32Gi", "ephemeral-storage": "100Gi", pods: "250" };
  await Promise.all(
    names.map((name, index) =>
      ensureObject(client, resources.nodes, {
        apiVersion: "v1",
        kind: "Node",
        metadata: {
          name,
          labels: {
            "kubernetes.io/arch": "amd64",
            "kubernetes.io/hostname": name,
            "kubernetes.io/os": "linux",
            "node-role.kubernetes.io/worker": "",
          },
        },
        spec: {},
        status: {
          addresses: [
            { type: "InternalIP", address: `10.0.${index >> 8}.${(index & 255) + 4}` },
            { type: "Hostname", address: name },
          ],
          allocatable: capacity,
          capacity,
          conditions: [
            {
              type: "Ready",
              status: "True",
              reason: "KubeletReady",
              message: "kubelet is posting ready status",
              lastHeartbeatTime: timestamp(now),
              lastTransitionTime: timestamp(now),
            },
          ],
          nodeInfo: {
            architecture: "amd64",
            bootID: "",
            containerRuntimeVersion: `cri-o://${kubernetesVersion.replace(/\.\d+$/, ".0")}`,
            kernelVersion: "5.14.0",
            kubeProxyVersion: `v${kubernetesVersion}`,
            kubeletVersion: `v${kubernetesVersion}`,
            machineID: "",
            operatingSystem: "linux",
            osImage: "Keelson simulated node",
            systemUUID: "",
          },
        },
      }),
    ),
  );
}
