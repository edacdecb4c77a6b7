/** Limits for the responses of one cluster to one reader. */
export interface ResponseLimits {
  /** Maximum size of one response in bytes. */
  readonly bytes: number;
  /** Maximum number of tokens in one response: strings, numbers, literals, objects, arrays and field names. */
  readonly tokens: number;
  /** Maximum nesting depth of objects and arrays. */
  readonly depth: number;
  /** Maximum number of tokens in the selected fields of one object. An object is parsed within one event loop iteration. */
  readonly objectTokens: number;
  /** Maximum total size in bytes of all pages of a list. */
  readonly listBytes: number;
  /** Maximum size in bytes of the selected fields. The limit applies to each response, and to the sum of all pages of a list. */
  readonly selectedBytes: number;
  /** Maximum number of pages of a list. */
  readonly pages: number;
  /** Maximum number of objects in a list. */
  readonly objects: number;
  /** Maximum total size in bytes of all responses to one client. */
  readonly totalBytes: number;
  /** Maximum total number of tokens in all responses to one client. */
  readonly totalTokens: number;
  /** Maximum CPU time per minute in ms. All clients that one reader has for one cluster share it. */
  readonly cpu: number;
  /**
   * Number of exceeded limits per minute that are permitted. Each exceeded limit counts as CPU time of `cpu` divided by the
   * sum of this number and 0.5.
   */
  readonly violations: number;
}

export type ResponseLimit = keyof ResponseLimits | "memory";

/**
 * Generous limits for programs that read the cluster in which they run. In a page of 250 objects, each object may have 1,500
 * tokens on average, including managed fields. The largest CustomResourceDefinitions have 60,000 tokens.
 */
export const defaultResponseLimits: ResponseLimits = {
  bytes: 64 * 2 ** 20,
  tokens: 2_000_000,
  depth: 256,
  objectTokens: 250_000,
  listBytes: 2 ** 30,
  selectedBytes: 256 * 2 ** 20,
  pages: 1_000,
  objects: 250_000,
  totalBytes: Number.POSITIVE_INFINITY,
  totalTokens: Number.POSITIVE_INFINITY,
  cpu: 30_000,
  violations: Number.POSITIVE_INFINITY,
};

/**
 * Limits for services that read customer clusters. They are four times the values of the largest supported cluster. That cluster
 * has 1,000 nodes, 50,000 pods, 8,000 machines and MachineSets, and 160 ClusterOperators. An object may have 4,000 tokens on
 * average.
 */
export const clusterLimits: ResponseLimits = {
  ...defaultResponseLimits,
  bytes: 16 * 2 ** 20,
  tokens: 1_000_000,
  objectTokens: 100_000,
  selectedBytes: 64 * 2 ** 20,
  violations: 3,
};
