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
  /** The cluster's API, as the operator's service account. */
  readonly api: KubeApi;
  /** Of this program, for example the commit that it was built from. */
  readonly version: string;
  /** The operator's own namespace; `openshift-azure-operator` when absent. */
  readonly namespace?: string;
  /** Names this process, for example its pod: unique among all that run in the cluster. */
  readonly instance: string;
  /** `AZURE_*` and their like, as the pod has them. */
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** Durations are OpenShift's when absent. */
  readonly election?: ElectionSettings;
  readonly metrics: Metrics;
  readonly clock: Clock;
  readonly logger: Logger;
}

/** One operator of one cluster. Any number run side by side in one process, each with its own API and cache. */
export interface AroOperator {
  /** True once its caches have been filled. */
  readonly isReady: boolean;
  /** Until the signal aborts. Rejects with `LeadershipLost` when another master took over: end the process then. */
  run(signal: AbortSignal): Promise<void>;
}

/** @throws Error for a role that is neither `master` nor `worker` */
export function createAroOperator(options: AroOperatorOptions): AroOperator {
  const { role, api, instance, metrics, clock, logger, namespace = operatorNamespace } = options;
  const controllers = controllersOf[role];
  if (!controllers) throw new Error(`invalid role ${role}`);
  // Only masters repair things: workers check from where they run, two of them do no harm.
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

/** These controllers, whatever the role; without an election nothing keeps a second process from running them too. */
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
        ...(role === "master" ? { operatorVersion: version } : {}),
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
