export { acceptsGzip } from "./accepts-gzip.ts";
export { closeHttpServer, keepAliveTimeoutMs } from "./close-http-server.ts";
export { connectionSource } from "./connection-source.ts";
export { countDropped } from "./dropped-connections.ts";
export { type HttpLimitOptions, LimitedHttpServer, type PeerAddress } from "./limited-http-server.ts";
export {
  type DropReason,
  type PendingConnection,
  PendingConnections,
  type PendingConnectionsOptions,
  type PendingLimits,
} from "./pending-connections.ts";
export { bufferPipelinedRequests } from "./pipelined-requests.ts";
export { extendReceiveLimits } from "./receive-limits.ts";
