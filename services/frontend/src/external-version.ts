import { providerNamespace } from "@keelson/arm";
import type { OpenShiftVersionProperties } from "@keelson/model";

const type = `${providerNamespace}/OpenShiftVersion`;

/** API versions from this one on also name an OpenShift version and its type. */
const namedSince = "2024-08-12-preview";

/** An OpenShift version as the API shows it. */
export function externalVersion(version: string, apiVersion: string): object {
  const properties = { version };
  if (apiVersion < namedSince) return { properties };
  return { name: version, type, properties };
}

/** An OpenShift version as administrators see and send it. */
export function adminOpenShiftVersion(properties: OpenShiftVersionProperties): object {
  return { name: properties.version, type, properties };
}
