import type { StructuralSchema } from "./structural-schema.ts";

/** Webhook that converts objects between versions. Without one, only `apiVersion` changes. */
export interface ConversionWebhook {
  readonly clientConfig: unknown;
  /** Versions of ConversionReview that the webhook reads, the preferred one first. */
  readonly reviewVersions: readonly string[];
}

/** The replica fields of a resource with the `scale` subresource, as paths of member names. */
export interface ScalePaths {
  readonly specReplicas: readonly string[];
  readonly statusReplicas: readonly string[];
  readonly labelSelector: readonly string[] | undefined;
}

/** Properties of the objects of one version of a CustomResourceDefinition. */
export interface CustomVersion {
  readonly schema: StructuralSchema;
  /** The schemas of all versions, by `apiVersion`: that of the version it is stored in gives an object its defaults. */
  readonly schemas: ReadonlyMap<string, StructuralSchema>;
  /** True if the stored version has defaults that objects written through other versions may lack. */
  readonly completesOthers: boolean;
  /** Objects stored before this revision may predate the schema: they are pruned and defaulted when read. */
  readonly schemaRevision: number;
  /** Aborts when the definition changes, or goes: watches end, so that clients list by the new one. */
  readonly retired: AbortSignal;
  readonly scale: ScalePaths | undefined;
  /** Warning for clients of a deprecated version. */
  readonly deprecationWarning: string | undefined;
  /** Absent where versions differ by their name alone. */
  readonly conversion: ConversionWebhook | undefined;
  /** The definition is being deleted: there are no new objects. */
  readonly terminating: boolean;
  /** Fields that field selectors may name. */
  readonly selectableFields: readonly string[];
}
