import { operatorNamespace } from "@keelson/aro-api";
import { boundedText, listAt, messageOf, numberAt, stringAt, valueAt } from "@keelson/base";
import { type KubeObject, resources } from "@keelson/kube";
import type { ClusterContext } from "../context/context.ts";
import { isRolledOut } from "../operator/operator-readiness.ts";
import { clusterSource, listSome, namesOf } from "./cluster-source.ts";
import { conditionFacts } from "./conditions.ts";
import { type DiagnosticSource, finding } from "./finding.ts";

const maxContainers = 20;
const lastLines = 20;
const maxLogBytes = 64 * 1024;

/** Sources for the state of the ARO operator in the cluster. */
export const operatorSources: readonly DiagnosticSource[] = [
  clusterSource("operatorDeployments", async (context) => {
    const deployments = await listSome(context, resources.deployments, operatorNamespace);
    const replicaSets = await listSome(context, resources.replicaSets, operatorNamespace);
    const behind = deployments.filter((each) => !isRolledOut(each));
    return finding(
      [...deployments, ...replicaSets].map(workloadFact),
      behind.length > 0 && `Deployments of the cluster's operator are not rolled out: ${namesOf(behind)}.`,
    );
  }),

  clusterSource("operatorPods", async (context) => {
    const pods = await listSome(context, resources.pods, operatorNamespace);
    const facts = await Promise.all(pods.map((each) => podFact(context, each)));
    const stuck = pods.filter((each) => stringAt(each, "status", "phase") !== "Running");
    return finding(
      facts,
      stuck.length > 0 && `Pods of the cluster's operator do not run: ${namesOf(stuck)}.`,
    );
  }),
];

/** Returns the state of a workload for the log. Missing counts are 0, because Kubernetes omits zero counts from the status. */
function workloadFact(workload: KubeObject): Record<string, unknown> {
  const counts = ["replicas", "updatedReplicas", "readyReplicas", "availableReplicas"].map((member) => [
    member,
    numberAt(workload, "status", member) ?? 0,
  ]);
  return {
    [workload.kind === "Deployment" ? "deployment" : "replicaSet"]: workload.metadata.name,
    wanted: numberAt(workload, "spec", "replicas") ?? 1,
    ...Object.fromEntries(counts),
    generation: workload.metadata.generation,
    observedGeneration: numberAt(workload, "status", "observedGeneration"),
    conditions: conditionFacts(workload),
  };
}

async function podFact(context: ClusterContext, pod: KubeObject): Promise<Record<string, unknown>> {
  const containers = listAt(pod, "spec", "containers")
    .slice(0, maxContainers)
    .flatMap((each) => stringAt(each, "name") ?? []);
  const outputs = containers.map(async (name) => [name, await lastOutput(context, pod, name)] as const);
  return {
    pod: pod.metadata.name,
    phase: boundedText(stringAt(pod, "status", "phase") ?? "", 100),
    containers: listAt(pod, "status", "containerStatuses").slice(0, maxContainers).map(containerState),
    output: Object.fromEntries(await Promise.all(outputs)),
  };
}

/** Returns `waiting`, `running` or `terminated`, with the reason. */
function containerState(status: unknown): Readonly<Record<string, unknown>> {
  for (const state of ["waiting", "running", "terminated"]) {
    const found = valueAt(status, "state", state);
    if (found === undefined) continue;
    const exitCode = numberAt(found, "exitCode");
    const [reason, message] = [stringAt(found, "reason"), stringAt(found, "message")];
    return {
      state,
      ...(reason === undefined ? {} : { reason: boundedText(reason, 100) }),
      ...(message === undefined ? {} : { message: boundedText(message, 1_000) }),
      ...(exitCode === undefined ? {} : { exitCode }),
    };
  }
  return { state: "unknown" };
}

/** Returns the last output of a container. If the output cannot be read, the other containers and pods are still reported. */
async function lastOutput(
  { kube, signal }: ClusterContext,
  { metadata: { namespace = operatorNamespace, name } }: KubeObject,
  container: string,
): Promise<readonly string[]> {
  try {
    const options = { container, tailLines: lastLines, limitBytes: maxLogBytes };
    const pieces = await Array.fromAsync(kube().logs({ namespace, name }, options, signal));
    return Buffer.concat(pieces).toString("utf8").trimEnd().split("\n").slice(-lastLines);
  } catch (error) {
    return [`its log cannot be read: ${messageOf(error)}`];
  }
}
