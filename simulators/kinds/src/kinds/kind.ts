import type { KubeObject, SelectableField, Subresource } from "@keelson/apimachinery";
import type { TypeFacts } from "../catalogue/type-facts.ts";
import type { Column } from "../columns/column.ts";
import type { Evaluator } from "../quota/evaluator.ts";
import type { Strategy } from "./strategy.ts";

/** Built-in kind with all data that the API server needs. All components that serve kinds derive from it. */
export interface Kind {
  /** Empty string for the core group. */
  readonly group: string;
  /** Versions. The first one is preferred by clients and used for storage. */
  readonly versions: readonly string[];
  readonly kind: string;
  readonly plural: string;
  readonly shortNames?: readonly string[];
  readonly categories?: readonly string[];
  readonly namespaced: boolean;
  /** Description for `kubectl explain`. */
  readonly description?: string;
  readonly fieldDescriptions?: Readonly<Record<string, string>>;
  /** Default: all verbs. */
  readonly verbs?: readonly string[];
  /** Subresources by name. Unset properties have the usual values. */
  readonly subresources?: Readonly<Record<string, Partial<Subresource>>>;
  /** Bucket `group/plural` of the kind that stores these objects in a different form. */
  readonly storedAs?: string;
  /** Conversion to the `apiVersion` of the key, if versions differ in more than `apiVersion`. */
  readonly convertTo?: Readonly<Record<string, (object: KubeObject) => KubeObject>>;
  /** Rules of the kind. Rules that need other components of the server are in `registry/strategy.ts`. */
  readonly strategy?: Strategy;
  /**
   * Columns of `kubectl get`. Default: name and creation time. Source: kubernetes
   * pkg/printers/internalversion/printers.go.
   */
  readonly columns?: readonly Column[];
  readonly selectableFields?: SelectableFields;
  /**
   * Quota evaluation of its objects. `named`: also counted by plural name. `none`: not counted. Default:
   * counted as `count/resource.group`.
   */
  readonly quota?: Evaluator | "named" | "none";
  /** Path of the pod template. */
  readonly podTemplate?: readonly string[];
  /** Facts about types that only this kind uses. */
  readonly types?: TypeFacts;
}

/**
 * Selectable fields besides name and namespace. Source: kubernetes pkg/apis/{group}/{version}/conversion.go
 * (AddFieldLabelConversionFunc) and pkg/registry (ToSelectableFields).
 */
export interface SelectableFields {
  readonly fields: Readonly<Record<string, SelectableField>>;
  /** Error message for other fields. Default: the usual message. */
  readonly refusal?: (field: string) => string;
}
