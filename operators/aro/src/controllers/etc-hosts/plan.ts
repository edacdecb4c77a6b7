import { type ClusterSpec, isFlagOn } from "@keelson/aro-api";
import { configChange, configRemoval } from "../../machine-configs/config-change.ts";
import { parseEndpoints } from "../../machine-configs/endpoints.ts";
import { ignitionConfig } from "../../machine-configs/ignition.ts";
import { configsNamed, findConfig, poolsOf } from "../../machine-configs/observed-configs.ts";
import type { RebootPlanner } from "../../runtime/reboot-gate.ts";
import { hostsConf, resolverScript, resolverUnit } from "./node-files.ts";

export const configNames = /^99-.*-aro-etc-hosts-gateway-domains$/;

/**
 * Returns the MachineConfig spec for access to the API server and the gateway without DNS.
 * @throws Error for an invalid address or domain
 */
export function etcHostsSpec(spec: ClusterSpec | undefined): Readonly<Record<string, unknown>> {
  const file = (path: string, mode: number, text: string) => ({ path, mode, text, user: "root" }) as const;
  const config = ignitionConfig(
    [
      file("/etc/hosts.d/aro.conf", 0o644, hostsConf(parseEndpoints(spec))),
      file("/usr/local/bin/aro-etchosts-resolver.sh", 0o744, resolverScript),
    ],
    [{ name: "aro-etchosts-resolver.service", text: resolverUnit }],
  );
  return { config };
}

/**
 * Plans one MachineConfig per pool while the feature is managed. Even a missing MachineConfig is created only when nodes may
 * reboot. Existing clusters lack these MachineConfigs, and an immediate creation would reboot all of their nodes.
 */
export const planner: RebootPlanner = {
  reportsAs: "EtcHostsCluster",
  flag: "aro.etchosts.enabled",
  async plan(request) {
    if (!isFlagOn(request.flags, "aro.etchosts.managed"))
      return configsNamed(request, configNames).flatMap((live) => configRemoval(live, false));
    const spec = etcHostsSpec(request.cluster.spec);
    const changes = poolsOf(request).map(async (owner) => {
      const role = owner.metadata.name;
      const name = `99-${role}-aro-etc-hosts-gateway-domains`;
      return configChange(
        await findConfig(request, name),
        { name, role, spec, owner },
        { createAnyTime: false },
      );
    });
    return (await Promise.all(changes)).flat();
  },
};
