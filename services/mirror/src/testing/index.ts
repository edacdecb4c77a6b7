export { answer, serveHttps, type TestServer, testAuthority } from "./https-server.ts";
export { graphType, serveGraph, temporaryFolder } from "./mirror-setup.ts";
export { RegistryStore } from "./registry-store.ts";
export { TestRegistry, type TestRegistryOptions } from "./test-registry.ts";
