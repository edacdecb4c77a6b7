import type { KubeObject } from "./kube-object.ts";

/** A column of `kubectl get` (meta.k8s.io/v1 TableColumnDefinition). Priority 0 is shown by default, 1 with `-o wide`. */
export interface PrinterColumn {
  readonly name: string;
  readonly type: "string" | "integer" | "number" | "boolean" | "date";
  readonly format?: string;
  readonly description?: string;
  readonly priority: number;
  readonly jsonPath: string;
  /** Of kinds that code adds: computes the cell in place of `jsonPath`. */
  readonly cell?: (object: KubeObject, now: Date) => string | number | null;
}

/** One served resource of one group-version: what discovery shows and REST needs. */
export interface ResourceType {
  /** Empty text for the core group. */
  readonly group: string;
  readonly version: string;
  readonly kind: string;
  readonly plural: string;
  readonly singular: string;
  readonly shortNames: readonly string[];
  readonly categories: readonly string[];
  readonly namespaced: boolean;
  readonly verbs: readonly string[];
  /** Names, for example `status`, `scale`. */
  readonly subresources: readonly string[];
  /** The columns after Name; Age stands for none. Empty for built-in kinds: theirs are computed. */
  readonly columns: readonly PrinterColumn[];
  readonly origin: "builtin" | "custom";
  /** The facts of subresources that differ from most resources'. */
  readonly ownSubresources?: Readonly<Record<string, Partial<Subresource>>>;
}

/** Discovery data of a subresource. `group` and `version` are set only for a kind of a different group. */
export interface Subresource {
  readonly kind: string;
  readonly group?: string;
  readonly version?: string;
  readonly verbs: readonly string[];
  /** It connects to something: admission sees what is asked of it. */
  readonly connects?: boolean;
}
