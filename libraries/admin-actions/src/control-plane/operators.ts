import { CloudError } from "@keelson/arm";
import { onTimeDeadline, stringAt } from "@keelson/base";
import { conditionStatus, findCondition, type KubeObject, resources } from "@keelson/kube";
import type { ActionContext } from "../context/action-context.ts";
import { controlPlaneReplicas } from "./machines.ts";
import { nodeState } from "./node.ts";

const etcdLimitMs = 10 * 60_000;
const etcdPauseMs = 10_000;

/**
 * Checks that etcd can lose one member without losing quorum.
 * @throws CloudError RequestNotAllowed (409)
 */
export async function checkEtcd(context: ActionContext): Promise<void> {
  await checkOperator(context, "etcd", "Resize is not safe while etcd quorum is at risk.");
}

/**
 * Checks that the API servers are available.
 * @throws CloudError RequestNotAllowed (409)
 */
export async function checkApiServers(context: ActionContext): Promise<void> {
  await checkOperator(context, "kube-apiserver", "Resize is not safe while the API server is degraded.");
  await checkApiServerPods(context);
}

/** Waits until all etcd members are healthy. @throws the error of `checkEtcd` after ten minutes */
export async function untilEtcdHealthy(context: ActionContext): Promise<void> {
  const { clock, signal } = context;
  const isOver = onTimeDeadline(clock, etcdLimitMs);
  for (;;) {
    try {
      await checkEtcd(context);
      return;
    } catch (error) {
      const mayRecover = error instanceof CloudError && error.status === 409;
      if (!mayRecover || isOver()) throw error;
      await clock.sleep(etcdPauseMs, signal);
    }
  }
}

/**
 * Checks that all masters are up before the next master is stopped.
 * @throws CloudError RequestNotAllowed (409)
 */
export async function checkMastersUp(context: ActionContext, nodes: readonly string[]): Promise<void> {
  for (const name of nodes) {
    const { ready, schedulable } = await nodeState(context, name);
    if (!ready) {
      throw notAllowed(
        `Control plane node ${name} is not Ready. Resolve node health before resizing another master.`,
      );
    }
    if (!schedulable) {
      throw notAllowed(
        `Control plane node ${name} is unschedulable. Uncordon and verify the node before resizing another master.`,
      );
    }
  }
  await checkEtcd(context);
}

/**
 * Checks that no active ControlPlaneMachineSet manages the masters. An active ControlPlaneMachineSet would revert the resize.
 * @throws CloudError RequestNotAllowed (409)
 */
export async function checkMachineSetInactive({ kube, signal }: ActionContext): Promise<void> {
  const key = { namespace: "openshift-machine-api", name: "cluster" };
  const set = await kube().find(resources.controlPlaneMachineSets, key, signal);
  if (stringAt(set, "spec", "state") !== "Active") return;
  throw notAllowed(
    "ControlPlaneMachineSet is currently Active. Deactivate CPMS before running this operation.",
  );
}

/**
 * Checks that the ARO operator reports the service principal's credentials as valid.
 * @throws CloudError InvalidServicePrincipalCredentials (409)
 */
export async function checkServicePrincipal({ kube, signal }: ActionContext): Promise<void> {
  const cluster = await kube().get(resources.aroClusters, { name: "cluster" }, signal);
  const condition = findCondition(cluster, "ServicePrincipalValid");
  if (stringAt(condition, "status") === "True") return;
  throw new CloudError(
    "InvalidServicePrincipalCredentials",
    condition === undefined
      ? "ServicePrincipalValid condition not found on the ARO Cluster resource. The ARO operator may not have reconciled yet."
      : `Cluster Service Principal is invalid: ${stringAt(condition, "message") ?? ""}`,
    { status: 409, target: "servicePrincipal" },
  );
}

async function checkOperator({ kube, signal }: ActionContext, name: string, danger: string): Promise<void> {
  const operator = await kube().get(resources.clusterOperators, { name }, signal);
  const [available, progressing, degraded] = ["Available", "Progressing", "Degraded"].map(
    (type) => conditionStatus(operator, type) ?? "",
  );
  const isHealthy = available === "True" && progressing === "False" && (degraded || "False") === "False";
  if (isHealthy) return;
  const state = `${name} Available=${available}, Progressing=${progressing}, Degraded=${degraded}`;
  throw notAllowed(`${name} is not healthy: ${state}. ${danger}`, name);
}

async function checkApiServerPods({ kube, signal }: ActionContext): Promise<void> {
  const target = "kube-apiserver-pods";
  const danger = "Resize is not safe without full API server redundancy.";
  const selection = { namespace: "openshift-kube-apiserver", labelSelector: "app=openshift-kube-apiserver" };
  const { items } = await kube().list(resources.pods, selection, signal);
  if (items.length !== controlPlaneReplicas) {
    throw notAllowed(
      `Expected ${controlPlaneReplicas} kube-apiserver pods, found ${items.length}. ${danger}`,
      target,
    );
  }
  const unhealthy = items.flatMap((pod) => {
    const problem = podProblem(pod);
    return problem === undefined ? [] : [`${pod.metadata.name} (${problem})`];
  });
  if (unhealthy.length === 0) return;
  throw notAllowed(`Unhealthy kube-apiserver pods: [${unhealthy.join(" ")}]. ${danger}`, target);
}

function podProblem(pod: KubeObject): string | undefined {
  const phase = stringAt(pod, "status", "phase");
  if (phase !== "Running") return `phase: ${phase ?? ""}`;
  const ready = conditionStatus(pod, "Ready");
  if (ready === undefined) return "ready condition not found";
  return ready === "True" ? undefined : "not ready";
}

function notAllowed(message: string, target?: string): CloudError {
  return new CloudError("RequestNotAllowed", message, { status: 409, target });
}
