import { type ClusterSpec, type Manifest, manifest } from "@keelson/aro-api";
import { resources } from "@keelson/kube";
import { serviceImage } from "../../runtime/service-image.ts";
import { upgradeAlerts } from "./alerts.ts";
import { configurationMap } from "./configuration.ts";
import { type DeploymentOptions, deployment, trustedCertificates } from "./deployment.ts";
import { name, namespace } from "./names.ts";
import { rights } from "./rights.ts";
import { upgradeConfigDefinition } from "./upgrade-config.ts";

const tag = "v0.1.1445-g512fbce";

/** Returns all objects of the managed upgrade operator (Azure/ARO-RP pkg/operator/controllers/muo). */
export function muoBundle(options: DeploymentOptions): readonly Manifest[] {
  return [
    upgradeConfigDefinition,
    manifest(resources.namespaces, {
      name: namespace,
      labels: { "openshift.io/cluster-monitoring": "true" },
      annotations: { "openshift.io/node-selector": "" },
    }),
    manifest(resources.serviceAccounts, { name, namespace }),
    ...rights,
    configurationMap,
    trustedCertificates,
    deployment(options),
    upgradeAlerts,
  ];
}

/**
 * Returns the image of the managed upgrade operator.
 * @throws Error if the Cluster has no registry
 */
export function muoImage(spec: ClusterSpec): string {
  return serviceImage(spec, "rh.srep.muo.deploy.pullspec", `app-sre/${name}:${tag}`);
}
