export { apiServers, type TestApiServer } from "./test-api-server.ts";
