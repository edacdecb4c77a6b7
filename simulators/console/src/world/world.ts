import type { ClockState, Expiring } from "../api/clock.ts";
import type { FaultKindView, FaultView, NewFault } from "../api/faults.ts";
import type { Orphan } from "../api/orphans.ts";
import type { LoggedRequest, RequestSummary } from "../api/requests.ts";

export interface WorldFacts {
  readonly subscriptionId: string;
  readonly tenantId: string;
  readonly location: string;
  /** URL of the portal. Undefined if it does not run. */
  readonly portal?: string;
}

export interface WorldCall {
  readonly method: "GET" | "PUT" | "POST" | "PATCH" | "DELETE";
  /** Path with query. */
  readonly path: string;
  readonly body?: object;
}

export interface WorldAnswer {
  readonly status: number;
  /** Parsed JSON. Undefined for an empty body. */
  readonly body: unknown;
}

/** Sends a request. Rejects with a CodedError if there is no response. */
export type CallWorld = (call: WorldCall, signal: AbortSignal) => Promise<WorldAnswer>;

export interface FaultControl {
  list(): Promise<readonly FaultView[]>;
  kinds(): Promise<readonly FaultKindView[]>;
  set(fault: NewFault): Promise<FaultView>;
  clear(id: string): Promise<void>;
}

export interface ClockControl {
  time(): Promise<Pick<ClockState, "now" | "aheadMs">>;
  advance(ms: number): Promise<void>;
  reset(): Promise<void>;
  /** Credentials in key vaults. Applications are in Microsoft Graph. */
  vaultExpiries(): Promise<readonly Expiring[]>;
}

export interface RequestReader {
  /** Requests with a higher sequence number than `after`, oldest first. */
  since(after: number): readonly RequestSummary[];
  find(sequence: number): LoggedRequest | undefined;
}

/** Names and choices for new clusters. */
export interface ClusterChoices {
  readonly versions: readonly string[];
  readonly masterSizes: readonly string[];
  readonly workerSizes: readonly string[];
}

/** Prerequisites of a cluster, created by `prepare`. */
export interface PreparedCluster {
  readonly clientId: string;
  readonly clientSecret: string;
  readonly masterSubnetId: string;
  readonly workerSubnetId: string;
}

export interface ClusterPreparation {
  readonly choices: ClusterChoices;
  /** Registers an application and creates the resource group and the subnets of a cluster. */
  prepare(name: string, signal: AbortSignal): Promise<PreparedCluster>;
}

/** Interfaces of the simulated world and the service that the console uses. */
export interface World {
  /** Azure Resource Manager, as the user's application. */
  readonly arm: CallWorld;
  /** Microsoft Graph, as the user's application. */
  readonly graph: CallWorld;
  /** Admin API of the service. */
  readonly service: CallWorld;
  readonly faults: FaultControl;
  readonly clock: ClockControl;
  readonly requests: RequestReader;
  readonly clusters: ClusterPreparation;
  /** Differences between the simulated Azure and the service's clusters. */
  orphans(signal: AbortSignal): Promise<readonly Orphan[]>;
}
