import { CloudError } from "@keelson/arm";
import { isAdminRequest } from "@keelson/auth";
import { type ApiVersion, adminVersion, findAnyVersion, findApiVersion } from "@keelson/model";
import { type PathParameters, typeNotFound } from "./path-parameters.ts";

/**
 * Returns the API version for a request, or undefined if the route ignores it. Throws the CloudError for a
 * version that the route does not serve.
 */
export type VersionRule = (apiVersion: string, parameters: PathParameters) => ApiVersion | undefined;

export const uncheckedVersion: VersionRule = () => undefined;

/**
 * Rule for announcements of Azure Resource Manager. It rejects the version `admin`, which would admit
 * administrators.
 */
export const armOnly: VersionRule = (apiVersion) => {
  if (isAdminRequest({ path: "", apiVersion })) throw new CloudError("Forbidden", "Forbidden.");
  return undefined;
};

/**
 * Rule for administrators' routes, which have no versions. They return the same properties as the version
 * `admin`.
 */
export const adminOnly: VersionRule = () => adminVersion;

/**
 * Accepts every version, including `admin`, because the authorizer has verified that an administrator calls.
 */
export const knownVersion: VersionRule = (apiVersion, parameters) => {
  const version = findAnyVersion(apiVersion);
  if (!version) throw typeNotFound(parameters, apiVersion);
  return version;
};

/** Rule for paths without a resolved resource type. The type is empty in its error message. */
export const knownVersionOfNamespace: VersionRule = (apiVersion, { namespace = "" }) =>
  knownVersion(apiVersion, { namespace });

type OptionalOperation = ApiVersion["operations"] extends ReadonlySet<infer Name> ? Name : never;

/** Accepts versions that have a certain operation on clusters. */
export function versionWith(operation: OptionalOperation): VersionRule {
  return (apiVersion, parameters) => {
    const version = knownVersion(apiVersion, parameters);
    if (!version?.operations.has(operation)) throw typeNotFound(parameters, apiVersion);
    return version;
  };
}

/** Accepts customers' versions from `first` on. Version names begin with dates, so they sort as strings. */
export function versionSince(first: string): VersionRule {
  return (apiVersion, parameters) => {
    const version = knownVersionOfNamespace(apiVersion, parameters);
    if (version && version !== adminVersion && version.name >= first) return version;
    throw new CloudError(
      "InvalidResourceType",
      `The endpoint could not be found in the namespace '${parameters.namespace}' for api version '${apiVersion}'.`,
    );
  };
}

export const knownPreflightVersion: VersionRule = (apiVersion, { namespace }) => {
  const version = findApiVersion(apiVersion);
  if (version) return version;
  throw new CloudError(
    "InvalidResourceType",
    `Api version "${apiVersion}" is invalid for preflight validation in resource provider "${namespace}".`,
  );
};
