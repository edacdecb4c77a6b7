import { atOnce, failures, inOwnTurns, Pace, type Phases } from "@keelson/apimachinery";
import { listAt } from "@keelson/base";
import type { RevisionStore } from "../storage/revision-store.ts";
import type { Attributes } from "./attributes.ts";
import { type Binding, BindingIndex, type RoleReference } from "./binding-index.ts";
import { type EffectiveRules, effectiveRules } from "./effective-rules.ts";
import { grants, type PolicyRule, parseRule, sizeOf } from "./policy-rule.ts";
import { superusers, type User } from "./user.ts";

/**
 * Authorization decision. `reason` names the binding that allows the request. If the request is denied, `reason` names missing
 * roles that the user's bindings reference.
 */
export interface Decision {
  readonly allowed: boolean;
  readonly reason: string;
}

/** Users and groups that may perform a request. `missing` contains an error message for each bound role that does not exist. */
export interface AllowedSubjects {
  readonly users: readonly string[];
  readonly groups: readonly string[];
  readonly missing: readonly string[];
}

const group = "rbac.authorization.k8s.io";

/** Authorizes requests with the stored roles and bindings. The cost of a decision depends only on the user's rules. */
export class RbacAuthorizer {
  readonly #store: RevisionStore;
  readonly #bindings: BindingIndex;
  /** Parsed rules and revision of each role. */
  readonly #rules = new Map<string, { readonly revision: number; readonly rules: readonly PolicyRule[] }>();

  constructor(store: RevisionStore) {
    this.#store = store;
    this.#bindings = new BindingIndex(store);
  }

  /** Key under which the scheduler queues the long decisions of this cluster. */
  get owner(): object {
    return this.#store;
  }

  allows(user: User, attributes: Attributes): boolean {
    return atOnce(this.#decide(user, attributes)).allowed;
  }

  /** Returns the decision. Long decisions yield to other requests, because a user can have any number of roles. */
  decide(user: User, attributes: Attributes): Promise<Decision> {
    return inOwnTurns(this.#decide(user, attributes), this.owner);
  }

  /** Returns the sorted users and groups that may perform a request. Long searches yield to other requests. */
  allowedSubjects(attributes: Attributes): Promise<AllowedSubjects> {
    return inOwnTurns(this.#allowedSubjects(attributes), this.owner);
  }

  /**
   * Returns a user's rules in a namespace. An empty namespace selects only cluster-wide rules. `missing` contains an error
   * message for each bound role that does not exist.
   */
  rulesOf(
    user: User,
    namespace: string,
  ): { readonly rules: readonly PolicyRule[]; readonly missing: readonly string[] } {
    const rules: PolicyRule[] = [];
    const missing: string[] = [];
    for (const { role, namespace: own } of this.#bindings.of(user, namespace)) {
      const found = this.#rulesOfRole(role, own);
      if (found) for (const rule of found) rules.push(rule);
      else missing.push(notFound(role));
    }
    return { rules, missing };
  }

  /**
   * Returns a user's rules in a namespace with one resource per rule. If `limit` is set, the result contains only permissions
   * that the rules in `limit` also grant.
   */
  async effectiveRules(
    user: User,
    namespace: string,
    limit?: readonly PolicyRule[],
  ): Promise<EffectiveRules & { readonly missing: readonly string[] }> {
    const { rules, missing } = this.rulesOf(user, namespace);
    const effective = await inOwnTurns(effectiveRules(rules, limit), this.owner);
    return { ...effective, missing: [...new Set(missing)] };
  }

  /**
   * Returns the rules of a role.
   * @throws StatusError 404
   */
  rulesOfRole(role: RoleReference, namespace: string): readonly PolicyRule[] {
    const found = this.#rulesOfRole(role, namespace);
    if (!found) throw failures.notFound({ group, resource: `${role.kind.toLowerCase()}s` }, role.name);
    return found;
  }

  *#decide(user: User, attributes: Attributes): Phases<Decision> {
    if (user.groups.includes(superusers)) return { allowed: true, reason: "" };
    const missing = new Set<string>();
    const pace = new Pace();
    for (const binding of this.#bindings.of(user, namespaceOf(attributes))) {
      const rules = this.#rulesOfRole(binding.role, binding.namespace);
      if (!rules) missing.add(notFound(binding.role));
      if (pace.isOver()) yield;
      for (const rule of rules ?? []) {
        if (grants(rule, attributes))
          return { allowed: true, reason: `RBAC: allowed by ${describe(binding)}` };
        if (pace.isOver(sizeOf(rule))) yield;
      }
    }
    return { allowed: false, reason: missing.size > 0 ? `RBAC: ${listed([...missing])}` : "" };
  }

  *#allowedSubjects(attributes: Attributes): Phases<AllowedSubjects> {
    const names = { User: new Set<string>(), Group: new Set([superusers]) };
    const missing = new Set<string>();
    /** Decisions by role. They are cached, because a role can be bound to many subjects. */
    const granting = new Map<string, boolean>();
    const pace = new Pace();
    for (const { subject, binding } of this.#bindings.all(namespaceOf(attributes))) {
      const { role, namespace } = binding;
      if (pace.isOver()) yield;
      const key = `${role.kind} ${role.name}`;
      let grant = granting.get(key);
      if (grant === undefined) {
        const rules = this.#rulesOfRole(role, namespace);
        if (!rules) missing.add(notFound(role));
        grant = false;
        for (const rule of rules ?? []) {
          grant ||= grants(rule, attributes);
          if (pace.isOver(sizeOf(rule))) yield;
        }
        granting.set(key, grant);
      }
      if (grant && (subject.kind === "User" || subject.kind === "Group"))
        names[subject.kind].add(subject.name);
    }
    return {
      users: [...names.User].sort(),
      groups: [...names.Group].sort(),
      missing: [...missing].sort(),
    };
  }

  #rulesOfRole({ kind, name }: RoleReference, namespace: string): readonly PolicyRule[] | undefined {
    const [bucket, key] =
      kind === "Role" ? [`${group}/roles`, `${namespace}/${name}`] : [`${group}/clusterroles`, name];
    const stored = this.#store.get(bucket, key);
    if (!stored) {
      this.#rules.delete(key);
      return undefined;
    }
    const known = this.#rules.get(key);
    if (known?.revision === stored.revision) return known.rules;
    const rules = listAt(stored.object, "rules").map(parseRule);
    this.#rules.set(key, { revision: stored.revision, rules });
    return rules;
  }
}

function namespaceOf(attributes: Attributes): string {
  return attributes.kind === "resource" ? attributes.namespace : "";
}

function describe({ name, namespace, role, subject }: Binding): string {
  const [kind, own] = namespace ? ["RoleBinding", `${name}/${namespace}`] : ["ClusterRoleBinding", name];
  return `${kind} ${JSON.stringify(own)} of ${role.kind} ${JSON.stringify(role.name)} to ${subject}`;
}

function notFound({ kind, name }: RoleReference): string {
  return `${kind.toLowerCase()}.${group} ${JSON.stringify(name)} not found`;
}

/** Joins several error messages. */
function listed([first = "", ...others]: readonly string[]): string {
  return others.length === 0 ? first : `[${[first, ...others].join(", ")}]`;
}
