import { CloudError } from "@keelson/arm";
import { isAdminRequest } from "@keelson/auth";
import { type ApiVersion, adminVersion, findAnyVersion, findApiVersion } from "@keelson/model";
import { type PathParameters, typeNotFound } from "./path-parameters.ts";

/**
 * Which API versions a route serves: answers the version to use, or nothing where the route ignores it.
 * Throws the CloudError for a version that the route does not serve.
 */
export type VersionRule = (apiVersion: string, parameters: PathParameters) => ApiVersion | undefined;

export const uncheckedVersion: VersionRule = () => undefined;

/** For what only Azure Resource Manager announces: the version `admin` would let administrators in. */
export const armOnly: VersionRule = (apiVersion) => {
  if (isAdminRequest({ path: "", apiVersion })) throw new CloudError("Forbidden", "Forbidden.");
  return undefined;
};

/** For the routes of administrators, which have no versions: they show what the version `admin` shows. */
export const adminOnly: VersionRule = () => adminVersion;

/** Every version, `admin` as well: the authorizer has seen to it that an administrator calls. */
export const knownVersion: VersionRule = (apiVersion, parameters) => {
  const version = findAnyVersion(apiVersion);
  if (!version) throw typeNotFound(parameters, apiVersion);
  return version;
};

/** For paths whose type the service does not resolve: the text of the refusal leaves it empty. */
export const knownVersionOfNamespace: VersionRule = (apiVersion, { namespace = "" }) =>
  knownVersion(apiVersion, { namespace });

type OptionalOperation = ApiVersion["operations"] extends ReadonlySet<infer Name> ? Name : never;

/** Versions that have a certain operation on clusters. */
export function versionWith(operation: OptionalOperation): VersionRule {
  return (apiVersion, parameters) => {
    const version = knownVersion(apiVersion, parameters);
    if (!version?.operations.has(operation)) throw typeNotFound(parameters, apiVersion);
    return version;
  };
}

/** Customers' versions of `first` and later. Their names begin with their dates, so they sort as text. */
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
