import type { KubeObject } from "@keelson/apiserver";
import { ensureObject } from "../../base/objects.ts";
import { resources } from "../../base/resources.ts";
import { hasReason } from "../../base/status-reason.ts";
import type { Cluster } from "../../runtime/cluster.ts";
import type { WorkloadContext } from "../../workload-context/workload-context.ts";

const namespace = "kube-node-lease";

/** Creates the Lease of a kubelet. An existing Lease stays unchanged. */
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
    spec: { holderIdentity: name, leaseDurationSeconds: 40, renewTime: microTime(clock.now()) },
  });
}

/** Renews the Lease of a kubelet. Creates a missing Lease. */
export async function renewLease(context: WorkloadContext, node: KubeObject): Promise<void> {
  const key = { namespace, name: node.metadata.name };
  const spec = { renewTime: microTime(context.clock.now()) };
  try {
    await context.mergePatch(resources.leases, key, { spec });
  } catch (error) {
    if (!hasReason(error, "NotFound")) throw error;
    await ensureLease(context, node);
  }
}

/** Returns a time in the format of `MicroTime`. */
function microTime(time: Date): string {
  return time.toISOString().replace("Z", "000Z");
}
