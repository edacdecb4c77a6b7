import type { KubeObject } from "@keelson/apiserver";
import type { Cluster } from "../../runtime/cluster.ts";
import { type Controller, settled } from "../../runtime/controller.ts";
import { listAt, textAt } from "../../runtime/fields.ts";
import { resources } from "../../runtime/resources.ts";
import type { Outcome } from "../../runtime/work-queue.ts";
import { baseConfigs, builtInRoles, osImageUrl } from "./base-configs.ts";
import { ensureConfig } from "./ensure-config.ts";
import { releaseVersionOf } from "./names.ts";

export const controllerConfigKey = { name: "machine-config-controller" };

/** The template controller: the MachineConfigs that the release itself brings, repaired when somebody changes them. */
export const machineConfigTemplates: Controller = {
  name: "machine-config-templates",
  watches: [
    { on: "objects", resource: resources.controllerConfigs, keys: () => ["templates"] },
    {
      on: "objects",
      resource: resources.machineConfigs,
      keys: ({ metadata }) => (isTemplate(metadata.name) ? ["templates"] : []),
    },
  ],
  reconcile: reconcileTemplates,
};

function isTemplate(name: string): boolean {
  return /^(00|01|97|98|99)-(master|worker)(-|$)/.test(name);
}

async function reconcileTemplates(_key: string, cluster: Cluster): Promise<Outcome> {
  const { client } = cluster;
  const controllerConfig = await client.find(resources.controllerConfigs, controllerConfigKey);
  const version = releaseVersionOf(controllerConfig);
  if (version === undefined) return settled;
  const sshKey = listAt(controllerConfig, "spec", "sshAuthorizedKeys").find(
    (each) => typeof each === "string",
  );
  for (const role of builtInRoles)
    for (const wanted of baseConfigs(role, version, sshKey)) await ensureConfig(client, wanted);
  return settled;
}

/** What the operator's parts know of the cluster (machineconfiguration.openshift.io/v1 ControllerConfig). */
export function controllerConfig(
  releaseVersion: string,
  releaseImage: string,
  facts: { readonly domain: string; readonly infrastructure: KubeObject | undefined },
): KubeObject {
  return {
    apiVersion: "machineconfiguration.openshift.io/v1",
    kind: "ControllerConfig",
    metadata: {
      ...controllerConfigKey,
      annotations: { "machineconfiguration.openshift.io/release-image-version": releaseVersion },
    },
    spec: {
      baseOSContainerImage: osImageUrl(releaseVersion),
      cloudProviderCAData: null,
      cloudProviderConfig: "",
      clusterDNSIP: "172.30.0.10",
      dns: { apiVersion: "config.openshift.io/v1", kind: "DNS", spec: { baseDomain: facts.domain } },
      etcdDiscoveryDomain: "",
      images: {},
      infra: facts.infrastructure ?? {},
      ipFamilies: "IPv4",
      kubeAPIServerServingCAData: null,
      networkType: "OVNKubernetes",
      osImageURL: osImageUrl(releaseVersion),
      platform: "azure",
      proxy: null,
      pullSecret: { name: "pull-secret", namespace: "openshift-config" },
      releaseImage,
      rootCAData: null,
    },
  };
}

/** True once the operator's parts work towards this release. */
export function isConfiguredFor(config: KubeObject | undefined, releaseVersion: string): boolean {
  return (
    releaseVersionOf(config) === releaseVersion &&
    textAt(config, "spec", "osImageURL") === osImageUrl(releaseVersion)
  );
}
