import { type OperatorRole, operatorNamespace } from "@keelson/aro-api";
import type { Clock, Logger, Metrics } from "@keelson/base";
import { type ElectionSettings, LeaderElection, Manager } from "@keelson/controller";
import type { KubeApi } from "@keelson/kube";
import { RepairRecorder } from "@keelson/operator-kit/objects";
import { AzureAccess } from "./azure/azure-access.ts";
import { controllersOf, isKnownCondition } from "./controllers/controllers.ts";
import { type AroController, aroController } from "./runtime/aro-controller.ts";
import { ClusterStatus } from "./runtime/cluster-status.ts";
import type { OperatorContext } from "./runtime/operator-context.ts";

export interface AroOperatorOptions {
  readonly role: OperatorRole;
  /** Client of the cluster's API server. It authenticates with the operator's service account. */
  readonly api: KubeApi;
  /** Version of this program, for example its commit. */
  readonly version: string;
  /** Namespace of the operator. Default: `openshift-azure-operator`. */
  readonly namespace?: string;
  /** Identity of this process, for example its pod name. It must be unique in the cluster. */
  readonly instance: string;
  /** Environment of the pod: `AZURE_*` and similar variables. */
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** Leader election durations. Default: the durations of OpenShift's operators. */
  readonly election?: ElectionSettings;
  readonly metrics: Metrics;
  readonly clock: Clock;
  readonly logger: Logger;
}

/** ARO operator of one cluster. A process can run many operators. Each operator has a separate API client and cache. */
export interface AroOperator {
  /** True after the caches were filled. */
  readonly isReady: boolean;
  /**
   * Runs until the signal aborts. Rejects with `LeadershipLost` if a second process has become the leader. The process must then
   * exit.
   */
  run(signal: AbortSignal): Promise<void>;
}

/**
 * Creates an operator.
 * @throws Error for a role other than `master` and `worker`
 */
export function createAroOperator(options: AroOperatorOptions): AroOperator {
  const { role, api, instance, metrics, clock, logger, namespace = operatorNamespace } = options;
  const controllers = controllersOf[role];
  if (!controllers) throw new Error(`invalid role ${role}`);
  // Operators with the role `master` write to the cluster, so they need a lease. Operators with the role `worker` only check
  // connections from their node. Several operators with the role `worker` may run the same check without harm.
  const election =
    role === "master"
      ? new LeaderElection({
          api,
          lease: { namespace, name: "aro-operator-master" },
          identity: instance,
          ...options.election,
          clock,
          logger,
          metrics,
        })
      : undefined;
  return runControllers(controllers, options, election);
}

/**
 * Runs the given controllers, whatever the operator's role is. Without leader election, several processes may run the same
 * controllers concurrently.
 */
export function runControllers(
  controllers: readonly AroController[],
  options: AroOperatorOptions,
  election?: LeaderElection,
): AroOperator {
  const { role, api, instance, version, environment, metrics, clock, logger } = options;
  return new Manager<OperatorContext>({
    api,
    component: `aro-operator-${role}`,
    instance,
    context: ({ events, ...parts }) => ({
      ...parts,
      role,
      version,
      environment,
      namespace: options.namespace ?? operatorNamespace,
      metrics,
      status: new ClusterStatus({
        ...parts,
        operatorVersion: role === "master" ? version : undefined,
        isKnownCondition,
      }),
      repairs: new RepairRecorder(events, metrics, "aro_operator_repairs_total"),
      azure: new AzureAccess({ ...parts, environment, fence: () => election?.assertLeader() }),
    }),
    controllers: controllers.map(aroController),
    election,
    metrics,
    clock,
    logger,
  });
}
