/** A container of Cosmos DB as both the data plane and Azure Resource Manager make it. */
export interface CosmosContainer {
  readonly id: string;
  readonly partitionKey: { readonly paths: string[]; readonly version: 2 };
  /** -1: items may say when they end. Without it, they do not. */
  readonly defaultTtl?: number;
  readonly indexingPolicy: {
    readonly indexingMode: "consistent";
    readonly includedPaths: { readonly path: string }[];
    readonly excludedPaths: { readonly path: string }[];
  };
}

/** The database of an account, unless the configuration names another. */
export const cosmosDatabaseName = "keelson";

const indexed = (paths: readonly string[]): CosmosContainer["indexingPolicy"] => ({
  indexingMode: "consistent",
  includedPaths: paths.map((path) => ({ path })),
  // An index that no query uses costs request units at every write.
  excludedPaths: [{ path: "/*" }],
});

/** The containers in which the documents are kept. */
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
