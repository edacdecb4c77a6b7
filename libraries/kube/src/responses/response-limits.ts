/** Limits for the responses of one cluster to one reader. */
export interface ResponseLimits {
  /** Bytes of one response. */
  readonly bytes: number;
  /** Tokens of one response: strings, numbers, literals, objects, arrays and field names. */
  readonly tokens: number;
  /** Nested objects and arrays. */
  readonly depth: number;
  /** Tokens of the selected fields of one object. It is parsed in one turn of the event loop. */
  readonly objectTokens: number;
  /** Bytes of all pages of a list. */
  readonly listBytes: number;
  /** Bytes of the selected fields of a response, and of all pages of a list. */
  readonly selectedBytes: number;
  /** Pages of a list. */
  readonly pages: number;
  /** Objects of a list. */
  readonly objects: number;
  /** Bytes of all responses to one client. */
  readonly totalBytes: number;
  /** Tokens of all responses to one client. */
  readonly totalTokens: number;
  /** CPU time in milliseconds for all clients of a reader and a cluster, per minute. */
  readonly cpu: number;
  /** Exceeded limits per minute. Each one uses a share of the CPU time. */
  readonly violations: number;
}

export type ResponseLimit = keyof ResponseLimits | "memory";

/**
 * Generous limits for programs that read their own cluster. A page of 250 objects has at most 1,500 tokens
 * per object, managed fields included. The largest CustomResourceDefinitions have 60,000.
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
 * Limits for services that read clusters of customers. They admit four times the largest supported cluster: 1,000 nodes, 50,000 pods,
 * 8,000 machines and MachineSets, 160 ClusterOperators. An object may have 4,000 tokens in the mean.
 */
export const clusterLimits: ResponseLimits = {
  ...defaultResponseLimits,
  bytes: 16 * 2 ** 20,
  tokens: 1_000_000,
  objectTokens: 100_000,
  selectedBytes: 64 * 2 ** 20,
  violations: 3,
};
