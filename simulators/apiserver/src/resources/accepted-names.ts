import { type KubeObject, sameJson, scalarStringAt } from "@keelson/apimachinery";
import { objectAt, stringsAt, valueAt } from "@keelson/base";

/** Resource names in a definition's spec, or accepted names in its status. */
export interface DefinitionNames {
  readonly plural: string;
  readonly singular: string;
  readonly shortNames: readonly string[];
  readonly kind: string;
  readonly listKind: string;
}

export function definitionNames(names: unknown): DefinitionNames {
  return {
    plural: scalarStringAt(names, "plural"),
    singular: scalarStringAt(names, "singular"),
    shortNames: stringsAt(names, "shortNames"),
    kind: scalarStringAt(names, "kind"),
    listKind: scalarStringAt(names, "listKind"),
  };
}

interface Claim {
  readonly accepted: DefinitionNames;
  /** True if the definition's spec contains names that are not accepted. */
  readonly waiting: boolean;
}

/**
 * Accepted names of all definitions in a cluster, by group. Each name is accepted separately. For example, a definition with a
 * conflicting kind may still own its plural name.
 */
export class AcceptedNames {
  readonly #groups = new Map<string, Map<string, Claim>>();

  /**
   * Records the names of a stored definition. Returns true if other definitions in the group may now get the names that they wait
   * for.
   */
  accept({ metadata: { name }, spec, status }: KubeObject): boolean {
    const group = groupOf(name);
    const claims = this.#groups.get(group) ?? new Map<string, Claim>();
    this.#groups.set(group, claims);
    const accepted = definitionNames(objectAt(status, "acceptedNames"));
    const waiting = !sameJson(accepted, definitionNames(valueAt(spec, "names")));
    const before = claims.get(name);
    claims.set(name, { accepted, waiting });
    return before !== undefined && !sameJson(before.accepted, accepted);
  }

  release(name: string): void {
    const group = groupOf(name);
    const claims = this.#groups.get(group);
    claims?.delete(name);
    if (claims?.size === 0) this.#groups.delete(group);
  }

  /** Returns the other definitions in the same group that wait for names. */
  waitingBeside(name: string): readonly string[] {
    return this.#others(name).flatMap(([each, { waiting }]) => (waiting ? [each] : []));
  }

  /** Returns the accepted names of the other definitions in the same group. */
  beside(name: string): readonly DefinitionNames[] {
    return this.#others(name).map(([, { accepted }]) => accepted);
  }

  #others(name: string): readonly (readonly [string, Claim])[] {
    return [...(this.#groups.get(groupOf(name)) ?? [])].filter(([each]) => each !== name);
  }
}

/** Returns the group in a definition name `plural.group`. */
function groupOf(name: string): string {
  return name.slice(name.indexOf(".") + 1);
}
