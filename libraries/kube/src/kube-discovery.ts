import { listAt, stringAt, valueAt } from "@keelson/base";
import type { KubeResource } from "./objects/kube-resource.ts";
import { KubeError } from "./responses/kube-error.ts";

/** Sends a GET request to a server path and returns the parsed JSON. */
type Read = (path: string) => Promise<unknown>;

/** Maximum number of group versions that one lookup reads. Each group version needs one request. */
const maxGroupVersions = 500;

interface GroupVersion {
  readonly group: string;
  readonly version: string;
}

/**
 * Finds the resource for `kind` or `kind.group`. `kind` is the kind, the plural or the singular name of the resource, in upper or
 * lower case. A complete match of the group takes precedence over a prefix match. Without a group, the core group is searched
 * first. All other groups follow in the server's order, each with its preferred version first. Returns undefined if no resource
 * matches.
 * @see kubernetes/apimachinery pkg/api/meta, the REST mapper's `ResourceFor`
 */
export async function discoverResource(
  read: Read,
  wanted: string,
  version?: string,
): Promise<KubeResource | undefined> {
  const dot = wanted.indexOf(".");
  const name = (dot < 0 ? wanted : wanted.slice(0, dot)).toLowerCase();
  const group = dot < 0 ? "" : wanted.slice(dot + 1);
  if (name === "") return undefined;
  if (group === "" && (version === undefined || version === "v1")) {
    const core = await resourceIn(read, { group: "", version: "v1" }, name);
    if (core) return core;
  }
  const candidates = (await groupVersions(read, group)).filter(
    (each) => version === undefined || each.version === version,
  );
  if (candidates.length > maxGroupVersions) {
    throw new KubeError(0, "TooLarge", `the server has more than ${maxGroupVersions} versions of API groups`);
  }
  const found = await Promise.all(candidates.map((each) => resourceIn(read, each, name)));
  return found.find((each) => each !== undefined);
}

/** Returns the group versions in the server's order. The preferred version of each group comes first. */
async function groupVersions(read: Read, wanted: string): Promise<readonly GroupVersion[]> {
  const groups = listAt(await read("/apis"), "groups").map((group) => {
    const preferred = stringAt(group, "preferredVersion", "version") ?? "";
    const versions = listAt(group, "versions").map((each) => stringAt(each, "version") ?? "");
    return { group: stringAt(group, "name") ?? "", versions: [...new Set([preferred, ...versions])] };
  });
  const exact = groups.filter(({ group }) => group === wanted);
  const chosen = exact.length > 0 ? exact : groups.filter(({ group }) => group.startsWith(wanted));
  return chosen.flatMap(({ group, versions }) =>
    versions.filter((version) => version !== "").map((version) => ({ group, version })),
  );
}

/**
 * Finds a resource in one group version. Undefined if no resource matches. An unavailable group counts as empty, so that other
 * groups remain usable.
 */
async function resourceIn(
  read: Read,
  { group, version }: GroupVersion,
  name: string,
): Promise<KubeResource | undefined> {
  const path = group === "" ? `/api/${version}` : `/apis/${group}/${version}`;
  const list = await read(path).catch((error: unknown) => {
    if (error instanceof KubeError && (error.code === 404 || error.code >= 500)) return undefined;
    throw error;
  });
  for (const each of listAt(list, "resources")) {
    const plural = stringAt(each, "name") ?? "";
    const kind = stringAt(each, "kind") ?? "";
    if (plural.includes("/")) continue;
    if (![plural, stringAt(each, "singularName") ?? "", kind.toLowerCase()].includes(name)) continue;
    return { group, version, plural, kind, namespaced: valueAt(each, "namespaced") === true };
  }
  return undefined;
}
