/** Container of Cosmos DB, in the form of both the data plane and Azure Resource Manager. */
export interface CosmosContainer {
  readonly id: string;
  readonly partitionKey: { readonly paths: string[]; readonly version: 2 };
  /** -1: items can set their time to live. Absent: items do not expire. */
  readonly defaultTtl?: number;
  readonly indexingPolicy: {
    readonly indexingMode: "consistent";
    readonly includedPaths: { readonly path: string }[];
    readonly excludedPaths: { readonly path: string }[];
  };
}

/** Default name of the database in an account. */
export const cosmosDatabaseName = "keelson";

const indexed = (paths: readonly string[]): CosmosContainer["indexingPolicy"] => ({
  indexingMode: "consistent",
  includedPaths: paths.map((path) => ({ path })),
  // An index that no query uses costs request units at every write.
  excludedPaths: [{ path: "/*" }],
});

/** Containers of the documents. */
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
