import { aroDefinitions } from "@keelson/aro-api";
import { registryPullSecret } from "@keelson/installers";
import { type KubeResource, resources } from "@keelson/kube";
import {
  type IngressProfile,
  infraIdOf,
  type OpenShiftCluster,
  parseSubnetId,
  regionOf,
  usesWorkloadIdentity,
} from "@keelson/model";
import type { ServiceNetwork } from "../../environment.ts";
import { mergePullSecrets } from "../credentials/pull-secrets.ts";
import { type Manifest, manifest } from "./manifest.ts";

export const operatorNamespace = "openshift-azure-operator";
export const operatorRoles = ["master", "worker"] as const;
type OperatorRole = (typeof operatorRoles)[number];

export interface OperatorOptions {
  readonly image: string;
  /** The cluster's full domain. */
  readonly domain: string;
  readonly armEndpoint: string;
  readonly loginEndpoint: string;
  readonly network: ServiceNetwork;
  /** Domain of the service's registry. */
  readonly registryDomain?: string;
}

/** The operator's objects in the order of their creation; the Cluster resource comes last. */
export function operatorManifests(cluster: OpenShiftCluster, options: OperatorOptions): readonly Manifest[] {
  return [
    manifest(resources.namespaces, operatorNamespace, {
      labels: { "openshift.io/cluster-monitoring": "true" },
    }),
    ...aroDefinitions.map((object) => ({ resource: resources.customResourceDefinitions, object })),
    pullSecret(cluster),
    ...(usesWorkloadIdentity(cluster) ? [] : [credentialsRequest]),
    ...operatorRoles.flatMap((role) => workload(role, options.image)),
    clusterResource(cluster, options),
  ];
}

/**
 * The service's pull secret, from which the operator repairs the cluster's. It exists even without registries: the
 * operator fails without it (Azure/ARO-RP pkg/operator/controllers/pullsecret).
 */
function pullSecret(cluster: OpenShiftCluster): Manifest {
  const { pullSecret: own } = cluster.properties.clusterProfile;
  const secret = mergePullSecrets(own?.reveal() ?? "", registryPullSecret(cluster).reveal());
  return inNamespace(resources.secrets, "cluster", {
    type: "Opaque",
    stringData: { ".dockerconfigjson": secret },
  });
}

/** Requests the credentials with which the operator manages networks and storage accounts. */
export const credentialsRequest: Manifest = manifest(
  resources.credentialsRequests,
  "openshift-azure-operator",
  { namespace: "openshift-cloud-credential-operator" },
  {
    spec: {
      providerSpec: {
        apiVersion: "cloudcredential.openshift.io/v1",
        kind: "AzureProviderSpec",
        permissions: [
          "Microsoft.Storage/storageAccounts/listKeys/action",
          "Microsoft.Storage/storageAccounts/read",
          "Microsoft.Network/virtualNetworks/subnets/read",
          "Microsoft.Network/virtualNetworks/subnets/write",
          "Microsoft.Network/natGateways/join/action",
          "Microsoft.Network/routeTables/join/action",
          "Microsoft.Network/networkSecurityGroups/join/action",
          "Microsoft.Network/serviceEndpointPolicies/join/action",
          "Microsoft.Network/networkIntentPolicies/join/action",
          "Microsoft.Network/networkManagers/ipamPools/associateResourcesToPool/action",
        ],
      },
      secretRef: { name: "azure-cloud-credentials", namespace: operatorNamespace },
      serviceAccountNames: ["aro-operator-master"],
    },
  },
);

function workload(role: OperatorRole, image: string): readonly Manifest[] {
  const name = `aro-operator-${role}`;
  const subject = { kind: "ServiceAccount", name, namespace: operatorNamespace };
  const clusterRole = role === "master" ? "cluster-admin" : name;
  return [
    inNamespace(resources.serviceAccounts, name, {}),
    ...(role === "worker" ? [manifest(resources.clusterRoles, name, {}, { rules: workerRules })] : []),
    manifest(
      resources.clusterRoleBindings,
      name,
      {},
      {
        roleRef: { apiGroup: "rbac.authorization.k8s.io", kind: "ClusterRole", name: clusterRole },
        subjects: [subject],
      },
    ),
    ...(role === "master" ? [service(name)] : []),
    deployment(role, name, image),
  ];
}

const workerRules = [
  { apiGroups: ["aro.openshift.io"], resources: ["clusters"], verbs: ["get", "list", "watch"] },
  { apiGroups: ["aro.openshift.io"], resources: ["clusters/status"], verbs: ["get", "patch", "update"] },
];

function service(name: string): Manifest {
  const ports = [
    { name: "http", port: 8080, targetPort: 8080 },
    { name: "http-metrics", port: 8888, targetPort: 8888 },
  ];
  return inNamespace(resources.services, name, { spec: { ports, selector: { app: name } } });
}

function deployment(role: OperatorRole, name: string, image: string): Manifest {
  const labels = { app: name };
  const version = image.includes(":") ? image.slice(image.lastIndexOf(":") + 1) : "latest";
  return inNamespace(
    resources.deployments,
    name,
    {
      spec: {
        replicas: 1,
        selector: { matchLabels: labels },
        template: {
          metadata: { labels },
          spec: {
            serviceAccountName: name,
            nodeSelector: { [`node-role.kubernetes.io/${role}`]: "" },
            ...(role === "master" ? { tolerations: masterTolerations } : {}),
            containers: [{ name: "aro-operator", image, args: ["operator", role], securityContext }],
          },
        },
      },
    },
    { labels: { ...labels, version } },
  );
}

/** Pod Security's profile restricted: the operator uses APIs only. */
const securityContext = {
  allowPrivilegeEscalation: false,
  capabilities: { drop: ["ALL"] },
  runAsNonRoot: true,
  seccompProfile: { type: "RuntimeDefault" },
};

const masterTolerations = [
  { key: "node-role.kubernetes.io/master", operator: "Exists", effect: "NoSchedule" },
];

/** The Cluster resource: the facts of the document that the operator needs. */
function clusterResource(cluster: OpenShiftCluster, options: OperatorOptions): Manifest {
  const { properties } = cluster;
  const { registryDomain, network } = options;
  const registryUrls = registryDomain === undefined ? [] : [`https://${registryDomain}/`];
  return manifest(
    resources.aroClusters,
    "cluster",
    {},
    {
      spec: {
        resourceId: cluster.id,
        clusterResourceGroupId: properties.clusterProfile.resourceGroupId,
        domain: options.domain,
        ...(registryDomain === undefined ? {} : { acrDomain: registryDomain }),
        azEnvironment: "AzurePublicCloud",
        location: regionOf(cluster),
        infraId: infraIdOf(cluster),
        architectureVersion: properties.architectureVersion,
        storageSuffix: properties.storageSuffix,
        vnetId: parseSubnetId(properties.masterProfile.subnetId).virtualNetworkId,
        apiIntIP: properties.apiserverProfile.intIp,
        ingressIP: defaultIngress(cluster)?.ip,
        serviceSubnets: [
          network.privateEndpointSubnetId,
          network.serviceSubnetId,
          ...(network.gateway && properties.featureProfile?.gatewayEnabled ? [network.gateway.subnetId] : []),
        ],
        internetChecker: { urls: [...registryUrls, options.armEndpoint, options.loginEndpoint] },
        operatorflags: properties.operatorFlags ?? {},
      },
    },
  );
}

function defaultIngress({ properties: { ingressProfiles } }: OpenShiftCluster): IngressProfile | undefined {
  return ingressProfiles.find(({ name }) => name === "default") ?? ingressProfiles[0];
}

function inNamespace(
  resource: KubeResource,
  name: string,
  rest: Readonly<Record<string, unknown>>,
  metadata: Readonly<Record<string, unknown>> = {},
): Manifest {
  return manifest(resource, name, { ...metadata, namespace: operatorNamespace }, rest);
}
