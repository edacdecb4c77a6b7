import type { KubeObject } from "@keelson/apiserver";
import { ensureObject } from "../../base/objects.ts";
import { resources } from "../../base/resources.ts";
import type { Cluster } from "../../runtime/cluster.ts";

const namespace = "kube-node-lease";

/**
 * Creates the lease of a kubelet. The lease is never renewed, so an idle cluster writes nothing. This is safe because the
 * simulation does not use leases to evaluate node health.
 */
export async function ensureLease(
  { client, clock }: Pick<Cluster, "client" | "clock">,
  node: KubeObject,
): Promise<void> {
  const { name, uid = "" } = node.metadata;
  if (await client.find(resources.leases, { namespace, name })) return;
  await ensureObject(client, resources.leases, {
    apiVersion: "coordination.k8s.io/v1",
    kind: "Lease",
    metadata: { namespace, name, ownerReferences: [{ apiVersion: "v1", kind: "Node", name, uid }] },
    spec: {
      holderIdentity: name,
      leaseDurationSeconds: 40,
      renewTime: clock.now().toISOString().replace("Z", "000Z"),
    },
  });
}
