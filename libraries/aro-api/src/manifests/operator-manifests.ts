import { resources } from "@keelson/kube";
import { caBundle } from "./azure-access.ts";
import { credentialsRequest } from "./credentials-request.ts";
import { aroDefinitions } from "./definitions.ts";
import { type DeploymentOptions, deployment, disruptionBudget } from "./deployment.ts";
import { type Manifest, manifest } from "./manifest.ts";
import { monitoring } from "./monitoring.ts";
import { operatorNamespace, operatorRoles } from "./operator-names.ts";
import { prometheusAccess } from "./prometheus-access.ts";
import { account } from "./roles.ts";

/**
 * Returns the operator's objects in a cluster. The list excludes the Cluster resource and all objects that depend on the
 * cluster's document.
 */
export function operatorManifests(options: DeploymentOptions): readonly Manifest[] {
  return [
    ...aroDefinitions.map((object) => ({ resource: resources.customResourceDefinitions, object })),
    manifest(resources.namespaces, {
      name: operatorNamespace,
      labels: { "openshift.io/cluster-monitoring": "true" },
      annotations: { "openshift.io/node-selector": "" },
    }),
    credentialsRequest,
    ...caBundle(options.cloud),
    ...operatorRoles.flatMap((role) => [...account(role), deployment(role, options), disruptionBudget(role)]),
    ...monitoring,
    ...prometheusAccess,
  ];
}
