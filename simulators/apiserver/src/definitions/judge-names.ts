import { type KubeObject, scalarStringAt } from "@keelson/apimachinery";
import { objectAt, valueAt } from "@keelson/base";
import { type DefinitionNames, definitionNames } from "../resources/accepted-names.ts";
import type { ResourceDirectory } from "../resources/resource-directory.ts";
import { bucketOf } from "../resources/served-resource.ts";

/** Accepted names of a definition, and its last name conflict. */
export interface NameVerdict {
  readonly acceptedNames: Readonly<Record<string, unknown>>;
  readonly conflict: { readonly reason: string; readonly message: string } | undefined;
}

/** Accepts a definition's names if the definition already has them or if they are free in its group. */
export function judgeNames(definition: KubeObject, directory: ResourceDirectory): NameVerdict {
  const wanted = definitionNames(valueAt(definition, "spec", "names"));
  const own = definitionNames(valueAt(definition, "status", "acceptedNames"));
  const { resources, kinds } = takenBeside(definition, directory);
  const accepted: Record<string, unknown> = { ...own };
  let conflict: NameVerdict["conflict"];
  const refuse = (reason: string, names: readonly string[]) => {
    const texts = [...new Set(names)].map((name) => `${JSON.stringify(name)} is already in use`);
    conflict = { reason, message: texts.length === 1 ? (texts[0] ?? "") : `[${texts.join(", ")}]` };
  };
  const judge = (member: keyof DefinitionNames, reason: string, taken: ReadonlySet<string>) => {
    const known: readonly string[] = [own[member]].flat();
    const missing = [wanted[member]].flat().filter((name) => !known.includes(name) && taken.has(name));
    if (missing.length > 0) refuse(reason, missing);
    else accepted[member] = wanted[member];
  };
  judge("plural", "PluralConflict", resources);
  judge("singular", "SingularConflict", resources);
  judge("shortNames", "ShortNamesConflict", resources);
  judge("kind", "KindConflict", kinds);
  judge("listKind", "ListKindConflict", kinds);
  const categories = valueAt(definition, "spec", "names", "categories");
  return { acceptedNames: written(accepted, categories), conflict };
}

function takenBeside(
  { metadata: { name }, spec }: KubeObject,
  directory: ResourceDirectory,
): { readonly resources: ReadonlySet<string>; readonly kinds: ReadonlySet<string> } {
  const group = scalarStringAt(spec, "group");
  const own = bucketOf(group, scalarStringAt(objectAt(spec, "names"), "plural"));
  const fixed = directory
    .all()
    .filter(({ type, bucket, custom }) => !custom && type.group === group && bucket !== own);
  const names = [
    ...directory.acceptedNames.beside(name),
    ...fixed.map(({ type, listKind }) => ({ ...type, listKind })),
  ];
  return {
    resources: new Set(names.flatMap((each) => [each.plural, each.singular, ...each.shortNames])),
    kinds: new Set(names.flatMap((each) => [each.kind, each.listKind])),
  };
}

/** Omits empty names. Plural and kind are always included. */
function written(names: Readonly<Record<string, unknown>>, categories: unknown): Record<string, unknown> {
  const all = Object.entries({ ...names, categories });
  return Object.fromEntries(
    all.filter(([member, value]) => {
      if (member === "plural" || member === "kind") return true;
      return value !== undefined && value !== "" && !(Array.isArray(value) && value.length === 0);
    }),
  );
}
