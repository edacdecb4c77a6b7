import { arrayAt, textAt, textsAt, valueAt } from "../json/access.ts";
import type { KubeObject } from "../kube-object.ts";
import { labelSelectorOf, matchesLabels } from "../selector/label-selector.ts";
import type { RevisionStore } from "../storage/revision-store.ts";
import type { Attributes } from "./attributes.ts";
import type { User } from "./user.ts";

/** One rule of a role (rbac.authorization.k8s.io/v1 PolicyRule). */
export interface PolicyRule {
  readonly verbs: readonly string[];
  readonly apiGroups: readonly string[];
  readonly resources: readonly string[];
  readonly resourceNames: readonly string[];
  readonly nonResourceURLs: readonly string[];
}

interface UserRules {
  readonly everywhere: readonly PolicyRule[];
  readonly byNamespace: ReadonlyMap<string, readonly PolicyRule[]>;
}

const buckets = ["roles", "rolebindings", "clusterroles", "clusterrolebindings"].map(
  (plural) => `rbac.authorization.k8s.io/${plural}`,
);
const maxCachedUsers = 1_000;

/** Decides by the roles and bindings stored in the cluster. Users' rules are gathered once per change of those. */
export class RbacAuthorizer {
  readonly #store: RevisionStore;
  #cache = new Map<string, UserRules>();
  #cacheRevision = -1;

  constructor(store: RevisionStore) {
    this.#store = store;
  }

  allows(user: User, attributes: Attributes): boolean {
    if (user.groups.includes("system:masters")) return true;
    const namespace = attributes.kind === "resource" ? attributes.namespace : "";
    return this.rulesOf(user, namespace).some((rule) => grants(rule, attributes));
  }

  /** The rules that apply to a user in a namespace; those for the whole cluster when it is empty. */
  rulesOf(user: User, namespace: string): readonly PolicyRule[] {
    const { everywhere, byNamespace } = this.#rulesOfUser(user);
    return [...everywhere, ...(byNamespace.get(namespace) ?? [])];
  }

  #rulesOfUser(user: User): UserRules {
    const revision = Math.max(...buckets.map((bucket) => this.#store.lastRevision(bucket)));
    if (revision !== this.#cacheRevision || this.#cache.size >= maxCachedUsers) {
      this.#cache = new Map();
      this.#cacheRevision = revision;
    }
    const key = JSON.stringify([user.name, user.groups]);
    const known = this.#cache.get(key);
    if (known) return known;
    const gathered = this.#gather(user);
    this.#cache.set(key, gathered);
    return gathered;
  }

  #gather(user: User): UserRules {
    const everywhere = this.#objects("clusterrolebindings")
      .filter((binding) => binds(binding, user))
      .flatMap((binding) => this.#rulesOfRole(binding));
    const byNamespace = new Map<string, PolicyRule[]>();
    for (const binding of this.#objects("rolebindings").filter((each) => binds(each, user))) {
      const namespace = binding.metadata.namespace ?? "";
      byNamespace.set(namespace, [...(byNamespace.get(namespace) ?? []), ...this.#rulesOfRole(binding)]);
    }
    return { everywhere, byNamespace };
  }

  #rulesOfRole(binding: KubeObject): readonly PolicyRule[] {
    const name = textAt(binding, "roleRef", "name");
    const local = textAt(binding, "roleRef", "kind") === "Role";
    const key = local ? `${binding.metadata.namespace}/${name}` : name;
    const stored = this.#store.get(`rbac.authorization.k8s.io/${local ? "roles" : "clusterroles"}`, key);
    if (!stored) return [];
    const own = arrayAt(stored.object, "rules").map(parseRule);
    const selectors = arrayAt(stored.object, "aggregationRule", "clusterRoleSelectors").map(labelSelectorOf);
    if (selectors.length === 0) return own;
    const aggregated = this.#objects("clusterroles").filter((role) =>
      selectors.some((selector) => matchesLabels(selector, role.metadata.labels ?? {})),
    );
    return [...own, ...aggregated.flatMap((role) => arrayAt(role, "rules").map(parseRule))];
  }

  #objects(plural: string): readonly KubeObject[] {
    return this.#store.range(`rbac.authorization.k8s.io/${plural}`, "").map((stored) => stored.object);
  }
}

function parseRule(rule: unknown): PolicyRule {
  return {
    verbs: textsAt(rule, "verbs"),
    apiGroups: textsAt(rule, "apiGroups"),
    resources: textsAt(rule, "resources"),
    resourceNames: textsAt(rule, "resourceNames"),
    nonResourceURLs: textsAt(rule, "nonResourceURLs"),
  };
}

function binds(binding: KubeObject, user: User): boolean {
  return arrayAt(binding, "subjects").some((subject) => {
    const name = textAt(subject, "name");
    switch (valueAt(subject, "kind")) {
      case "User":
        return name === user.name;
      case "Group":
        return user.groups.includes(name);
      case "ServiceAccount": {
        const namespace = textAt(subject, "namespace") || binding.metadata.namespace || "";
        return user.name === `system:serviceaccount:${namespace}:${name}`;
      }
      default:
        return false;
    }
  });
}

function grants(rule: PolicyRule, attributes: Attributes): boolean {
  if (!has(rule.verbs, attributes.verb)) return false;
  if (attributes.kind === "path") {
    return rule.nonResourceURLs.some((pattern) => matchesPath(pattern, attributes.path));
  }
  const subresource = attributes.resource.split("/")[1];
  return (
    has(rule.apiGroups, attributes.group) &&
    (has(rule.resources, attributes.resource) ||
      (subresource !== undefined && rule.resources.includes(`*/${subresource}`))) &&
    (rule.resourceNames.length === 0 || rule.resourceNames.includes(attributes.name))
  );
}

function has(list: readonly string[], value: string): boolean {
  return list.includes("*") || list.includes(value);
}

function matchesPath(pattern: string, path: string): boolean {
  return pattern.endsWith("*") ? path.startsWith(pattern.slice(0, -1)) : path === pattern;
}
