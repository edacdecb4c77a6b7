import type { ResourceType } from "@keelson/apimachinery";
import type { Kind } from "../kinds/kind.ts";
import { builtinKinds } from "./builtin-kinds.ts";

const allVerbs = ["create", "delete", "deletecollection", "get", "list", "patch", "update", "watch"] as const;

/** Resources of the built-in kinds in all versions. The preferred version of a kind comes first. */
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
