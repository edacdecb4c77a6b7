export { reportPluginHealth } from "./health-reporter.ts";
export { connectKms, type KmsService } from "./kms-client.ts";
export { pathOfSocket, socketsProblem } from "./kms-sockets.ts";
export { runPreflight } from "./preflight-check.ts";
