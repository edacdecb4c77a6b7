import type { KubeObject } from "./kube-object.ts";

/**
 * Column of `kubectl get` (meta.k8s.io/v1 TableColumnDefinition). Columns of priority 0 are always shown. Columns of priority 1
 * are shown only with `-o wide`.
 */
export interface PrinterColumn {
  readonly name: string;
  readonly type: "string" | "integer" | "number" | "boolean" | "date";
  readonly format?: string;
  readonly description?: string;
  readonly priority: number;
  readonly jsonPath: string;
  /** Computes the cell value, which replaces the value at `jsonPath`. Only columns of aggregated resources have this function. */
  readonly cell?: (object: KubeObject, now: Date) => string | number | null;
}

/** Resource of one API version, with its discovery and REST properties. */
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
  /**
   * Columns after Name. If the list is empty, Age is the only column after Name. Built-in kinds have computed columns instead.
   */
  readonly columns: readonly PrinterColumn[];
  readonly origin: "builtin" | "custom";
  /** Subresource properties that differ from the defaults. */
  readonly ownSubresources?: Readonly<Record<string, Partial<Subresource>>>;
}

/**
 * Discovery data of a subresource. `group` and `version` are set only if the subresource's kind belongs to a different group than
 * the resource.
 */
export interface Subresource {
  readonly kind: string;
  readonly group?: string;
  readonly version?: string;
  readonly verbs: readonly string[];
  /** True if the subresource opens a connection. Admission then receives the operation CONNECT. */
  readonly connects?: boolean;
}
