import { listAt, stringAt } from "@keelson/base";
import type { KubeObject } from "@keelson/kube";

/** Rule of a role. If `namespace` is set, the rule applies only to this namespace. */
export interface Permission {
  readonly namespace?: string;
  readonly apiGroups?: readonly string[];
  readonly resources?: readonly string[];
  readonly resourceNames?: readonly string[];
  readonly nonResourceURLs?: readonly string[];
  readonly verbs: readonly string[];
}

/** Returns the rules of all roles that manifests bind to a service account. */
export function permissionsOfAccount(
  manifests: readonly KubeObject[],
  account: string,
): readonly Permission[] {
  return manifests
    .filter(
      (each) => /RoleBinding$/.test(each.kind) && stringAt(listAt(each, "subjects")[0], "name") === account,
    )
    .flatMap((binding) => {
      const { namespace } = binding.metadata;
      const role = manifests.find(
        ({ kind, metadata }) =>
          kind === stringAt(binding, "roleRef", "kind") &&
          metadata.name === stringAt(binding, "roleRef", "name") &&
          metadata.namespace === namespace,
      );
      // The cast is safe, because the manifests contain valid rules.
      const rules = listAt(role, "rules") as readonly Permission[];
      return rules.map((rule) => (namespace === undefined ? rule : { ...rule, namespace }));
    });
}

/**
 * Returns one line per permission: `verb | resource | group | name | namespace`. A permission is omitted if a wider permission
 * includes it.
 */
function rightsOf(permissions: readonly Permission[]): readonly string[] {
  const all = new Set<string>();
  for (const { namespace, apiGroups = [], resources, nonResourceURLs, resourceNames, verbs } of permissions)
    for (const group of nonResourceURLs ? ["URL"] : apiGroups)
      for (const resource of resources ?? nonResourceURLs ?? [])
        for (const name of resourceNames ?? ["*"])
          for (const verb of verbs) all.add([verb, resource, group, name, namespace ?? "*"].join(" | "));
  const wider = (line: string) => {
    const [verb, resource, group, name, namespace] = line.split(" | ");
    return [
      [verb, resource, group, "*", namespace],
      [verb, resource, group, name, "*"],
      [verb, resource, group, "*", "*"],
    ]
      .map((each) => each.join(" | "))
      .filter((each) => each !== line);
  };
  return [...all].filter((line) => !wider(line).some((each) => all.has(each))).toSorted();
}

/** Compares permissions. Returns the missing permissions and the unneeded permissions. */
export function compareRights(
  granted: readonly Permission[],
  needed: readonly Permission[],
): { readonly lacks: readonly string[]; readonly doesNotNeed: readonly string[] } {
  const [has, needs] = [rightsOf(granted), rightsOf(needed)];
  return {
    lacks: needs.filter((each) => !has.includes(each)),
    doesNotNeed: has.filter((each) => !needs.includes(each)),
  };
}
