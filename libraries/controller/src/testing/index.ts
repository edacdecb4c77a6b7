export { ScriptedApi, type ScriptedFault } from "./scripted-api.ts";
export { apiServers, type TestApiServer } from "./test-api-server.ts";
