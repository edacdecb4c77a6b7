export type {
  ClientOptions,
  OperationOptions,
  OperationState,
  PagedAsyncIterableIterator,
  PollerLike,
  TokenCredential,
} from "./connection/arm-connection.ts";
/** Newest version. Older ones are at `@keelson/arm-redhatopenshift/<version>`. */
export * from "./versions/2025-07-25.ts";
