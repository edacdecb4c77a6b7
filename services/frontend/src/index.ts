export { azureChecks } from "./azure-checks/run-checks.ts";
export { startFrontend } from "./start-frontend.ts";
