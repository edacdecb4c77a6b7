import type { JsonValue } from "@keelson/base";
import { at, nonEmptyStringAt, objectsAt } from "../base/json.ts";
import type { Reference, ResourceRecord } from "./resource.ts";

/**
 * Location of references in a resource's body: a path below `properties`, or below each element of the array `within`. `*` stands
 * for all elements of an array.
 */
export interface ReferencePath {
  readonly within?: string;
  readonly path: readonly string[];
  /** Name of the property that contains the ID, in the object at the path. Default: `id`. */
  readonly member?: string;
  readonly soft?: boolean;
}

/** Returns the references that a resource of this type contains. */
export function referencesOf(
  type: { readonly references?: readonly ReferencePath[] },
  record: ResourceRecord,
): readonly Reference[] {
  return (type.references ?? []).flatMap(({ within, path, member = "id", soft = false }) => {
    const elements =
      within === undefined
        ? [{ from: record.id, properties: record.body.properties }]
        : objectsAt(record.body, "properties", within).map((each) => ({
            from: nonEmptyStringAt(each, "id") ?? record.id,
            properties: each.properties,
          }));
    return elements.flatMap(({ from, properties }) =>
      idsAt(properties, path, member).map((target) => ({ from, holder: record.id, target, soft })),
    );
  });
}

/** Returns the values of the property `member` in the objects at `path`. `*` stands for every element of an array. */
function idsAt(value: JsonValue | undefined, path: readonly string[], member: string): readonly string[] {
  const [name, ...rest] = path;
  if (Array.isArray(value) && (name === undefined || name === "*")) {
    return value.flatMap((each: JsonValue) => idsAt(each, rest, member));
  }
  if (name === undefined) return [nonEmptyStringAt(value, member)].filter((id) => id !== undefined);
  return idsAt(at(value, name), rest, member);
}
