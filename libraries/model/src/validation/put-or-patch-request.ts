import { CloudError, resourceGroupNameOf } from "@keelson/arm";
import { defaultOperatorFlags } from "@keelson/aro-api";
import type { ApiVersion } from "../api-versions/version.ts";
import { assertIdentitiesMatch, type PlatformWorkloadIdentityRoleSet } from "../catalogue/role-sets.ts";
import { withDefaults } from "../cluster/defaults.ts";
import type { OpenShiftCluster } from "../cluster/open-shift-cluster.ts";
import { parseVersion } from "../cluster/openshift-version.ts";
import { movedPlaces, resumedCreation } from "../cluster/resumed-creation.ts";
import { withRetiredIdentities } from "../cluster/retired-identities.ts";
import { readCluster } from "../conversion/external.ts";
import { writeCluster } from "../conversion/internal.ts";
import { overlay, withoutReadOnly } from "../conversion/overlay.ts";
import { putBase } from "../conversion/put-base.ts";
import { isWireObject, textOf, type Wire } from "../fields/wire.ts";
import { beginMaintenance } from "../maintenance/begin-maintenance.ts";
import { proposedCluster } from "../rules/proposed-cluster.ts";
import { type Examined, invalid, type Violation } from "../rules/rule.ts";
import { validateDelta } from "./delta.ts";
import { validateFlagChanges } from "./operator-flag-changes.ts";
import { validateStatic } from "./static-rules.ts";
import { withUnchangedValues } from "./unchanged-values.ts";
import { throwViolations } from "./violations.ts";

/** PUT or PATCH request for a cluster, with all data that its validation needs. */
export interface ClusterRequest {
  readonly version: ApiVersion;
  readonly method: "PUT" | "PATCH";
  /** Stored cluster. Undefined for a new cluster. */
  readonly current?: OpenShiftCluster | undefined;
  /** Parsed body. It can be any JSON value. */
  readonly body: unknown;
  /** ID, name and type of the cluster, in the letter case of the requested URL. A new cluster stores them in this form. */
  readonly url: { readonly id: string; readonly name: string; readonly type: string };
  readonly subscriptionId: string;
  /** Region of the resource provider. */
  readonly location: string;
  /** Parent domain for new clusters, for example `eastus.aroapp.io`. */
  readonly domain: string;
  /** OpenShift version of a new cluster if the request specifies none. */
  readonly defaultVersion?: string | undefined;
  readonly isVersionEnabled: (version: string) => boolean;
  readonly roleSets?: readonly PlatformWorkloadIdentityRoleSet[];
  /** True if workers must have the smallest sizes. For development only. */
  readonly requireD2sWorkers?: boolean;
  /** Creation time (RFC 3339) and build of the service, for new clusters. */
  readonly newCluster: { readonly createdAt: string; readonly createdBy: string };
}

/** Architecture of all new clusters: two load balancers and one network security group. */
const architectureVersion = 1;

/**
 * Returns the cluster to store. Its provisioning state is `Creating` (with default values) or `Updating`, or the state that a
 * maintenance request sets. The service's own values (IDs, addresses, credentials, `systemData`) and unknown properties are
 * preserved. The caller must check the provisioning state with `assertRequestAllowed`.
 * @throws CloudError with code, target and message of the first violation, in the validation order of the API version. With
 * several violations, `details` contains all of them, including the first.
 */
export function applyClusterRequest(request: ClusterRequest): OpenShiftCluster {
  const { current } = request;
  const { provisioningState, failedProvisioningState, creationResumable } = current?.properties ?? {};
  const failedToCreate = provisioningState === "Failed" && failedProvisioningState === "Creating";
  // Only requests that resume the creation reach this line in this state. All other requests have already been rejected.
  if (current && failedToCreate && creationResumable) return withDefaults(createAgain(request, current));
  if (current) return withDefaults(update(request, current));
  if (request.method === "PATCH") throw notFound(request);
  return withDefaults(create(request));
}

function create(request: ClusterRequest): OpenShiftCluster {
  const { version, newCluster } = request;
  const { id, name, type } = request.url;
  const blank = {
    id,
    name,
    type,
    properties: {
      provisioningState: "Succeeded",
      architectureVersion,
      createdAt: newCluster.createdAt,
      createdBy: newCluster.createdBy,
      provisionedBy: newCluster.createdBy,
    },
  };
  const base = readCluster(version, blank, { secrets: true });
  const proposed = withVersion(overlay(version, base, request.body), request.defaultVersion);
  const wrong = validateStatic(version, examine(request, proposed, architectureVersion));
  const disabled = versionDisabled(request, proposed);
  if (wrong.length > 0) throwViolations([...wrong, ...disabled]);
  const cluster = writeCluster(version, proposed, blank);
  assertIdentitiesMatch(cluster, request.roleSets ?? []);
  throwViolations(disabled);
  return {
    ...withIdentityOf(blank, cluster),
    properties: {
      ...cluster.properties,
      provisioningState: "Creating",
      clusterProfile: {
        ...cluster.properties.clusterProfile,
        resourceGroupId: cluster.properties.clusterProfile.resourceGroupId.toLowerCase(),
      },
    },
  };
}

function createAgain({ current: _, ...request }: ClusterRequest, failed: OpenShiftCluster): OpenShiftCluster {
  const requested = create(request);
  throwViolations(
    movedPlaces(failed, requested).map((target) => ({
      code: "PropertyChangeNotAllowed",
      target,
      message: `Changing property '${target}' is not allowed.`,
    })),
  );
  return resumedCreation(failed, requested);
}

function update(request: ClusterRequest, current: OpenShiftCluster): OpenShiftCluster {
  const { version, method } = request;
  const stored = readCluster(version, current, { secrets: true });
  const base = withoutReadOnly(version.fields, method === "PUT" ? putBase(version.fields, stored) : stored);
  const requested = withOperatorFlags(version, base, request.body);
  const isDeclarative = method === "PUT" && version.updates === "cluster";
  const proposed = withUnchangedValues(version.fields, requested, stored, isDeclarative);
  const wrong = validateStatic(version, examine(request, proposed, current.properties.architectureVersion));
  const targets = new Set(wrong.map(({ target }) => target));
  const changed = validateDelta(version, proposed, stored).filter(({ target }) => !targets.has(target));
  throwViolations([...wrong, ...changed, ...validateFlagChanges(proposed, stored)]);
  const cluster = writeCluster(version, proposed, current);
  assertIdentitiesMatch(cluster, request.roleSets ?? []);
  const updated = withRetiredIdentities(current, withIdentityOf(current, cluster));
  if (version.updates === "maintenance") return beginMaintenance(updated, updated.properties.maintenanceTask);
  return {
    ...updated,
    properties: {
      ...updated.properties,
      provisioningState: "Updating",
      lastProvisioningState: current.properties.provisioningState,
    },
  };
}

/** Applies the body to the base. If the body requests a reset of the operator flags, the base first gets the default flags. */
function withOperatorFlags(version: ApiVersion, base: Wire, body: unknown): Wire {
  const proposed = overlay(version, base, body);
  if (proposed.operatorFlagsMergeStrategy !== "reset" || !isWireObject(base.properties)) return proposed;
  const properties = { ...base.properties, operatorFlags: defaultOperatorFlags };
  return overlay(version, { ...base, properties }, body);
}

/**
 * Restores the stored identity. A request must not change the resource's ID, name, type and creation metadata, including their
 * letter case.
 */
function withIdentityOf(
  { id, name, type, systemData }: Pick<OpenShiftCluster, "id" | "name" | "type" | "systemData">,
  cluster: OpenShiftCluster,
): OpenShiftCluster {
  const { systemData: _, ...written } = cluster;
  return { ...written, id, name, type, ...(systemData ? { systemData } : {}) };
}

function examine(request: ClusterRequest, proposed: Wire, architecture: number): Examined {
  const { version, url, subscriptionId, location, domain, current } = request;
  const id = url.id.toLowerCase();
  return {
    cluster: proposedCluster(proposed),
    wire: proposed,
    fields: version.fields,
    creating: current === undefined,
    url: { id, name: url.name.toLowerCase() },
    subscriptionId,
    resourceGroup: resourceGroupNameOf(id) ?? "",
    storedIdentityIds: Object.keys(current?.managedServiceIdentity?.userAssignedIdentities ?? {}),
    location,
    domain,
    architectureVersion: architecture,
    requireD2sWorkers: request.requireD2sWorkers ?? false,
  };
}

/**
 * Sets the OpenShift version if the request omits it. This happens before the validation, because the allowed machine sizes
 * depend on the version.
 */
function withVersion(proposed: Wire, defaultVersion: string | undefined): Wire {
  const { properties } = proposed;
  if (!isWireObject(properties) || !isWireObject(properties.clusterProfile)) return proposed;
  if (textOf(properties.clusterProfile.version) !== "") return proposed;
  if (!defaultVersion) {
    throw new CloudError(
      "InternalServerError",
      "No default OpenShift version is available. Please specify a version explicitly using the --version parameter.",
      { target: versionPath },
    );
  }
  const clusterProfile = { ...properties.clusterProfile, version: defaultVersion };
  return { ...proposed, properties: { ...properties, clusterProfile } };
}

const versionPath = "properties.clusterProfile.version";

function versionDisabled({ isVersionEnabled }: ClusterRequest, proposed: Wire): readonly Violation[] {
  const version = proposedCluster(proposed).properties.clusterProfile.version ?? "";
  if (parseVersion(version) && isVersionEnabled(version)) return [];
  return [invalid(versionPath, `The requested OpenShift version '${version}' is invalid.`)];
}

function notFound({ url }: ClusterRequest): CloudError {
  const name = url.name.toLowerCase();
  const group = (resourceGroupNameOf(url.id) ?? "").toLowerCase();
  return new CloudError(
    "ResourceNotFound",
    `The Resource 'openshiftclusters/${name}' under resource group '${group}' was not found.`,
  );
}
