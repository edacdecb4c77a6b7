export type {
  ClientOptions,
  OperationOptions,
  OperationState,
  PagedAsyncIterableIterator,
  PollerLike,
  TokenCredential,
} from "./connection/arm-connection.ts";
/** The newest version; older ones are at `@keelson/arm-redhatopenshift/<version>`. */
export * from "./versions/2025-07-25.ts";
