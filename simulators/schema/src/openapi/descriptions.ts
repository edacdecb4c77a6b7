import { builtinKinds, type Kind, packageOf } from "@keelson/kinds";

const kinds: ReadonlyMap<string, Kind> = new Map(
  builtinKinds.flatMap((kind) =>
    kind.versions.map((version) => [`${packageOf(kind.group)}.${version}.${kind.kind}`, kind] as const),
  ),
);

const fields: Readonly<Record<string, string>> = {
  apiVersion: "Group and version of the object's schema.",
  kind: "Kind of the object.",
  metadata: "Name, labels and other metadata of the object.",
  spec: "The state that is wanted.",
  status: "The state that was observed; written by controllers.",
};

/** Returns the description of a type for `kubectl explain`. */
export function describeType(typeName: string): string | undefined {
  return typeName === "meta.v1.ObjectMeta"
    ? "Metadata that all stored objects have."
    : kinds.get(typeName)?.description;
}

/** Returns the description of a field. `isKind` is true for fields of a kind, false for fields of other types. */
export function describeField(typeName: string, field: string, isKind: boolean): string | undefined {
  return kinds.get(typeName)?.fieldDescriptions?.[field] ?? (isKind ? fields[field] : undefined);
}
