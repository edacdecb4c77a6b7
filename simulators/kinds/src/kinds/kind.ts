import type { KubeObject, SelectableField, Subresource } from "@keelson/apimachinery";
import type { TypeFacts } from "../catalogue/type-facts.ts";
import type { Column } from "../columns/column.ts";
import type { Evaluator } from "../quota/evaluator.ts";
import type { Strategy } from "./strategy.ts";

/** A built-in kind: all that the API server knows of it. Everything that serves kinds derives from these. */
export interface Kind {
  /** Empty text for the core group. */
  readonly group: string;
  /** The first is what clients prefer, and what objects are stored in. */
  readonly versions: readonly string[];
  readonly kind: string;
  readonly plural: string;
  readonly shortNames?: readonly string[];
  readonly categories?: readonly string[];
  readonly namespaced: boolean;
  /** What `kubectl explain` says of it. */
  readonly description?: string;
  readonly fieldDescriptions?: Readonly<Record<string, string>>;
  /** Absent: all verbs. */
  readonly verbs?: readonly string[];
  /** By name; what is left out of one is as for most kinds. */
  readonly subresources?: Readonly<Record<string, Partial<Subresource>>>;
  /** The `group/plural` of the kind whose objects these are, in another form. */
  readonly storedAs?: string;
  /** Objects of another `apiVersion` in the one that is the key, where they differ in more than that. */
  readonly convertTo?: Readonly<Record<string, (object: KubeObject) => KubeObject>>;
  /** Rules of the kind. Rules that need other parts of the server are in `registry/strategy.ts`. */
  readonly strategy?: Strategy;
  /** Of `kubectl get`. Absent: name and creation time. Facts: kubernetes pkg/printers/internalversion/printers.go. */
  readonly columns?: readonly Column[];
  readonly selectableFields?: SelectableFields;
  /** How quotas count its objects. `named`: by its own name too; `none`: not at all. Absent: as `count/resource.group`. */
  readonly quota?: Evaluator | "named" | "none";
  /** Where its objects have the template of pods. */
  readonly podTemplate?: readonly string[];
  /** What is known of the types that are its own. */
  readonly types?: TypeFacts;
}

/**
 * The fields that objects are selected by besides their name and namespace. Facts: kubernetes
 * pkg/apis/{group}/{version}/conversion.go (AddFieldLabelConversionFunc) and pkg/registry (ToSelectableFields).
 */
export interface SelectableFields {
  readonly fields: Readonly<Record<string, SelectableField>>;
  /** The refusal of another field. Absent: the usual words. */
  readonly refusal?: (field: string) => string;
}
