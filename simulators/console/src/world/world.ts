import type { ClockState, Expiring } from "../api/clock.ts";
import type { FaultKindView, FaultView, NewFault } from "../api/faults.ts";
import type { Orphan } from "../api/orphans.ts";
import type { LoggedRequest, RequestSummary } from "../api/requests.ts";

export interface WorldFacts {
  readonly subscriptionId: string;
  readonly tenantId: string;
  readonly location: string;
  /** URL of the portal. Undefined if the portal does not run. */
  readonly portal?: string;
}

export interface WorldCall {
  readonly method: "GET" | "PUT" | "POST" | "PATCH" | "DELETE";
  /** Request path with query. */
  readonly path: string;
  readonly body?: object;
}

export interface WorldResponse {
  readonly status: number;
  /** Parsed JSON body. Undefined for an empty body. */
  readonly body: unknown;
}

/** Sends a request to the simulation. Rejects with a CodedError if no response arrives. */
export type CallWorld = (call: WorldCall, signal: AbortSignal) => Promise<WorldResponse>;

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
  /**
   * Returns the expiry times of key vault credentials. The console reads the expiry times of application credentials from
   * Microsoft Graph.
   */
  vaultExpiries(): Promise<readonly Expiring[]>;
}

export interface RequestReader {
  /** Returns requests with a sequence number higher than `after`, oldest first. */
  since(after: number): readonly RequestSummary[];
  find(sequence: number): LoggedRequest | undefined;
}

/** Names and options for new clusters. */
export interface ClusterChoices {
  readonly versions: readonly string[];
  readonly masterSizes: readonly string[];
  readonly workerSizes: readonly string[];
}

/** Prerequisites of a cluster. `prepare` creates them. */
export interface PreparedCluster {
  readonly clientId: string;
  readonly clientSecret: string;
  readonly masterSubnetId: string;
  readonly workerSubnetId: string;
}

export interface ClusterPreparation {
  readonly choices: ClusterChoices;
  /** Registers an application and creates the cluster's resource group and subnets. */
  prepare(name: string, signal: AbortSignal): Promise<PreparedCluster>;
}

/** Interfaces of the simulation and the service that the console uses. */
export interface World {
  /**
   * Sends a request to Azure Resource Manager with an access token of the application that the simulation creates for its user.
   */
  readonly arm: CallWorld;
  /** Sends a request to Microsoft Graph with an access token of the application that the simulation creates for its user. */
  readonly graph: CallWorld;
  /** Sends a request to the service's admin API. */
  readonly service: CallWorld;
  readonly faults: FaultControl;
  readonly clock: ClockControl;
  readonly requests: RequestReader;
  readonly clusters: ClusterPreparation;
  /** Returns the differences between the simulated Azure and the service's clusters. */
  orphans(signal: AbortSignal): Promise<readonly Orphan[]>;
}
