import { CloudError } from "@keelson/arm";
import { isPlainObject } from "@keelson/base";
import { malformed } from "../bodies/malformed.ts";
import { requestProperty, requestString } from "../bodies/request-properties.ts";
import { parseVersion } from "../cluster/openshift-version.ts";
import type { OpenShiftVersionDocument } from "../documents/catalogue-documents.ts";
import { parseMachineImages, publishedMachineImages } from "./machine-images.ts";

export type OpenShiftVersionProperties = OpenShiftVersionDocument["openShiftVersion"]["properties"];

/**
 * Parses and validates a PUT request for an installable version. Without a value in the request, `enabled` is false, and
 * `default` keeps its stored value.
 * @throws CloudError InvalidParameter for a missing value, or if no default version would remain
 */
export function parseVersionRequest(
  body: unknown,
  findCurrent: (version: string) => OpenShiftVersionProperties | undefined,
): OpenShiftVersionProperties {
  if (!isPlainObject(body)) throw malformed("", "an object", body);
  const properties = requestProperty(body, "properties") ?? {};
  if (!isPlainObject(properties)) throw malformed("properties", "an object", properties);
  const version = required(properties, "version");
  const installerPullspec = required(properties, "installerPullspec");
  const openShiftPullspec = required(properties, "openShiftPullspec");
  if (!parseVersion(version)) {
    throw invalid("version", `The provided version '${version}' is invalid: must be in the format 'x.y.z'.`);
  }
  const current = findCurrent(version);
  const given = requestProperty(properties, "machineImages") ?? undefined;
  const known = current?.machineImages ?? publishedMachineImages(version);
  // Clients of the reference service do not send images.
  const machineImages =
    given === undefined && known ? known : parseMachineImages(given, "properties.machineImages");
  const enabled = flag(properties, "enabled") ?? false;
  const isDefault = flag(properties, "default") ?? current?.default ?? false;
  if (!enabled && (isDefault || current?.default)) {
    throw invalid("enabled", "You cannot disable the default installation version.");
  }
  if (current?.default && !isDefault) {
    throw invalid(
      "default",
      "You cannot take the default from the default installation version. Make another version the default.",
    );
  }
  return {
    ...current,
    version,
    installerPullspec,
    openShiftPullspec,
    machineImages,
    enabled,
    default: isDefault,
  };
}

function required(properties: Record<string, unknown>, name: string): string {
  const value = requestString(properties, name, `properties.${name}`);
  if (value === "") throw invalid(name, "Must be provided");
  return value;
}

function flag(properties: Record<string, unknown>, name: string): boolean | undefined {
  const value = requestProperty(properties, name) ?? undefined;
  if (value !== undefined && typeof value !== "boolean") {
    throw malformed(`properties.${name}`, "a boolean", value);
  }
  return value;
}

function invalid(name: string, message: string): CloudError {
  return new CloudError("InvalidParameter", message, { target: `properties.${name}` });
}
