import type { PolicyRule, RoleRules } from "@keelson/aro-api";
import type { Permission } from "../runtime/aro-controller.ts";

/** Placeholder for all objects or all namespaces. */
const all = "*";
const verbOrder = ["get", "list", "watch", "create", "update", "patch", "delete"];

interface Right {
  readonly namespace: string;
  readonly group: string;
  readonly resource: string;
  readonly name: string;
  readonly verb: string;
}

/** Merges permissions into a small number of sorted rules with the same effect. */
export function roleRules(permissions: readonly Permission[]): RoleRules {
  const rights = withoutCovered(permissions.flatMap(rightsOf));
  const { [all]: cluster = [], ...namespaces } = Object.groupBy(rights, ({ namespace }) => namespace);
  return {
    cluster: rulesOf(cluster),
    namespaces: Object.fromEntries(
      Object.entries(namespaces)
        .sort(([a], [b]) => (a < b ? -1 : 1))
        .map(([namespace, own = []]) => [namespace, rulesOf(own)]),
    ),
  };
}

function rightsOf({
  namespace = all,
  apiGroups = [],
  resources = [],
  resourceNames = [all],
  verbs,
}: Permission): readonly Right[] {
  return apiGroups.flatMap((group) =>
    resources.flatMap((resource) =>
      resourceNames.flatMap((name) => verbs.map((verb) => ({ namespace, group, resource, name, verb }))),
    ),
  );
}

/** Removes duplicates. Also removes permissions for single objects or namespaces if a wider permission includes them. */
function withoutCovered(rights: readonly Right[]): readonly Right[] {
  const key = ({ namespace, group, resource, name, verb }: Right) =>
    [namespace, group, resource, name, verb].join(" ");
  const known = new Map(rights.map((right) => [key(right), right]));
  return [...known.values()].filter((right) => {
    const wider = [
      { ...right, name: all },
      { ...right, namespace: all },
      { ...right, name: all, namespace: all },
    ];
    return !wider.some((each) => key(each) !== key(right) && known.has(key(each)));
  });
}

/**
 * Returns the rules of one scope. Merges the verbs of each object, then the names of objects with equal verbs, and finally the
 * resources with equal names and verbs.
 */
function rulesOf(rights: readonly Right[]): readonly PolicyRule[] {
  const objects = merged(rights, ["group", "resource", "name"], "verb").map(({ values, ...object }) => ({
    ...object,
    verb: inOrder(values).join(" "),
    scope: object.name === all ? "all" : "named",
  }));
  const named = merged(objects, ["group", "resource", "verb", "scope"], "name").map(
    ({ values, ...rule }) => ({ ...rule, name: values.sort().join(" ") }),
  );
  return merged(named, ["group", "name", "verb"], "resource")
    .map(({ group, name, verb, values }) => ({
      apiGroups: [group],
      resources: values.sort(),
      ...(name === all ? {} : { resourceNames: name.split(" ") }),
      verbs: verb.split(" "),
    }))
    .sort((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1));
}

/** Merges rows that differ only in one field. The merged row has the values of this field from all rows. */
function merged<T extends Readonly<Record<Field, string>>, Field extends string>(
  rows: readonly T[],
  by: readonly Field[],
  collected: Field,
): readonly (T & { readonly values: string[] })[] {
  const groups = Map.groupBy(rows, (row) => JSON.stringify(by.map((field) => row[field])));
  return [...groups.values()].flatMap((each) => {
    const [first] = each;
    return first === undefined ? [] : [{ ...first, values: each.map((row) => row[collected]) }];
  });
}

function inOrder(verbs: readonly string[]): readonly string[] {
  const rank = (verb: string) => (verbOrder.includes(verb) ? verbOrder.indexOf(verb) : verbOrder.length);
  return verbs.toSorted((a, b) => rank(a) - rank(b) || (a < b ? -1 : 1));
}
