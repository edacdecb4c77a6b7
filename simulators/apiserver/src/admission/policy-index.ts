import type { AdmissionRequest } from "../resources/admission-request.ts";
import type { AdmissionContext } from "./admission-context.ts";
import { type Binding, bindingOf, type Policy, policyOf } from "./configuration/policy.ts";
import { type CompiledPolicy, compilePolicy } from "./configuration/policy-expressions.ts";
import type { Target } from "./configuration/rule.ts";
import { selects } from "./configuration/selectors.ts";
import { isNamed, type Match, matchOf } from "./configuration/subject-version.ts";

/** Policy with its bindings. `match` contains the rules that match a target. */
export interface BoundPolicy {
  readonly policy: CompiledPolicy<Policy>;
  readonly match: Match;
  readonly bindings: readonly Binding[];
}

const group = "admissionregistration.k8s.io";
const policies = `${group}/validatingadmissionpolicies`;
const policyBindings = `${group}/validatingadmissionpolicybindings`;
const none: readonly BoundPolicy[] = [];
/** API groups of review requests. Reviews are only queries, so policies do not apply to them. */
const reviewGroups: ReadonlySet<string> = new Set(["authentication.k8s.io", "authorization.k8s.io"]);

/** Index of all bound policies by target. A change of a policy or binding rebuilds the index. */
export class PolicyIndex {
  readonly #context: AdmissionContext;
  #revision = 0;
  #directoryRevision = -1;
  #compiled = new Map<string, { readonly revision: number; readonly policy: CompiledPolicy<Policy> }>();
  #bound: readonly { readonly policy: CompiledPolicy<Policy>; readonly bindings: readonly Binding[] }[] = [];
  #byTarget = new Map<string, readonly BoundPolicy[]>();

  constructor(context: AdmissionContext) {
    this.#context = context;
  }

  /** Returns the policies with rules that match a target. */
  candidates(target: Target): readonly BoundPolicy[] {
    const { store, directory } = this.#context;
    const revision = Math.max(store.lastRevision(policies), store.lastRevision(policyBindings));
    if (revision === 0) return none;
    if (revision !== this.#revision) {
      this.#revision = revision;
      this.#gather();
      this.#byTarget = new Map();
    }
    const { operation, resource, subresource } = target;
    if (this.#bound.length === 0 || reviewGroups.has(resource.type.group)) return none;
    if (directory.revision !== this.#directoryRevision) {
      this.#directoryRevision = directory.revision;
      this.#byTarget = new Map();
    }
    const key = `${operation} ${resource.bucket} ${resource.type.version} ${subresource}`;
    const known = this.#byTarget.get(key);
    if (known) return known;
    const found = this.#bound.flatMap(({ policy, bindings }) => {
      const match = matchOf(policy.policy.rules, target, directory);
      if (!match) return [];
      const wanted = bindings.filter(({ rules }) => !rules || matchOf(rules, target, directory));
      return wanted.length > 0 ? [{ policy, match, bindings: wanted }] : [];
    });
    this.#byTarget.set(key, found);
    return found;
  }

  /** True if the policy's object names and label selectors match a request. */
  isFor({ policy, match }: BoundPolicy, request: AdmissionRequest): boolean {
    return isNamed(match, request) && selects(policy.policy.selectors, request, this.#context.store);
  }

  /** True if a binding applies its policy to a request. */
  binds({ rules, selectors }: Binding, request: AdmissionRequest): boolean {
    const { store, directory } = this.#context;
    if (!selects(selectors, request, store)) return false;
    const match = rules && matchOf(rules, request, directory);
    return !match || isNamed(match, request);
  }

  #gather(): void {
    const { store } = this.#context;
    const bindings = new Map<string, Binding[]>();
    for (const { object } of store.range(policyBindings, "")) {
      const binding = bindingOf(object);
      bindings.set(binding.policyName, [...(bindings.get(binding.policyName) ?? []), binding]);
    }
    const compiled = new Map<
      string,
      { readonly revision: number; readonly policy: CompiledPolicy<Policy> }
    >();
    for (const { key, revision, object } of store.range(policies, "")) {
      if (!bindings.has(key)) continue;
      const known = this.#compiled.get(key);
      compiled.set(
        key,
        known?.revision === revision ? known : { revision, policy: compilePolicy(policyOf(object)) },
      );
    }
    this.#compiled = compiled;
    this.#bound = [...compiled].map(([name, { policy }]) => ({ policy, bindings: bindings.get(name) ?? [] }));
  }
}
