import type { Kind } from "../kinds/kind.ts";
import { kinds } from "./kinds.generated.ts";

/** Built-in kinds sorted by group and name, as in discovery. */
export const builtinKinds: readonly Kind[] = kinds.toSorted(
  (a, b) => order(a.group, b.group) || order(a.plural, b.plural),
);

const byResource = new Map(builtinKinds.map((kind) => [`${kind.group}/${kind.plural}`, kind]));
const byName = new Map(builtinKinds.map((kind) => [`${kind.group}/${kind.kind}`, kind]));

/** Returns the kind of a resource. `resource` has the form `group/plural`. */
export function kindOf(resource: string): Kind | undefined {
  return byResource.get(resource);
}

export function kindNamed(group: string, kind: string): Kind | undefined {
  return byName.get(`${group}/${kind}`);
}

function order(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
