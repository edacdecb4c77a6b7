export {
  type Clock,
  createCertificateAuthority,
  createLogger,
  issueCertificate,
  type KeyPair,
  type Logger,
  Secret,
  silentLogger,
  systemClock,
} from "@keelson/base";
export type { BalancingRule, HealthProbe, HostedMachine, MachineHost } from "./arm/machine-host.ts";
export { recordedTimings } from "./arm/recorded-timings.ts";
export type { Availability, RightsSource } from "./arm/service-settings.ts";
export { defaultTimings, instantTimings, type Range, type Timings } from "./arm/timings.ts";
export { audit, type Finding } from "./audit/audit.ts";
export { type AuditedCluster, auditedCluster } from "./audit/audited-cluster.ts";
export type { Inventory } from "./audit/inventory.ts";
export {
  blobDataContributorRole,
  networkContributorRole,
  ownerRole,
  vaultAdministratorRole,
} from "./authorization/built-in-roles.ts";
export type { DnsServerOptions } from "./dns/dns-server.ts";
export type { Fault, FaultInForce } from "./faults/definitions/fault.ts";
export { type FaultKind, faultKinds } from "./faults/definitions/fault-kinds.ts";
export type { VaultExpiry } from "./key-vault/vault-expiries.ts";
export { type OpenedState, openState } from "./open-state.ts";
export type { ConnectMachine, ForwardProxyOptions } from "./proxy/forward-proxy.ts";
export type { LoggedBody, LoggedRequest, RequestLog, RequestSummary } from "./request-log/request-log.ts";
export type { SettingsPatch } from "./settings/settings.ts";
export {
  type SimulatedAzure,
  type SimulatedAzureOptions,
  type SimulatedPrincipal,
  startSimulatedAzure,
} from "./simulated-azure.ts";
export {
  type LocalAzure,
  type LocalAzureEndpoints,
  type LocalAzureOptions,
  startLocalAzure,
} from "./start-local-azure.ts";
