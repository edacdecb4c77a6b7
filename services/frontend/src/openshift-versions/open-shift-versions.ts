import { CloudError, providerNamespace } from "@keelson/arm";
import { type OpenShiftVersionProperties, publishedMachineImages } from "@keelson/model";
import { paths } from "../http/messages/paths.ts";
import { versionSince } from "../http/messages/version-rule.ts";
import type { Route } from "../http/route.ts";

/** Lists the installable OpenShift versions in ascending order. */
export const listOpenShiftVersions: Route = {
  method: "GET",
  path: paths.openShiftVersions,
  versions: versionSince("2022-09-04"),
  async handle({ version, signal }, { catalogue }) {
    const { names } = await catalogue.versions(signal);
    return { status: 200, body: { value: names.map((name) => externalVersion(name, version.name)) } };
  },
};

export const getOpenShiftVersion: Route = {
  method: "GET",
  path: paths.openShiftVersion,
  versions: versionSince("2022-09-04"),
  async handle(request, { catalogue }) {
    const name = request.parameter("openShiftVersion");
    const { names } = await catalogue.versions(request.signal);
    if (names.includes(name)) return { status: 200, body: externalVersion(name, request.version.name) };
    throw new CloudError(
      "ResourceNotFound",
      `The Resource openShiftVersion with version '${name}' was not found in the namespace '${request.parameter("namespace")}' for api version '${request.apiVersion}'.`,
      // The status for an unknown version is 400 instead of 404, as in Azure/ARO-RP (pkg/frontend, getInstallVersion).
      { status: 400 },
    );
  },
};

const type = `${providerNamespace}/OpenShiftVersion`;

/** First API version that returns names and types of OpenShift versions. */
const namedSince = "2024-08-12-preview";

/** Returns an OpenShift version in the format of the API version. */
function externalVersion(version: string, apiVersion: string): object {
  const properties = { version };
  if (apiVersion < namedSince) return { properties };
  return { name: version, type, properties };
}

/** Returns an OpenShift version in the admin API format. */
export function adminOpenShiftVersion(properties: OpenShiftVersionProperties): object {
  // Documents of earlier releases contain no machine images.
  const machineImages = properties.machineImages ?? publishedMachineImages(properties.version);
  const images = machineImages ? { machineImages } : {};
  return { name: properties.version, type, properties: { ...properties, ...images } };
}
