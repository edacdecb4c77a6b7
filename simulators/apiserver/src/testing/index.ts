export { adminKubeconfig } from "./admin-kubeconfig.ts";
export { agentFor } from "./agent.ts";
export { type ControlPlane, type RealControlPlane, startControlPlane } from "./control-plane.ts";
export {
  type EmbeddedProcess,
  type EmbeddedProcessOptions,
  startEmbeddedProcess,
} from "./embedded-process.ts";
export { startEmbedded } from "./embedded-server.ts";
export { type HostileCase, hostileCases } from "./hostile-cases.ts";
export { type HostileCall, HostileClient } from "./hostile-client.ts";
export { type InstalledKubectl, installedKubectls, newestKubectl } from "./installed-kubectls.ts";
export type { ProcessReport } from "./serve-embedded.ts";
