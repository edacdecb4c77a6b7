export { serveHttps, testAuthority } from "./https-server.ts";
export { serveGraph, temporaryDirectory } from "./mirror-setup.ts";
export { TestRegistry } from "./test-registry.ts";
