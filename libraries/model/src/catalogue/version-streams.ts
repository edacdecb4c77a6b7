import { defineErrors, isPlainObject, type JsonObject, type JsonValue, objectAt } from "@keelson/base";
import { minorVersion, parseVersion } from "../cluster/openshift-version.ts";
import { parseMachineImages, publishedMachineImages } from "./machine-images.ts";
import type { OpenShiftVersionProperties } from "./openshift-version-request.ts";
import { parseRoleSetRequest, type RoleSetProperties } from "./role-set-request.ts";

const streamErrors = defineErrors({ InvalidStreams: { retry: "never" } });

/**
 * Parses the versions in `streams` (`{DefaultStream: {version: pullspec}, InstallStreams: {...}}`). `digests` contains the
 * installer digests by minor version. `images` contains the machine images by minor version. Default of `images`: the published
 * images.
 * @throws InvalidStreams
 */
export function parseVersionStreams(
  streams: JsonValue,
  digests: JsonValue,
  registry: string,
  images: JsonValue = {},
): readonly OpenShiftVersionProperties[] {
  const { DefaultStream: defaults = {}, InstallStreams: others = {} } = objectAt(streams);
  if (!isPlainObject(streams) || !isPlainObject(defaults) || !isPlainObject(others)) {
    throw streamErrors.InvalidStreams(
      "expected an object of DefaultStream and InstallStreams, which are objects of versions",
    );
  }
  const count = Object.keys(defaults).length;
  if (count !== 1)
    throw streamErrors.InvalidStreams(`DefaultStream must have exactly 1 entry, found ${count}`);
  if (!isPlainObject(images))
    throw streamErrors.InvalidStreams("expected an object of machine images by minor version");
  const sources = { digests, registry, images };
  const versions = [
    ...Object.entries(defaults).map((entry) => versionOf(entry, sources, true)),
    ...Object.entries(others).map((entry) => versionOf(entry, sources, false)),
  ];
  const twice = versions.find(
    ({ version }, index) => versions.findIndex((each) => each.version === version) < index,
  );
  if (twice) throw streamErrors.InvalidStreams(`version ${twice.version} is named twice`);
  return versions;
}

interface InstallSources {
  readonly digests: JsonValue;
  readonly registry: string;
  readonly images: JsonObject;
}

function versionOf(
  [name, pullspec]: [string, unknown],
  { digests, registry, images }: InstallSources,
  isDefault: boolean,
): OpenShiftVersionProperties {
  const version = name.trim();
  const parsed = parseVersion(version);
  if (!parsed) throw streamErrors.InvalidStreams(`${JSON.stringify(name)} is not a version: expected x.y.z`);
  if (typeof pullspec !== "string" || pullspec === "")
    throw streamErrors.InvalidStreams(`version ${version} has no pullspec`);
  const minor = minorVersion(parsed);
  const digest: unknown = isPlainObject(digests) ? digests[minor] : undefined;
  if (digest === undefined) throw streamErrors.InvalidStreams(`no installer digest for version ${minor}`);
  if (typeof digest !== "string" || !/^sha256:[0-9a-f]{64}$/.test(digest)) {
    throw streamErrors.InvalidStreams(
      `the installer digest for version ${minor} is invalid: expected sha256: and 64 digits`,
    );
  }
  const installerPullspec = `${registry}/aro-installer:${minor}@${digest}`;
  const given = images[minor];
  const machineImages =
    given === undefined ? publishedMachineImages(version) : parseMachineImages(given, minor);
  if (!machineImages) throw streamErrors.InvalidStreams(`no machine images for version ${minor}`);
  return {
    version,
    openShiftPullspec: pullspec,
    installerPullspec,
    machineImages,
    enabled: true,
    default: isDefault,
  };
}

/**
 * Parses a list of role sets, one for each minor version.
 * @throws InvalidStreams, CloudError InvalidParameter
 */
export function parseRoleSets(value: JsonValue): readonly RoleSetProperties[] {
  if (!Array.isArray(value) || value.length === 0)
    throw streamErrors.InvalidStreams("expected a list of role sets, with one at least");
  const roleSets = value.map((properties) => parseRoleSetRequest({ properties }));
  const twice = roleSets.find(
    ({ openShiftVersion }, index) =>
      roleSets.findIndex((each) => each.openShiftVersion === openShiftVersion) < index,
  );
  if (twice) throw streamErrors.InvalidStreams(`version ${twice.openShiftVersion} is there twice`);
  return roleSets;
}
