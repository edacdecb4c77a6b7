import type { ResourceType } from "@keelson/apimachinery";
import type { Kind } from "../kinds/kind.ts";
import { builtinKinds } from "./builtin-kinds.ts";

const allVerbs = ["create", "delete", "deletecollection", "get", "list", "patch", "update", "watch"] as const;

/** Built-in kinds as resources, with all of their versions, the preferred one first. */
export const builtinTypes: readonly ResourceType[] = builtinKinds.flatMap((kind) =>
  kind.versions.map((version) => typeIn(kind, version)),
);

function typeIn(kind: Kind, version: string): ResourceType {
  const {
    group,
    plural,
    shortNames = [],
    categories = [],
    namespaced,
    verbs = allVerbs,
    subresources = {},
  } = kind;
  return {
    group,
    version,
    kind: kind.kind,
    plural,
    singular: kind.kind.toLowerCase(),
    shortNames,
    categories,
    namespaced,
    verbs,
    subresources: Object.keys(subresources),
    columns: [],
    origin: "builtin",
    ownSubresources: subresources,
  };
}
