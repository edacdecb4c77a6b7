export {
  type ApiServer,
  type Clock,
  createCertificateAuthority,
  createLogger,
  issueCertificate,
  type KeyPair,
  type Logger,
  silentLogger,
  startApiServer,
  startTestCluster,
  systemClock,
  type TestCluster,
} from "@keelson/apiserver";
export { Secret } from "@keelson/base";
export { type AdminServer, type AdminServerOptions, startSimulationAdmin } from "./admin/admin-server.ts";
export type { Fault, FaultRequest } from "./faults/fault.ts";
export { type FaultKind, faultKinds } from "./faults/fault-kinds.ts";
export type { FaultRegistry } from "./faults/fault-registry.ts";
export { ensureMachine } from "./installer/control-plane-machines.ts";
export type { Program, ProgramIo } from "./kubelet/containers/program.ts";
export {
  type AdmittedCommand,
  type ContainerCommand,
  type HostProgram,
  type ImageBehaviour,
  ImageRegistry,
  type ProcessImage,
  type PullFailure,
} from "./kubelet/processes/image-registry.ts";
export type { ImageRule } from "./kubelet/processes/image-rule.ts";
export type { ProcessOwner } from "./kubelet/processes/process-owner.ts";
export type { ContainerStart } from "./kubelet/processes/process-run.ts";
export {
  type FromShared,
  SharedProcess,
  type SharedProcessOptions,
  type SharedProcessState,
  type ToShared,
} from "./kubelet/processes/shared-process.ts";
export type { UnknownPrograms } from "./kubelet/processes/unknown-programs.ts";
export type { PayloadVersion, ReleaseManifest, ReleasePayload } from "./payload/release-manifest.ts";
export { getFromAdmin } from "./processes/admin-request.ts";
export { clusterProcessOf } from "./processes/cluster-process.ts";
export type { AdminEndpoint, ClusterShare } from "./processes/cluster-share.ts";
export { recordedTimings } from "./settings/recorded-timings.ts";
export { defaultTimings, instantTimings, type Timings } from "./settings/timings.ts";
export {
  type SimulatedClusters,
  type SimulatedClustersOptions,
  startSimulatedClusters,
} from "./simulated-clusters.ts";
export type { Release, UpdateGraph } from "./updates/update-graph.ts";
export type { UpdateSource } from "./updates/update-source.ts";
export { startWorkloads, type Workloads, type WorkloadsOptions } from "./workloads/start-workloads.ts";
