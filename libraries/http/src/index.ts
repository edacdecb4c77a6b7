export { acceptsGzip } from "./accepts-gzip.ts";
export { verifyingClients } from "./client-authorities.ts";
export { readClientHello } from "./client-hello.ts";
export { closeHttpServer, keepAliveTimeoutMs } from "./close-http-server.ts";
export { connectionSource } from "./connection-source.ts";
export { countDropped } from "./dropped-connections.ts";
export {
  HttpsListener,
  type HttpsListenerOptions,
  handshakeTimeoutMs,
  type ListenerRequest,
  type ListenerResponse,
} from "./https-listener.ts";
export { isHttp2 } from "./is-http2.ts";
export { type HttpLimitOptions, LimitedHttpServer, type PeerAddress } from "./limited-http-server.ts";
export { hostInUrl, listen, portOf } from "./listen.ts";
export { type PathMatch, PathPattern } from "./path-pattern.ts";
export {
  type DropReason,
  type PendingConnection,
  PendingConnections,
  type PendingConnectionsOptions,
  type PendingLimits,
} from "./pending-connections.ts";
export { bufferPipelinedRequests } from "./pipelined-requests.ts";
export { protectServer } from "./protect-server.ts";
export { type NotReady, Readiness, type ReadinessOptions } from "./readiness.ts";
export {
  type BodyLimits,
  declaredLength,
  mediaTypeOf,
  type ReceivedBody,
  receiveBody,
  receiveFactor,
} from "./receive-body.ts";
export { extendReceiveLimits } from "./receive-limits.ts";
export { sharedPing } from "./shared-ping.ts";
export { withoutSchemas } from "./without-schemas.ts";
