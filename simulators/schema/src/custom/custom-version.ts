import type { StructuralSchema } from "./structural-schema.ts";

/** Webhook that converts objects between versions. Without a webhook, a conversion changes only `apiVersion`. */
export interface ConversionWebhook {
  readonly clientConfig: unknown;
  /** Supported versions of ConversionReview in order of preference. */
  readonly reviewVersions: readonly string[];
}

/** Paths of the replica fields for the `scale` subresource. Each path is a list of field names. */
export interface ScalePaths {
  readonly specReplicas: readonly string[];
  readonly statusReplicas: readonly string[];
  readonly labelSelector: readonly string[] | undefined;
}

/** Properties of one version of a CustomResourceDefinition. */
export interface CustomVersion {
  readonly schema: StructuralSchema;
  /**
   * Schemas of all versions by `apiVersion`. When a stored object is read, the schema of its stored version provides the
   * defaults.
   */
  readonly schemas: ReadonlyMap<string, StructuralSchema>;
  /**
   * True if the schema of the storage version has defaults. Objects that were written through other versions may lack these
   * defaults.
   */
  readonly completesOthers: boolean;
  /**
   * Revision of the last schema change. Objects that were stored before this revision may not match the schema, so reads prune
   * and default them.
   */
  readonly schemaRevision: number;
  /** Aborts when the definition changes or is deleted. All watches then end, and clients list again with the new schema. */
  readonly retired: AbortSignal;
  readonly scale: ScalePaths | undefined;
  /** Warning for clients of a deprecated version. */
  readonly deprecationWarning: string | undefined;
  /** Conversion webhook. Undefined if the versions differ only in `apiVersion`. */
  readonly conversion: ConversionWebhook | undefined;
  /** True while the definition is being deleted. The server then rejects new objects. */
  readonly terminating: boolean;
  /** Fields that field selectors may use. */
  readonly selectableFields: readonly string[];
}
