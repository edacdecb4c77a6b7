import {
  clusterOperatorName,
  clusterOperators,
  configImages,
  configKey,
  configMaps,
  contentNamespace,
  imageStreamImports,
  imageStreams,
  operatorNamespace,
  proxies,
  pullSecretKey,
  samplesConfigs,
  secrets,
  templates,
} from "./resources/resources.ts";

/** Permission of the operator. If `namespace` is set, the permission applies only to this namespace. */
export interface SamplesPermission {
  readonly namespace?: string;
  readonly apiGroups: readonly string[];
  readonly resources: readonly string[];
  readonly resourceNames?: readonly string[];
  readonly verbs: readonly string[];
}

interface Scope {
  readonly namespace?: string;
  readonly name?: string;
  readonly subresource?: string;
}

const watching = ["get", "list", "watch"];
/** Server-side apply requires the permissions to patch and to create objects. */
const keeping = [...watching, "create", "patch", "delete"];

function may(
  verbs: readonly string[],
  { group, plural }: { readonly group: string; readonly plural: string },
  { namespace, name, subresource }: Scope = {},
): SamplesPermission {
  return {
    ...(namespace === undefined ? {} : { namespace }),
    apiGroups: [group],
    resources: [subresource === undefined ? plural : `${plural}/${subresource}`],
    ...(name === undefined ? {} : { resourceNames: [name] }),
    verbs,
  };
}

const leases = { group: "coordination.k8s.io", plural: "leases" };
const events = { group: "", plural: "events" };
const config = { name: configKey.name };
const clusterOperator = { name: clusterOperatorName };

/**
 * All permissions of the operator. Its roles in `manifests/` grant exactly these permissions. The permission to create objects
 * cannot be limited to names.
 */
export const permissions: readonly SamplesPermission[] = [
  may(["create"], samplesConfigs),
  may([...watching, "patch"], samplesConfigs, config),
  may(["patch"], samplesConfigs, { ...config, subresource: "status" }),
  may(["create"], clusterOperators),
  may(watching, clusterOperators, clusterOperator),
  may(["patch"], clusterOperators, { ...clusterOperator, subresource: "status" }),
  may(watching, configImages, { name: configKey.name }),
  may(["get"], proxies, { name: configKey.name }),
  may(watching, secrets, pullSecretKey),
  may(keeping, imageStreams, { namespace: contentNamespace }),
  may(keeping, templates, { namespace: contentNamespace }),
  may(["create"], imageStreamImports, { namespace: contentNamespace }),
  may(keeping, configMaps, { namespace: operatorNamespace }),
  may(["create"], leases, { namespace: operatorNamespace }),
  may(["get", "update"], leases, { namespace: operatorNamespace, name: "cluster-samples-operator" }),
  // Events are about the operator's Deployment, so they are in the namespace of the operator.
  may(["get", "create", "patch"], events, { namespace: operatorNamespace }),
];
