import { type Manifest, manifest } from "@keelson/aro-api";
import { type KubeResource, resources } from "@keelson/kube";
import type { BundleMember } from "../../runtime/bundle.ts";
import { collectorConfig } from "./collector-config.ts";
import { daemonSet } from "./daemon-set.ts";
import type { Gateway } from "./gateway.ts";
import { exporterMonitoring } from "./monitoring.ts";
import { accountName, configKey, configName, type ExporterRole, exporterRoles, namespace } from "./names.ts";
import type { Profile } from "./profile.ts";

/** Returns the objects that every cluster needs, even a cluster without a gateway. */
export function foundation(supportsPodSecurity: boolean): readonly Manifest[] {
  const modes = supportsPodSecurity ? ["enforce", "audit", "warn"] : [];
  const security = modes.map((mode) => [`pod-security.kubernetes.io/${mode}`, "privileged"]);
  return [
    manifest(resources.namespaces, {
      name: namespace,
      labels: { "openshift.io/cluster-monitoring": "true", ...Object.fromEntries(security) },
      annotations: { "openshift.io/node-selector": "" },
    }),
    manifest(resources.serviceAccounts, { name: accountName, namespace }),
    ...exporterMonitoring,
  ];
}

export type Configs = Readonly<Record<ExporterRole, string>>;

export function configsOf(profiles: Readonly<Record<ExporterRole, Profile>>): Configs {
  return {
    master: collectorConfig(profiles.master, "master"),
    worker: collectorConfig(profiles.worker, "worker"),
  };
}

export function configMap(configs: Configs): Manifest {
  const data = Object.fromEntries(exporterRoles.map((role) => [configKey(role), configs[role]]));
  return manifest(
    resources.configMaps,
    { name: configName, namespace },
    // The service's tools read the masters' configuration from the key `config.yaml`.
    { data: { "config.yaml": configs.master, ...data } },
  );
}

export function daemonSets(image: string, configs: Configs, gateway: Gateway): readonly Manifest[] {
  return exporterRoles.map((role) => daemonSet({ role, image, config: configs[role], gateway }));
}

const named = (resource: KubeResource, name: string): BundleMember => ({
  resource,
  object: { metadata: { namespace, name } },
});

/** Objects that earlier releases deployed and that must be deleted. */
export const legacy: readonly BundleMember[] = [
  named(resources.daemonSets, "mdsd"),
  named(resources.configMaps, "fluent-config"),
  named(resources.configMaps, "gateway-ca"),
  named(resources.secrets, "certificates"),
];
