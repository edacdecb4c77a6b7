export { startDevelopmentProxy } from "./development-proxy.ts";
export { startGateway } from "./start-gateway.ts";
