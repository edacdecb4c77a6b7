/** A version whose state directories and databases must still open, and beside which this one must run. */
export interface EarlierVersion {
  readonly name: string;
  readonly commit: string;
}

/** Oldest first. A release adds its row, and its fixture by `make upgrade-fixtures`. */
export const earlierVersions: readonly EarlierVersion[] = [
  { name: "0.1.0-2026-11-22", commit: "f1d5039cc81bf2f09182496e9bb932c1aa81b097" },
  { name: "0.1.0-2026-11-23", commit: "99daea06016ac9aaa3dc3309f7c1ba967cde1b7e" },
  { name: "0.1.0-2026-11-24", commit: "c597cdd64c983316717c6d4c299239f39c0de93a" },
  { name: "0.1.0", commit: "179f2d253edb05a383a88b4b3f88eda1f662cfdb" },
];
