import type { ServiceConfig } from "@keelson/env";

type RoleSet = ServiceConfig["roleSets"][number];
type Role = RoleSet["platformWorkloadIdentityRoles"][number];

const csiDrivers = "openshift-cluster-csi-drivers";

/** Operators of OpenShift 4.16 to 4.21 that need an Azure built-in role, and the role of each operator. */
const roles: readonly Role[] = [
  role({
    operatorName: "cloud-controller-manager",
    title: "Cloud Controller Manager",
    definition: "a1f96423-95ce-4224-ab27-4e3dc72facd4",
    namespace: "openshift-cloud-controller-manager",
    accounts: ["cloud-controller-manager"],
    secret: "azure-cloud-credentials",
  }),
  role({
    operatorName: "ingress",
    title: "Cluster Ingress Operator",
    definition: "0336e1d3-7a87-462b-b6db-342b63f7802c",
    namespace: "openshift-ingress-operator",
    accounts: ["ingress-operator"],
    secret: "cloud-credentials",
  }),
  role({
    operatorName: "machine-api",
    title: "Machine API Operator",
    definition: "0358943c-7e01-48ba-8889-02cc51d78637",
    namespace: "openshift-machine-api",
    accounts: ["machine-api-controllers"],
    secret: "azure-cloud-credentials",
  }),
  role({
    operatorName: "disk-csi-driver",
    title: "Disk Storage Operator",
    definition: "5b7237c5-45e1-49d6-bc18-a1f62f400748",
    namespace: csiDrivers,
    accounts: ["azure-disk-csi-driver-operator", "azure-disk-csi-driver-controller-sa"],
    secret: "azure-disk-credentials",
  }),
  role({
    operatorName: "cloud-network-config",
    title: "Network Operator",
    definition: "be7a6435-15ae-4171-8f30-4a343eff9e8f",
    namespace: "openshift-cloud-network-config-controller",
    accounts: ["cloud-network-config-controller"],
    secret: "cloud-credentials",
  }),
  role({
    operatorName: "image-registry",
    title: "Image Registry Operator",
    definition: "8b32b316-c2f5-4ddf-b05b-83dacd2d08b5",
    namespace: "openshift-image-registry",
    accounts: ["cluster-image-registry-operator", "registry"],
    secret: "installer-cloud-credentials",
  }),
  role({
    operatorName: "file-csi-driver",
    title: "File Storage Operator",
    definition: "0d7aedc0-15fd-4a67-a412-efad370c947e",
    namespace: csiDrivers,
    accounts: [
      "azure-file-csi-driver-operator",
      "azure-file-csi-driver-controller-sa",
      "azure-file-csi-driver-node-sa",
    ],
    secret: "azure-file-credentials",
  }),
  role({
    operatorName: "aro-operator",
    title: "Service Operator",
    definition: "4436bae4-7702-4c84-919b-c4069ff25ee2",
    namespace: "openshift-azure-operator",
    accounts: ["aro-operator-master"],
    secret: "azure-cloud-credentials",
  }),
];

/** Role sets of all minor versions that support clusters with managed identities. */
export const embeddedRoleSets: readonly RoleSet[] = ["4.16", "4.17", "4.18", "4.19", "4.20", "4.21"].map(
  (openShiftVersion) => ({ openShiftVersion, platformWorkloadIdentityRoles: [...roles] }),
);

interface Operator {
  readonly operatorName: string;
  /** Role name without the service name at its start. */
  readonly title: string;
  /** Name (UUID) of the role definition. */
  readonly definition: string;
  readonly namespace: string;
  readonly accounts: readonly string[];
  readonly secret: string;
}

function role({ operatorName, title, definition, namespace, accounts, secret }: Operator): Role {
  return {
    operatorName,
    roleDefinitionName: `Azure Red Hat OpenShift ${title}`,
    roleDefinitionId: `/providers/Microsoft.Authorization/roleDefinitions/${definition}`,
    serviceAccounts: accounts.map((account) => `system:serviceaccount:${namespace}:${account}`),
    secretLocation: { namespace, name: secret },
  };
}
