import { isPlainObject } from "@keelson/base";
import { malformed } from "../bodies/malformed.ts";
import { invalid, requestProperty, requestString } from "../bodies/request-properties.ts";
import { minorVersion, parseVersion } from "../cluster/openshift-version.ts";
import type { MachineImage, MachineImages } from "../documents/catalogue-documents.ts";

/** Red Hat's published images by minor version. They apply to documents of earlier Keelson releases, which contain no images. */
const published: Readonly<Record<string, MachineImages>> = {
  "4.16": { hyperVGen1: imageOf("aro_416", "416.94.20241021") },
  "4.17": both("aro_417", "417-v2", "417.94.20240701"),
  "4.18": both("aro_418", "418-v2", "418.94.20250122"),
  "4.19": both("aro_419", "419-v2", "419.6.20250523"),
  "4.20": both("aro_420", "aro_420-v2", "9.6.20251015"),
  "4.21": both("aro_420", "aro_420-v2", "9.6.20251015"),
};

function both(firstSku: string, secondSku: string, version: string): MachineImages {
  return { hyperVGen1: imageOf(firstSku, version), hyperVGen2: imageOf(secondSku, version) };
}

function imageOf(sku: string, version: string): MachineImage {
  return { publisher: "azureopenshift", offer: "aro4", sku, version };
}

/** Returns the published images of a version. Undefined for an unknown minor version. */
export function publishedMachineImages(version: string): MachineImages | undefined {
  const parsed = parseVersion(version);
  return parsed && published[minorVersion(parsed)];
}

const generations = ["hyperVGen1", "hyperVGen2"] as const;

/**
 * Parses the object `no-purchase-plan` of a release's stream data. The object contains one image for each Hyper-V generation.
 * @throws CloudError InvalidParameter or InvalidRequestContent, with a `target` that begins with `path`
 */
export function parseMachineImages(value: unknown, path: string): MachineImages {
  if (value !== undefined && value !== null && !isPlainObject(value))
    throw malformed(path, "an object", value);
  const entries = generations.flatMap((generation) => {
    const image = value ? (requestProperty(value, generation) ?? undefined) : undefined;
    return image === undefined ? [] : [[generation, parseImage(image, `${path}.${generation}`)] as const];
  });
  if (entries.length === 0)
    throw invalid(
      path,
      "Must be provided: hyperVGen1, hyperVGen2 or both, as in no-purchase-plan of the release's stream data",
    );
  return Object.fromEntries(entries);
}

function parseImage(value: unknown, path: string): MachineImage {
  if (!isPlainObject(value)) throw malformed(path, "an object", value);
  const field = (name: string) => {
    const found = requestString(value, name, `${path}.${name}`);
    if (found === "") throw invalid(`${path}.${name}`, "Must be provided");
    return found;
  };
  const image = {
    publisher: field("publisher"),
    offer: field("offer"),
    sku: field("sku"),
    version: field("version"),
  };
  // The version must have three numbers. Installers request exactly this version, because Azure does not resolve "latest".
  if (!/^\d+\.\d+\.\d+$/.test(image.version))
    throw invalid(
      `${path}.version`,
      `The provided image version '${image.version}' is invalid: must be in the format 'x.y.z', for example 419.6.20250523.`,
    );
  return image;
}
