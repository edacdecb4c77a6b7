export type { ClusterContext } from "./context.ts";
export { engineErrors, isInterruption } from "./engine/errors.ts";
export type { StepScope } from "./engine/execute.ts";
export type { LeaseGuard } from "./engine/lease-guard.ts";
export type { StepEvent } from "./engine/run.ts";
export type {
  AzureConnection,
  CertificateIssuer,
  ClusterEnvironment,
  IssuedCertificate,
} from "./environment.ts";
export type { ApiServerAddress, Installer, InstallState } from "./installers/installer.ts";
export { type SimulatedInstallerOptions, simulatedInstaller } from "./installers/simulated.ts";
export {
  ClusterOperation,
  type ClusterOperationOptions,
  type ClusterOperationResult,
} from "./operation.ts";
