import type { JsonValue } from "@keelson/base";
import { groupIdOf, keyOf, lastSegment, parentId } from "../arm/arm-path.ts";
import { at, nonEmptyStringAt } from "../base/json.ts";
import { type AuditedCluster, isSettled } from "./audited-cluster.ts";
import type { Inventory, InventoryResource } from "./inventory.ts";

/** Problem that an audit found: an Azure resource without a cluster, or a cluster without a required resource. */
export interface Finding {
  readonly kind:
    | "orphaned-group"
    | "orphaned-resource"
    | "orphaned-role-assignment"
    | "orphaned-role-definition"
    | "orphaned-dns-record"
    | "orphaned-federated-credential"
    | "orphaned-application"
    | "missing-group"
    | "missing-resource"
    | "missing-dns-record"
    | "missing-application"
    | "failed-resource";
  /** ID of the orphaned resource, or of the cluster that lacks a resource. */
  readonly id: string;
  readonly message: string;
}

const clusterId = /\/providers\/microsoft\.redhatopenshift\/openshiftclusters\/[^/]+$/i;

/**
 * Compares Azure's resources with the service's clusters. During an operation and after a failed creation, a cluster may lack
 * resources. Existing resources of such a cluster do not count as orphans.
 */
export function audit(inventory: Inventory, clusters: readonly AuditedCluster[]): readonly Finding[] {
  const known = new Set(clusters.map(({ id }) => keyOf(id)));
  return [
    ...orphanedGroups(inventory, known),
    ...orphanedAssignments(inventory),
    ...orphanedDefinitions(inventory),
    ...orphanedRecords(inventory, known),
    ...orphanedCredentials(inventory, clusters),
    ...orphanedEndpoints(inventory, clusters),
    ...orphanedApplications(inventory, clusters),
    ...clusters.filter(isSettled).flatMap((each) => missingOf(inventory, each)),
  ];
}

function orphanedGroups({ groups }: Inventory, known: ReadonlySet<string>): readonly Finding[] {
  return groups
    .filter(({ managedBy = "" }) => clusterId.test(managedBy) && !known.has(keyOf(managedBy)))
    .map(({ id, managedBy }) => ({
      kind: "orphaned-group",
      id,
      message: `it is managed by ${managedBy}, which there is not`,
    }));
}

function orphanedAssignments({ resources, principalIds }: Inventory): readonly Finding[] {
  const principals = new Set(principalIds);
  return ofType(resources, "Microsoft.Authorization/roleAssignments").flatMap(({ id, properties }) => {
    const principal = nonEmptyStringAt(properties, "principalId") ?? "";
    return principals.has(principal.toLowerCase())
      ? []
      : [
          {
            kind: "orphaned-role-assignment",
            id,
            message: `its principal ${principal} is not there`,
          } as const,
        ];
  });
}

/**
 * Returns role definitions that belong to deleted clusters. A role definition of the service has a single assignable scope, which
 * is the group of one cluster.
 */
function orphanedDefinitions({ resources, groups }: Inventory): readonly Finding[] {
  const there = new Set(groups.map(({ id }) => keyOf(id)));
  return ofType(resources, "Microsoft.Authorization/roleDefinitions").flatMap(({ id, properties }) => {
    const isOurs = nonEmptyStringAt(properties, "roleName")?.startsWith("Azure Red Hat OpenShift cluster");
    const scopes = texts(at(properties, "assignableScopes"));
    const isUsed = scopes.some((each) => there.has(keyOf(each)));
    return !isOurs || isUsed
      ? []
      : [{ kind: "orphaned-role-definition", id, message: `${scopes.join(", ")} is not there` } as const];
  });
}

function orphanedRecords({ resources }: Inventory, known: ReadonlySet<string>): readonly Finding[] {
  return resources.flatMap(({ id, properties }) => {
    const owner = nonEmptyStringAt(properties, "metadata", "resourceId") ?? "";
    return clusterId.test(owner) && !known.has(keyOf(owner))
      ? [{ kind: "orphaned-dns-record", id, message: `it belongs to ${owner}, which there is not` } as const]
      : [];
  });
}

function orphanedCredentials(
  { resources }: Inventory,
  clusters: readonly AuditedCluster[],
): readonly Finding[] {
  const issuers = new Set(clusters.map(({ oidcIssuer }) => oidcIssuer));
  const type = "Microsoft.ManagedIdentity/userAssignedIdentities/federatedIdentityCredentials";
  return ofType(resources, type).flatMap(({ id, properties }) => {
    const issuer = nonEmptyStringAt(properties, "issuer") ?? "";
    const isOurs = texts(at(properties, "audiences")).includes("openshift");
    return isOurs && !issuers.has(issuer)
      ? [
          {
            kind: "orphaned-federated-credential",
            id,
            message: `no cluster has the issuer ${issuer}`,
          } as const,
        ]
      : [];
  });
}

/**
 * Returns private endpoints that do not belong to a cluster. The service derives the name of a private endpoint from the cluster
 * document.
 */
function orphanedEndpoints(
  { resources }: Inventory,
  clusters: readonly AuditedCluster[],
): readonly Finding[] {
  const keys = new Set(
    clusters.flatMap(({ key }) => (key === undefined ? [] : [`rp-pe-${key}`.toLowerCase()])),
  );
  if (keys.size < clusters.length) return [];
  return ofType(resources, "Microsoft.Network/privateEndpoints").flatMap(({ id, name }) =>
    /^rp-pe-/i.test(name) && !keys.has(name.toLowerCase())
      ? [{ kind: "orphaned-resource", id, message: "no cluster has that key" } as const]
      : [],
  );
}

/** Returns applications that `az aro create` created and that no cluster uses anymore. */
function orphanedApplications(
  { applications }: Inventory,
  clusters: readonly AuditedCluster[],
): readonly Finding[] {
  const used = new Set(clusters.map(({ clientId }) => clientId?.toLowerCase()));
  return applications.flatMap(({ clientId, displayName }) =>
    /^aro-[a-z0-9]{8}$/.test(displayName) && !used.has(clientId.toLowerCase())
      ? [{ kind: "orphaned-application", id: clientId, message: `no cluster uses ${displayName}` } as const]
      : [],
  );
}

function missingOf(inventory: Inventory, cluster: AuditedCluster): readonly Finding[] {
  const { id, resourceGroupId = "", clientId } = cluster;
  const group = inventory.groups.find((each) => keyOf(each.id) === keyOf(resourceGroupId));
  const findings: Finding[] = [];
  const isThere = (wanted: string) =>
    inventory.applications.some((each) => each.clientId.toLowerCase() === wanted.toLowerCase());
  if (clientId !== undefined && !isThere(clientId)) {
    findings.push({ kind: "missing-application", id, message: `its application ${clientId} is not there` });
  }
  findings.push(...missingRecords(inventory, cluster));
  if (!group || keyOf(group.managedBy ?? "") !== keyOf(id)) {
    const message = group
      ? `its group ${resourceGroupId} is managed by ${group.managedBy ?? "no one"}`
      : `its group ${resourceGroupId} is not there`;
    return [...findings, { kind: "missing-group", id, message }];
  }
  const own = inventory.resources.filter(
    (each) => keyOf(groupIdOf(each.id) ?? "") === keyOf(resourceGroupId),
  );
  return [...findings, ...wrongIn(own, id)];
}

/** Checks a complete cluster for missing, failed and unnecessary resources. */
function wrongIn(own: readonly InventoryResource[], id: string): readonly Finding[] {
  const machines = ofType(own, "Microsoft.Compute/virtualMachines");
  const masters = machines.filter(({ name }) => /-master-/.test(name));
  const lacking = [
    ...(masters.length < 3 ? [`${3 - masters.length} of its 3 masters`] : []),
    ...["loadBalancers", "networkSecurityGroups"]
      .filter((type) => ofType(own, `Microsoft.Network/${type}`).length === 0)
      .map((type) => `each of its ${type}`),
  ];
  return [
    ...lacking.map((what): Finding => ({ kind: "missing-resource", id, message: `${what} is missing` })),
    ...own.flatMap((each): readonly Finding[] => {
      if (nonEmptyStringAt(each.properties, "provisioningState") === "Failed") {
        return [{ kind: "failed-resource", id: each.id, message: `its provisioning failed, in ${id}` }];
      }
      const isBootstrap = /-bootstrap(-nic|_osdisk)?$/i.test(each.name);
      return isBootstrap
        ? [{ kind: "orphaned-resource", id: each.id, message: `${id} is long past it` }]
        : [];
    }),
  ];
}

/**
 * Returns missing DNS records of the cluster. Checks only domains in the service's own zones, because the service creates cluster
 * records only in these zones.
 */
function missingRecords({ resources }: Inventory, { id, domain }: AuditedCluster): readonly Finding[] {
  const records = ofType(resources, "Microsoft.Network/dnsZones/A");
  const zones = ofType(resources, "Microsoft.Network/dnsZones").map(({ name }) => name.toLowerCase());
  const zone = zones.find((each) => domain?.toLowerCase().endsWith(`.${each}`));
  const isManaged = domain !== undefined && zones.length > 0 && (zone !== undefined || !domain.includes("."));
  if (!isManaged) return [];
  const prefix = zone === undefined ? domain : domain.slice(0, -zone.length - 1);
  return [`api.${prefix}`, `*.apps.${prefix}`].flatMap((name) => {
    const isThere = records.some(
      (each) =>
        each.name.toLowerCase() === name.toLowerCase() &&
        (zone === undefined || lastSegment(parentId(each.id)).toLowerCase() === zone) &&
        keyOf(nonEmptyStringAt(each.properties, "metadata", "resourceId") ?? "") === keyOf(id),
    );
    return isThere
      ? []
      : [{ kind: "missing-dns-record", id, message: `its record ${name} is not there` } as const];
  });
}

function ofType(resources: readonly InventoryResource[], type: string): readonly InventoryResource[] {
  return resources.filter((each) => each.type.toLowerCase() === type.toLowerCase());
}

function texts(value: JsonValue | undefined): readonly string[] {
  return Array.isArray(value) ? value.filter((each) => typeof each === "string") : [];
}
