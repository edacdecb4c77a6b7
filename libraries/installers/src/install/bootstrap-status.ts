import { stringAt } from "@keelson/base";
import { resources } from "@keelson/kube";
import type { InstallContext } from "./install-context.ts";

/** True if the bootstrap machine reports that the control plane no longer needs the bootstrap machine. */
export async function isBootstrapComplete({ kube, signal }: InstallContext): Promise<boolean> {
  const key = { namespace: "kube-system", name: "bootstrap" };
  return stringAt(await kube().find(resources.configMaps, key, signal), "data", "status") === "complete";
}
