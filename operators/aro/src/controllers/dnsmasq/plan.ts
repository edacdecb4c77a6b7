import type { ClusterSpec } from "@keelson/aro-api";
import { isFlagOn } from "@keelson/aro-api";
import { configChange } from "../../machine-configs/config-change.ts";
import { parseAddress, parseEndpoints } from "../../machine-configs/endpoints.ts";
import { ignitionConfig } from "../../machine-configs/ignition.ts";
import { findConfig, poolsOf } from "../../machine-configs/observed-configs.ts";
import type { RebootPlanner } from "../../runtime/reboot-gate.ts";
import { dnsmasqConf, dnsmasqUnit, preStartScript, restartScript } from "./node-files.ts";

export const configNames = /^99-.*-aro-dns$/;

/**
 * Returns the MachineConfig spec for local name resolution on nodes.
 * @throws Error for an invalid address or domain
 */
export function dnsmasqSpec(spec: ClusterSpec | undefined): Readonly<Record<string, unknown>> {
  const endpoints = parseEndpoints(spec);
  const ingressIP = parseAddress("ingressIP", spec?.ingressIP);
  const restarts = isFlagOn(spec?.operatorflags, "aro.restartdnsmasq.enabled");
  const file = (path: string, mode: number, text: string) => ({ path, mode, text, user: "root" }) as const;
  const config = ignitionConfig(
    [
      file("/etc/dnsmasq.conf", 0o644, dnsmasqConf({ ...endpoints, ingressIP })),
      file("/usr/local/bin/aro-dnsmasq-pre.sh", 0o744, preStartScript),
      ...(restarts
        ? [file("/etc/NetworkManager/dispatcher.d/99-dnsmasq-restart", 0o744, restartScript)]
        : []),
    ],
    [{ name: "dnsmasq.service", text: dnsmasqUnit }],
  );
  return { config };
}

/**
 * Plans one MachineConfig per pool. A missing MachineConfig is created even while nodes should not reboot, because nodes cannot
 * resolve the API server without it.
 */
export const planner: RebootPlanner = {
  reportsAs: "DnsmasqCluster",
  flag: "aro.dnsmasq.enabled",
  async plan(request) {
    const spec = dnsmasqSpec(request.cluster.spec);
    const changes = poolsOf(request).map(async (owner) => {
      const role = owner.metadata.name;
      const name = `99-${role}-aro-dns`;
      return configChange(
        await findConfig(request, name),
        { name, role, spec, owner },
        { createAnyTime: true },
      );
    });
    return (await Promise.all(changes)).flat();
  },
};
