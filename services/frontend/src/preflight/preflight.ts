import {
  asCloudError,
  CloudError,
  clusterId,
  clusterResourceType,
  flattenCloudError,
  parseResourceId,
  resourceKey,
} from "@keelson/arm";
import { isPlainObject, type JsonObject, type JsonValue, stringAt, valueAt } from "@keelson/base";
import { applyClusterRequest, findApiVersion } from "@keelson/model";
import { typeNotFound } from "../http/messages/path-parameters.ts";
import { paths } from "../http/messages/paths.ts";
import { checkTexts, invalidContent, parseJson } from "../http/messages/request-body.ts";
import type { RequestContext } from "../http/messages/request-context.ts";
import { knownPreflightVersion } from "../http/messages/version-rule.ts";
import type { Route } from "../http/route.ts";
import { requiredOperators } from "../role-sets/role-sets.ts";
import { assertIdentitiesOffered } from "../service/managed-identities.ts";
import type { Service } from "../service/service.ts";

/**
 * Checks the clusters of a template deployment. The HTTP status is always 200, and the body contains the first failure, if any.
 * The checks are those of the PUT request that the deployment will send for each cluster. The states of the cluster and of the
 * subscription are not checked, because they may change before this PUT request.
 */
export const preflight: Route = {
  method: "POST",
  path: paths.preflight,
  versions: knownPreflightVersion,
  async handle(request, service) {
    request.bodyBytes();
    try {
      const body = parseJson(request.bodyBytes());
      for (const resource of clusterResources(body)) await checkResource(resource, request, service);
      checkTexts(body);
    } catch (error) {
      if (!(error instanceof CloudError)) throw error;
      const cloudError = asCloudError(error);
      const { code, target, details } = cloudError.body;
      return {
        status: 200,
        body: { status: "Failed", error: { code, message: flattenCloudError(cloudError), target, details } },
      };
    }
    return { status: 200, body: { status: "Succeeded" } };
  },
};

function clusterResources(body: JsonValue): JsonObject[] {
  const resources = valueAt(body, "resources");
  if (!Array.isArray(resources)) throw invalidContent("expected an object with an array 'resources'");
  return resources.filter(isClusterResource);
}

function isClusterResource(resource: unknown): resource is JsonObject {
  if (!isPlainObject(resource)) throw invalidContent("expected every element of 'resources' to be an object");
  const { type } = resource;
  return typeof type === "string" && type.toLowerCase() === clusterResourceType.toLowerCase();
}

async function checkResource(resource: JsonObject, request: RequestContext, service: Service): Promise<void> {
  const { apiVersion, ...body } = resource;
  const version = typeof apiVersion === "string" ? findApiVersion(apiVersion) : undefined;
  if (!version)
    throw typeNotFound({ ...request.parameters, type: "openshiftclusters" }, `${apiVersion ?? ""}`);
  const name = stringAt(resource, "name") ?? "";
  const id =
    stringAt(resource, "id") ||
    clusterId(request.parameter("subscriptionId"), request.parameter("resourceGroup"), name);
  const subscriptionId = parseResourceId(id)?.subscriptionId.toLowerCase();
  if (subscriptionId === undefined) {
    const message = `Cluster not found for resourceID: ${id.toLowerCase()}`;
    throw new CloudError("ResourceNotFound", message, { status: 400, target: "id" });
  }
  // Azure Resource Manager has authorized the caller only for the subscription in the path. A cluster in a different subscription
  // is therefore checked as if it did not exist, so that the response reveals nothing about existing clusters.
  const isAuthorized = subscriptionId === request.parameter("subscriptionId").toLowerCase();
  const [stored, versions, roleSets] = await Promise.all([
    isAuthorized
      ? service.database.collections.clusters.findBy(subscriptionId, "key", resourceKey(id), request.signal)
      : undefined,
    service.catalogue.versions(request.signal),
    service.catalogue.roleSets(request.signal),
  ]);
  const cluster = applyClusterRequest({
    version,
    method: "PUT",
    current: stored && (await service.clusterStatus.get(stored.document, request.signal)),
    body,
    url: { id, name, type: clusterResourceType },
    subscriptionId,
    location: service.location,
    domain: service.domain,
    defaultVersion: versions.defaultVersion,
    isVersionEnabled: (each) => versions.names.includes(each),
    roleSets: roleSets.map(requiredOperators),
    newCluster: { createdAt: request.receivedAt.toISOString(), createdBy: service.buildId },
  });
  if (!stored) assertIdentitiesOffered(cluster, service.managedIdentities);
}
