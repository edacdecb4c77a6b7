import { isPlainObject, valueAt } from "@keelson/base";
import { resources } from "@keelson/kube";
import { ignitionConfig } from "../../machine-configs/ignition.ts";
import type { Request } from "../../runtime/operator-context.ts";
import { mitigation } from "./mitigation.ts";

export const network = { name: "cluster" };

/**
 * Mitigation of CVE-2026-31432. It prevents the kernel from loading the vulnerable modules. IPsec in the pod network requires
 * these modules.
 */
export const dirtyFrag = mitigation({
  name: "workaround for CVE-2026-31432 ('dirtyfrag') on control plane",
  flag: "aro.workaround.dirtyfrag.enabled",
  configName: "99-master-disable-dirtyfrag",
  spec: {
    config: ignitionConfig([
      {
        path: "/etc/modprobe.d/aro-dirtyfrag-mitigation-controlplane.conf",
        mode: 0o644,
        text: "install esp4 /bin/false\ninstall esp6 /bin/false\ninstall rxrpc /bin/false\n",
      },
    ]),
  },
  fixed: [
    [4, 21, 15],
    [4, 20, 22],
    [4, 19, 31],
    [4, 18, 41],
    [4, 16, 62],
    [4, 14, 66],
    [4, 12, 90],
  ],
  conflicts: usesIpsec,
});

async function usesIpsec({ objects }: Request): Promise<boolean> {
  return isIpsecOn(await objects.find(resources.operatorNetworks, network));
}

/** True if IPsec is enabled. A configuration `{}` has no mode and is equivalent to the mode Full. */
export function isIpsecOn(live: unknown): boolean {
  const config = valueAt(live, "spec", "defaultNetwork", "ovnKubernetesConfig", "ipsecConfig");
  if (!isPlainObject(config)) return false;
  return config.mode === undefined || config.mode === "Full" || config.mode === "External";
}
