import type { ClusterClient } from "@keelson/apiserver";
import { stringAt } from "@keelson/base";
import { resources } from "../../base/resources.ts";

/** ConfigMap that records the end of the bootstrap phase. */
export const bootstrapRecord = { namespace: "kube-system", name: "bootstrap" };

/** True if the control plane has replaced the bootstrap machine. The ConfigMap `kube-system/bootstrap` records this. */
export async function isBootstrapComplete(client: ClusterClient): Promise<boolean> {
  return stringAt(await client.find(resources.configMaps, bootstrapRecord), "data", "status") === "complete";
}
