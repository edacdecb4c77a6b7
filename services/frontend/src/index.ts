export type { AzureChecks, ProposedCreation } from "./azure-checks/azure-checks.ts";
export { type AzureChecksOptions, azureChecks } from "./azure-checks/run-checks.ts";
export { type Frontend, type FrontendOptions, startFrontend } from "./start-frontend.ts";
