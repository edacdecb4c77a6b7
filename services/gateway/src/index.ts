export { type DevelopmentProxyOptions, startDevelopmentProxy } from "./development-proxy.ts";
export { type Gateway, type GatewayOptions, startGateway } from "./start-gateway.ts";
