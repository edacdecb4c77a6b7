import type { StructuralSchema } from "./structural-schema.ts";

/** Webhook that converts objects between versions. Without one, only `apiVersion` changes. */
export interface ConversionWebhook {
  readonly clientConfig: unknown;
  /** Supported versions of ConversionReview in order of preference. */
  readonly reviewVersions: readonly string[];
}

/** Replica fields of the `scale` subresource, as lists of field names. */
export interface ScalePaths {
  readonly specReplicas: readonly string[];
  readonly statusReplicas: readonly string[];
  readonly labelSelector: readonly string[] | undefined;
}

/** Properties of the objects of one version of a CustomResourceDefinition. */
export interface CustomVersion {
  readonly schema: StructuralSchema;
  /**
   * Schemas of all versions by `apiVersion`. The stored version's schema provides the defaults of an object.
   */
  readonly schemas: ReadonlyMap<string, StructuralSchema>;
  /** True if the stored version has defaults that objects written through other versions may lack. */
  readonly completesOthers: boolean;
  /** Objects stored before this revision may predate the schema: they are pruned and defaulted when read. */
  readonly schemaRevision: number;
  /**
   * Aborts when the definition changes or is deleted. Watches then end, so that clients list with the new
   * schema.
   */
  readonly retired: AbortSignal;
  readonly scale: ScalePaths | undefined;
  /** Warning for clients of a deprecated version. */
  readonly deprecationWarning: string | undefined;
  /** Undefined if versions only differ in `apiVersion`. */
  readonly conversion: ConversionWebhook | undefined;
  /** True while the definition is being deleted: new objects are rejected. */
  readonly terminating: boolean;
  /** Fields that field selectors may use. */
  readonly selectableFields: readonly string[];
}
