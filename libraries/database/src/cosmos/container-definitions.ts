/** Cosmos DB container. The format is valid for both the data plane and Azure Resource Manager. */
export interface CosmosContainer {
  readonly id: string;
  readonly partitionKey: { readonly paths: string[]; readonly version: 2 };
  /** If -1, each item can set its time to live. If undefined, items do not expire. */
  readonly defaultTtl?: number;
  readonly indexingPolicy: {
    readonly indexingMode: "consistent";
    readonly includedPaths: { readonly path: string }[];
    readonly excludedPaths: { readonly path: string }[];
  };
}

/** Default database name in an account. */
export const cosmosDatabaseName = "keelson";

const indexed = (paths: readonly string[]): CosmosContainer["indexingPolicy"] => ({
  indexingMode: "consistent",
  includedPaths: paths.map((path) => ({ path })),
  // Only paths that queries use are indexed, because each index adds request units to every write.
  excludedPaths: [{ path: "/*" }],
});

/** Containers that the store uses. */
export const cosmosContainers: readonly CosmosContainer[] = [
  {
    id: "documents",
    partitionKey: { paths: ["/partitionKey"], version: 2 },
    defaultTtl: -1,
    indexingPolicy: indexed([
      "/kind/?",
      "/collection/?",
      "/keys/*",
      "/sort/*",
      "/order/?",
      "/dueAt/?",
      "/notBefore/?",
      "/leaseExpires/?",
      "/sealedKeyId/?",
    ]),
  },
  {
    id: "control",
    partitionKey: { paths: ["/id"], version: 2 },
    indexingPolicy: indexed(["/kind/?", "/isSettled/?"]),
  },
];
