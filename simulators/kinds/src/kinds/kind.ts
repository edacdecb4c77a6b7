import type { KubeObject, SelectableField, Subresource } from "@keelson/apimachinery";
import type { TypeFacts } from "../catalogue/type-facts.ts";
import type { Column } from "../columns/column.ts";
import type { Evaluator } from "../quota/evaluator.ts";
import type { Strategy } from "./strategy.ts";

/** Built-in kind with all properties that the API server needs. All components that serve kinds use this definition. */
export interface Kind {
  /** Empty string for the core group. */
  readonly group: string;
  /** API versions. Clients prefer the first version, and the server stores objects in the first version. */
  readonly versions: readonly string[];
  readonly kind: string;
  readonly plural: string;
  readonly shortNames?: readonly string[];
  readonly categories?: readonly string[];
  readonly namespaced: boolean;
  /** Description for `kubectl explain`. */
  readonly description?: string;
  readonly fieldDescriptions?: Readonly<Record<string, string>>;
  /** Supported verbs. Default: all verbs. */
  readonly verbs?: readonly string[];
  /** Subresources by name. Unset properties have their default values. */
  readonly subresources?: Readonly<Record<string, Partial<Subresource>>>;
  /** Bucket `group/plural` that stores the objects. Set if the objects are stored in the form of a different kind. */
  readonly storedAs?: string;
  /** Conversion functions by target `apiVersion`. Set if the versions differ in more than `apiVersion`. */
  readonly convertTo?: Readonly<Record<string, (object: KubeObject) => KubeObject>>;
  /** Rules of the kind. `registry/strategy.ts` contains rules that need other components of the server. */
  readonly strategy?: Strategy;
  /**
   * Columns of `kubectl get`. Default: name and creation time. Source: kubernetes
   * pkg/printers/internalversion/printers.go.
   */
  readonly columns?: readonly Column[];
  readonly selectableFields?: SelectableFields;
  /**
   * Quota usage of the objects. With `none`, the objects are not counted. With `named`, they are counted by plural name and as
   * `count/resource.group`. By default, they are counted only as `count/resource.group`.
   */
  readonly quota?: Evaluator | "named" | "none";
  /** Path of the pod template in the object. */
  readonly podTemplate?: readonly string[];
  /** Facts about types that only this kind uses. */
  readonly types?: TypeFacts;
}

/**
 * Selectable fields in addition to name and namespace. Source: kubernetes pkg/apis/{group}/{version}/conversion.go
 * (AddFieldLabelConversionFunc) and pkg/registry (ToSelectableFields).
 */
export interface SelectableFields {
  readonly fields: Readonly<Record<string, SelectableField>>;
  /** Returns the error message for a field that is not selectable. Default: the standard message. */
  readonly refusal?: (field: string) => string;
}
