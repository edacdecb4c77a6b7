import type { AroCluster, OperatorRole } from "@keelson/aro-api";
import type { Clock, Logger, Metrics } from "@keelson/base";
import type { Cache } from "@keelson/controller";
import type { KubeApi } from "@keelson/kube";
import type { RepairRecorder } from "@keelson/operator-kit";
import { ManagedObjects } from "@keelson/operator-kit/objects";
import type { AzureAccess } from "../azure/azure-access.ts";
import { AzureResources } from "../azure/azure-resources.ts";
import type { ClusterStatus } from "./cluster-status.ts";

/** Dependencies that all controllers of an operator share. */
export interface OperatorContext {
  readonly role: OperatorRole;
  /** Version of the running program. */
  readonly version: string;
  /** Namespace of the operator, for example `openshift-azure-operator`. */
  readonly namespace: string;
  readonly environment: Readonly<Record<string, string | undefined>>;
  /**
   * API server client, which controllers use for reads. Its writes succeed only while this process holds the leader lease. For
   * writes, controllers use `objects` and `status` instead.
   */
  readonly api: KubeApi;
  readonly cache: Cache;
  readonly status: ClusterStatus;
  readonly azure: AzureAccess;
  readonly repairs: RepairRecorder;
  readonly metrics: Metrics;
  readonly clock: Clock;
  readonly logger: Logger;
}

/** Context of one reconcile. */
export interface Request extends Omit<OperatorContext, "repairs" | "azure"> {
  readonly cluster: AroCluster;
  readonly flags: Readonly<Record<string, string>>;
  /** Reads and applies objects with the field manager of this controller. */
  readonly objects: ManagedObjects;
  /** Reads and writes Azure resources of the cluster. */
  readonly azure: AzureResources;
  /** Aborts at shutdown, loss of leadership or timeout of the call. */
  readonly signal: AbortSignal;
}

/** Creates the context for one reconcile of the controller `name`. */
export function requestOf(
  { repairs, azure: access, ...context }: OperatorContext,
  name: string,
  cluster: AroCluster,
  scope: { readonly signal: AbortSignal; readonly logger: Logger },
): Request {
  const { api, cache } = context;
  const fieldManager = `aro-operator-${name.toLowerCase()}`;
  const objects = new ManagedObjects({ api, cache, repairs, controller: name, fieldManager, ...scope });
  const azure = new AzureResources({ access, cluster, repairs, controller: name, ...scope });
  return { ...context, ...scope, cluster, flags: cluster.spec?.operatorflags ?? {}, objects, azure };
}
