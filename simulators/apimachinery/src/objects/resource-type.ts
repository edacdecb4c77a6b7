import type { KubeObject } from "./kube-object.ts";

/**
 * Column of `kubectl get` (meta.k8s.io/v1 TableColumnDefinition). Priority 0 is shown by default, 1 with `-o
 * wide`.
 */
export interface PrinterColumn {
  readonly name: string;
  readonly type: "string" | "integer" | "number" | "boolean" | "date";
  readonly format?: string;
  readonly description?: string;
  readonly priority: number;
  readonly jsonPath: string;
  /** Aggregated resources only: computes the cell instead of `jsonPath`. */
  readonly cell?: (object: KubeObject, now: Date) => string | number | null;
}

/** Served resource of one group-version, with the data for discovery and REST. */
export interface ResourceType {
  /** Empty string for the core group. */
  readonly group: string;
  readonly version: string;
  readonly kind: string;
  readonly plural: string;
  readonly singular: string;
  readonly shortNames: readonly string[];
  readonly categories: readonly string[];
  readonly namespaced: boolean;
  readonly verbs: readonly string[];
  /** Names of subresources, such as `status` or `scale`. */
  readonly subresources: readonly string[];
  /** Columns after Name. If empty, the only one is Age. Built-in kinds have computed columns instead. */
  readonly columns: readonly PrinterColumn[];
  readonly origin: "builtin" | "custom";
  /** Properties of subresources that differ from the usual ones. */
  readonly ownSubresources?: Readonly<Record<string, Partial<Subresource>>>;
}

/** Discovery data of a subresource. `group` and `version` are set only for a kind of a different group. */
export interface Subresource {
  readonly kind: string;
  readonly group?: string;
  readonly version?: string;
  readonly verbs: readonly string[];
  /** True if the subresource is a connection, which admission receives as CONNECT. */
  readonly connects?: boolean;
}
