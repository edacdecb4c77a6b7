import type { KubeObject } from "@keelson/apiserver";
import { stringAt } from "@keelson/base";
import { type Controller, done, type Result, watchFor } from "@keelson/controller";
import type { ObjectKey } from "@keelson/kube";
import { resources } from "../../base/resources.ts";
import type { Cluster } from "../../runtime/cluster.ts";
import { releaseImage } from "../../updates/update-source.ts";
import { baseConfigs, builtInRoles, osImageUrl } from "./base-configs.ts";
import { ensureConfig } from "./ensure-config.ts";
import { releaseVersionOf } from "./names.ts";

export const controllerConfigKey = { name: "machine-config-controller" };

const templates: ObjectKey = { name: "templates" };

/** Simulates the template controller. It maintains the release's MachineConfigs. */
export const machineConfigTemplates: Controller<Cluster> = {
  name: "machine-config-templates",
  watches: [
    watchFor(resources.controllerConfigs, templates),
    watchFor(resources.machineConfigs, templates, {
      where: ({ object }) => isTemplate(object.metadata.name),
    }),
  ],
  reconcile: reconcileTemplates,
};

function isTemplate(name: string): boolean {
  return /^(00|01|97|98|99)-(master|worker)(-|$)/.test(name);
}

async function reconcileTemplates(_key: ObjectKey, cluster: Cluster): Promise<Result> {
  const { client, settings } = cluster;
  const controllerConfig = await client.find(resources.controllerConfigs, controllerConfigKey);
  const version = releaseVersionOf(controllerConfig);
  if (version === undefined) return done;
  const [sshKey] = settings.sshAuthorizedKeys;
  for (const role of builtInRoles)
    for (const wanted of baseConfigs(role, version, sshKey)) await ensureConfig(client, wanted);
  return done;
}

export interface ControllerConfigFacts {
  readonly dns: KubeObject;
  readonly infrastructure: KubeObject;
  /** CA certificate of the machine config server in PEM. */
  readonly rootAuthorityPem: string;
  /** CA certificate of the API server in PEM. */
  readonly servingAuthorityPem: string;
}

/**
 * Returns the ControllerConfig with the cluster's settings for the machine config operator
 * (machineconfiguration.openshift.io/v1).
 */
export function controllerConfig(releaseVersion: string, facts: ControllerConfigFacts): KubeObject {
  const base64 = (pem: string) => Buffer.from(pem).toString("base64");
  const { annotations, spec } = releaseOf(releaseVersion);
  return {
    apiVersion: "machineconfiguration.openshift.io/v1",
    kind: "ControllerConfig",
    metadata: { ...controllerConfigKey, annotations },
    spec: {
      ...spec,
      additionalTrustBundle: null,
      cloudProviderCAData: null,
      cloudProviderConfig: "",
      clusterDNSIP: "172.30.0.10",
      dns: facts.dns,
      etcdDiscoveryDomain: "",
      images: {},
      infra: facts.infrastructure,
      ipFamilies: "IPv4",
      kubeAPIServerServingCAData: base64(facts.servingAuthorityPem),
      network: { mtuMigration: null },
      networkType: "OVNKubernetes",
      platform: "azure",
      proxy: null,
      pullSecret: { name: "pull-secret", namespace: "openshift-config" },
      rootCAData: base64(facts.rootAuthorityPem),
    },
  };
}

/** Returns the ControllerConfig fields that depend on the release. */
export function releaseOf(releaseVersion: string) {
  return {
    annotations: { "machineconfiguration.openshift.io/release-image-version": releaseVersion },
    spec: {
      baseOSContainerImage: osImageUrl(releaseVersion),
      osImageURL: osImageUrl(releaseVersion),
      releaseImage: releaseImage(releaseVersion),
    },
  };
}

/** True if the ControllerConfig specifies this release. */
export function isConfiguredFor(config: KubeObject | undefined, releaseVersion: string): boolean {
  return (
    releaseVersionOf(config) === releaseVersion &&
    stringAt(config, "spec", "osImageURL") === osImageUrl(releaseVersion)
  );
}
