/**
 * Earlier version. The current version must open its state directories and databases, and processes of both versions must be able
 * to run at the same time.
 */
export interface EarlierVersion {
  readonly name: string;
  readonly commit: string;
  /**
   * True if this earlier version cannot continue operations that the current version has started. All processes of this earlier
   * version must stop before the first process of the current version starts.
   */
  readonly isForwardOnly?: true;
}

export interface EarlierConfig {
  readonly containerRegistry?: { readonly domain: string; readonly url?: string };
}

/**
 * Earlier versions, oldest first. `make test` checks the oldest one with PostgreSQL and Cosmos DB, and the newest one with the
 * embedded database. `make test-all` checks all. For each release, add a row here and create its fixture with
 * `make upgrade-fixtures`.
 */
export const earlierVersions: readonly EarlierVersion[] = [
  {
    name: "0.1.0-2026-11-22",
    commit: "f1d5039cc81bf2f09182496e9bb932c1aa81b097",
    // This version binds the operator to the role cluster-admin. The current version cannot change that binding, because
    // Kubernetes forbids changes to a binding's role.
    isForwardOnly: true,
  },
  {
    name: "0.1.0-2026-11-23",
    commit: "99daea06016ac9aaa3dc3309f7c1ba967cde1b7e",
    isForwardOnly: true,
  },
  { name: "0.1.0-2026-11-24", commit: "c597cdd64c983316717c6d4c299239f39c0de93a" },
  { name: "0.1.0", commit: "179f2d253edb05a383a88b4b3f88eda1f662cfdb" },
  { name: "0.2.0", commit: "578751d9a848f5f203850bb64251be29b55f3fe9" },
];

/** Oldest earlier version, which differs most from the current version. */
export const oldestVersion = earlierVersions.slice(0, 1);

/** Newest earlier version, which most installations run. */
export const newestVersion = earlierVersions.slice(-1);

/** All earlier versions except the oldest. */
export const laterVersions = earlierVersions.slice(1);

/** All earlier versions except the newest. */
export const previousVersions = earlierVersions.slice(0, -1);
