import { isPlainObject, type JsonObject, Secret } from "@keelson/base";
import type { ApiVersion, Models } from "../api-versions/version.ts";
import type { OpenShiftCluster } from "../cluster/open-shift-cluster.ts";
import type { SchemaNode } from "../fields/schema.ts";
import { isWireObject, type Wire, type WireValue, wireOf } from "../fields/wire.ts";

/**
 * Returns the cluster in the format of API version `version`, without secrets and zero values. `purpose` is `write` for responses
 * to PUT and PATCH. These responses omit `workerProfilesStatus`. In 2025-07-25 and later, they also omit router addresses.
 *
 * `workerProfiles` always contains the requested workers, even in versions before 2023-09-04, which have no
 * `workerProfilesStatus` for the existing workers. A PATCH body is merged into the requested workers. A GET response with
 * existing workers would therefore differ from the base of the merge.
 */
export function toExternal(
  version: ApiVersion,
  cluster: OpenShiftCluster,
  purpose: "read" | "write",
): JsonObject {
  const external = readCluster(version, cluster, { secrets: false });
  if (purpose === "read" || !isWireObject(external.properties)) return external;
  const { workerProfilesStatus: _, ...properties } = external.properties;
  if (version.models === "hand-written") return { ...external, properties };
  return { ...external, properties: withoutRouterAddresses(properties) };
}

/** Removes router addresses from a response to PUT or PATCH. Azure's own service omits them too in version 2025-07-25. */
function withoutRouterAddresses(properties: Wire): Wire {
  const { ingressProfiles } = properties;
  if (!Array.isArray(ingressProfiles)) return properties;
  const shown = ingressProfiles.map((profile) => {
    if (!isWireObject(profile)) return profile;
    const { ip: _, ...rest } = profile;
    return rest;
  });
  return { ...properties, ingressProfiles: shown };
}

/**
 * Returns the cluster in the format of the version. With `secrets`, the result also contains secrets, so that callers can compare
 * or preserve them.
 */
export function readCluster(
  version: ApiVersion,
  cluster: object,
  options: { readonly secrets: boolean },
): Wire {
  return readMembers(version.fields, { ...cluster }, { models: version.models, ...options });
}

interface View {
  readonly models: Models;
  readonly secrets: boolean;
}

function readMembers(nodes: readonly SchemaNode[], stored: Record<string, unknown>, view: View): Wire {
  const wire: Record<string, WireValue> = {};
  for (const node of nodes) {
    const value = readField(node, stored[node.field.internalName ?? node.name], view);
    if (value !== undefined) wire[node.name] = value;
  }
  return wire;
}

function readField(node: SchemaNode, stored: unknown, view: View): WireValue | undefined {
  switch (node.field.type) {
    case "text":
    case "time":
      return readText(stored, view);
    case "integer":
      return typeof stored === "number" && stored !== 0 ? stored : undefined;
    case "boolean":
      return stored === true ? true : undefined;
    case "object":
      return readObject(node, stored, view);
    case "list":
      return readList(node, stored, view);
    case "map":
    case "text map":
      return readMap(node, stored, view);
  }
}

function readText(stored: unknown, view: View): string | undefined {
  const text = stored instanceof Secret ? (view.secrets ? stored.reveal() : "") : stored;
  return typeof text === "string" && text !== "" ? text : undefined;
}

function readObject(node: SchemaNode, stored: unknown, view: View): Wire | undefined {
  const present = isPlainObject(stored);
  if (!present && node.field.presence === "optional") return undefined;
  const wire = readMembers(node.members, present ? stored : {}, view);
  return node.field.presence === "filled" && Object.keys(wire).length === 0 ? undefined : wire;
}

function readList(node: SchemaNode, stored: unknown, view: View): readonly Wire[] | undefined {
  if (!Array.isArray(stored)) return undefined;
  if (stored.length === 0 && view.models === "hand-written") return undefined;
  return stored.map((element) => readMembers(node.members, isPlainObject(element) ? element : {}, view));
}

/** Reads a map. Sorts its entries by key, as Azure's own service does. */
function readMap(node: SchemaNode, stored: unknown, view: View): Wire | undefined {
  if (!isPlainObject(stored)) return undefined;
  const entries = Object.entries(stored).toSorted(([a], [b]) => (a < b ? -1 : 1));
  if (entries.length === 0) return undefined;
  return wireOf(
    entries.map(([key, value]) => [
      key,
      node.field.type === "text map"
        ? typeof value === "string"
          ? value
          : ""
        : readMembers(node.members, isPlainObject(value) ? value : {}, view),
    ]),
  );
}
