/**
 * Requests of an `az aro` command in order: method, resource and API version. Polls are omitted. `NET` is the virtual network,
 * `ID` a managed identity of the group, `CLUSTER` the cluster and `GUID` any ID.
 * @see Azure/ARO-RP python/az/aro/azext_aro/tests/latest/integration/recordings/
 */
export interface RecordedSession {
  readonly command: string;
  readonly calls: readonly string[];
}

const rp = "2025-07-25";
const network = "2022-01-01";
const master = `GET NET/subnets/master ${network}`;
const worker = `GET NET/subnets/worker ${network}`;
const principal = "GET servicePrincipals";
const permissions = "GET NET/permissions 2022-05-01-preview";
const roles = "GET NET/roleAssignments 2022-04-01";
const assign = (scope: string) => `PUT ${scope}/roleAssignments/GUID 2022-04-01`;

const arguments_ = [master, worker, "GET GROUP 2024-11-01"];
const checksOfNetwork = [
  ...[master, worker, `GET NET ${network}`, permissions],
  ...[master, worker, worker, master],
];

export const validate: RecordedSession = {
  command: "validate",
  calls: [...arguments_, principal, principal, ...checksOfNetwork, roles, roles],
};

export const create: RecordedSession = {
  command: "create with an application",
  calls: [
    ...[...arguments_, "GET Microsoft.RedHatOpenShift 2024-11-01"],
    ...[principal, principal, ...checksOfNetwork, roles, roles],
    ...[principal, principal, master, worker],
    ...[roles, assign("NET"), roles, assign("NET")],
    ...[`PUT CLUSTER ${rp}`, `GET CLUSTER ${rp}`],
  ],
};

/**
 * Requests of a command that names no application. They were not recorded, but derived from the source code of the original `az
 * aro`.
 */
export const createWithOwnApplication: RecordedSession = {
  command: "create with a separate application",
  calls: [
    ...[...arguments_, "GET Microsoft.RedHatOpenShift 2024-11-01", principal, ...checksOfNetwork, roles],
    ...["POST applications", "POST applications/GUID/addPassword", principal, "POST servicePrincipals"],
    ...[principal, master, worker, roles, assign("NET"), roles, assign("NET")],
    ...[`PUT CLUSTER ${rp}`, `GET CLUSTER ${rp}`],
  ],
};

export const update: RecordedSession = {
  command: "update of nothing",
  calls: [
    ...[`GET CLUSTER ${rp}`, principal, principal, master, worker, roles, roles],
    ...[`PATCH CLUSTER ${rp}`, `GET CLUSTER ${rp}`],
  ],
};

export const remove: RecordedSession = {
  command: "delete",
  calls: [`GET CLUSTER ${rp}`, principal, master, worker, roles, `DELETE CLUSTER ${rp}`],
};

/** Operators in the order of the role set, each with the scopes of its role assignments. */
const operators = [
  ["cloud-controller-manager", "subnets"],
  ["ingress", "subnets"],
  ["machine-api", "subnets"],
  ["disk-csi-driver", "nothing"],
  ["cloud-network-config", "network"],
  ["image-registry", "network"],
  ["file-csi-driver", "network"],
  ["aro-operator", "subnets"],
] as const;

const scopes = {
  subnets: ["NET/subnets/master", "NET/subnets/worker"],
  network: ["NET"],
  nothing: [],
} as const;

const identities = "2024-11-30";

function operatorCalls([name, over]: (typeof operators)[number]): readonly string[] {
  return [
    `PUT ID/${name} ${identities}`,
    "GET roleDefinitions/GUID 2022-05-01-preview",
    ...scopes[over].map(assign),
    assign(`ID/${name}`),
  ];
}

export const createWithIdentities: RecordedSession = {
  command: "create with managed identities",
  calls: [
    ...[...arguments_, "GET Microsoft.RedHatOpenShift 2024-11-01", ...checksOfNetwork],
    ...[`GET openShiftVersions ${rp}`, `GET openShiftVersions ${rp}`, master, worker],
    ...[`PUT ID/aro-cluster ${identities}`, `GET platformWorkloadIdentityRoleSets ${rp}`],
    ...operators.flatMap(operatorCalls),
    ...[principal, assign("NET"), `PUT CLUSTER ${rp}`, `GET CLUSTER ${rp}`],
  ],
};

const identityNames = ["aro-cluster", ...operators.map(([name]) => name).sort()];

export const removeWithIdentities: RecordedSession = {
  command: "delete with managed identities",
  calls: [
    `GET CLUSTER ${rp}`,
    ...identityNames.map((name) => `GET ID/${name}/permissions 2022-05-01-preview`),
    ...[principal, master, worker, roles, assign("NET"), `DELETE CLUSTER ${rp}`],
    ...identityNames.map((name) => `DELETE ID/${name} ${identities}`),
  ],
};

/** Returns a request in the format of the sessions in this file. Undefined for polls and sign-in requests. */
export function recordedCall({
  method,
  path,
  query,
}: {
  readonly method: string;
  readonly path: string;
  readonly query: URLSearchParams;
}): string | undefined {
  if (/\/operationsstatus\/|\/oauth2\/|\/\.well-known\//i.test(path)) return undefined;
  const resource = path
    .replace(/^\/v1\.0\//, "")
    .replace(/^\/subscriptions\/[^/]+/i, "")
    .replace(/^\/resourcegroups\/[^/]+$/i, "GROUP")
    .replace(/^\/resourcegroups\/[^/]+/i, "")
    .replace(/^\/providers\/Microsoft\.Network\/virtualNetworks\/net/, "NET")
    .replace(/^\/providers\/Microsoft\.ManagedIdentity\/userAssignedIdentities/, "ID")
    .replace(/^\/providers\/Microsoft\.RedHatOpenShift\/openShiftClusters\/[^/]+/, "CLUSTER")
    .replace(/^\/providers\/Microsoft\.RedHatOpenShift\/locations\/[^/]+\//, "")
    .replace(/\/?providers\/Microsoft\.Authorization/, "")
    .replace(/^\/(providers\/)?/, "")
    .replace(/[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}/g, "GUID");
  const version = query.get("api-version");
  return [method, resource, ...(version === null ? [] : [version])].join(" ");
}
