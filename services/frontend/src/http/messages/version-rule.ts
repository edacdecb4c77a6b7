import { CloudError } from "@keelson/arm";
import { isAdminRequest } from "@keelson/auth";
import { type ApiVersion, adminVersion, findAnyVersion, findApiVersion } from "@keelson/model";
import { type PathParameters, typeNotFound } from "./path-parameters.ts";

/**
 * Returns the API version of a request. Undefined if the route ignores the version. Throws a CloudError if the route does not
 * support the version.
 */
export type VersionRule = (apiVersion: string, parameters: PathParameters) => ApiVersion | undefined;

export const uncheckedVersion: VersionRule = () => undefined;

/**
 * Version rule for notifications of Azure Resource Manager. It rejects the version `admin`, because requests with this version
 * are authorized as administrators' requests.
 */
export const armOnly: VersionRule = (apiVersion) => {
  if (isAdminRequest({ path: "", apiVersion })) throw new CloudError("Forbidden", "Forbidden.");
  return undefined;
};

/**
 * Version rule for administrators' routes, which ignore the version in the request. These routes return the same properties as
 * the version `admin`.
 */
export const adminOnly: VersionRule = () => adminVersion;

/**
 * Accepts every version, including `admin`. For `admin`, the authorizer has already verified that the caller is an administrator.
 */
export const knownVersion: VersionRule = (apiVersion, parameters) => {
  const version = findAnyVersion(apiVersion);
  if (!version) throw typeNotFound(parameters, apiVersion);
  return version;
};

/** Version rule for paths without a resource type. The error for an unknown version names an empty type. */
export const knownVersionOfNamespace: VersionRule = (apiVersion, { namespace = "" }) =>
  knownVersion(apiVersion, { namespace });

type OptionalOperation = ApiVersion["operations"] extends ReadonlySet<infer Name> ? Name : never;

/** Accepts versions that support `operation` on clusters. */
export function versionWith(operation: OptionalOperation): VersionRule {
  return (apiVersion, parameters) => {
    const version = knownVersion(apiVersion, parameters);
    if (!version?.operations.has(operation)) throw typeNotFound(parameters, apiVersion);
    return version;
  };
}

/** Accepts customer versions from `first` on. Version names begin with dates, so they are compared as strings. */
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
