import { boundedText, messageOf } from "@keelson/base";
import { conditionOf, type KubeObject, listAt, numberAt, resources, textAt, valueAt } from "@keelson/kube";
import type { ClusterContext } from "../context.ts";
import { complaint, conditionFacts } from "./conditions.ts";
import { type DiagnosticSource, enumeration, type Finding, finding } from "./finding.ts";

const limitMs = 20_000;
const maxObjects = 200;
const maxContainers = 20;
const operatorNamespace = "openshift-azure-operator";
const ingressNamespace = "openshift-ingress-operator";
const lastLines = 20;
const maxLogBytes = 64 * 1024;

/** A source that inspects the cluster's API, once there is a kubeconfig. */
function clusterSource(
  name: string,
  inspect: (context: ClusterContext) => Promise<Finding | undefined>,
): DiagnosticSource {
  return {
    name,
    ofInstallsOnly: false,
    limitMs,
    inspect: async (context) =>
      context.cluster.properties.aroServiceKubeconfig ? inspect(context) : undefined,
  };
}

export const clusterSources: readonly DiagnosticSource[] = [
  clusterSource("apiServer", async ({ kube, signal }) => {
    const ready = await kube().ready(signal);
    return finding([{ ready }], !ready && "The API server does not say that it is ready.");
  }),

  clusterSource("clusterVersion", async ({ kube, signal }) => {
    const found = await kube().find(resources.clusterVersions, { name: "version" }, signal);
    if (!found) return finding([], "There is no ClusterVersion yet.");
    const fault = complaint(found);
    const desired = boundedText(textAt(found, "status", "desired", "version") ?? "", 100);
    const [latest] = listAt(found, "status", "history");
    const state = boundedText(textAt(latest, "state") ?? "", 100);
    return finding(
      [{ desired, state, conditions: conditionFacts(found) }],
      fault && `The ClusterVersion says ${fault}`,
    );
  }),

  clusterSource("nodes", async (context) => {
    const nodes = await listSome(context, resources.nodes);
    const unready = nodes.filter((each) => conditionOf(each, "Ready") !== "True");
    const summary =
      nodes.length === 0
        ? "The cluster has no nodes."
        : unready.length > 0 &&
          `${unready.length} of ${nodes.length} nodes are not ready: ${namesOf(unready)}.`;
    return finding(
      nodes.map((each) => ({
        node: each.metadata.name,
        ready: conditionOf(each, "Ready") ?? "Unknown",
        unschedulable: valueAt(each, "spec", "unschedulable") === true,
        conditions: conditionFacts(each),
      })),
      summary,
    );
  }),

  clusterSource("clusterOperators", async (context) => {
    const operators = await listSome(context, resources.clusterOperators);
    return finding(
      operators.map((each) => ({ clusterOperator: each.metadata.name, conditions: conditionFacts(each) })),
      complaintsOf("Cluster operators", operators),
    );
  }),

  clusterSource("ingressControllers", async (context) => {
    const controllers = await listSome(context, resources.ingressControllers, ingressNamespace);
    return finding(
      controllers.map((each) => ({
        ingressController: each.metadata.name,
        availableReplicas: valueAt(each, "status", "availableReplicas") ?? 0,
        conditions: conditionFacts(each),
      })),
      complaintsOf("Ingress controllers", controllers),
    );
  }),

  clusterSource("operatorPods", async (context) => {
    const pods = await listSome(context, resources.pods, operatorNamespace);
    const facts = await Promise.all(pods.map((each) => podFact(context, each)));
    const stuck = pods.filter((each) => textAt(each, "status", "phase") !== "Running");
    return finding(
      facts,
      stuck.length > 0 && `Pods of the cluster's operator do not run: ${namesOf(stuck)}.`,
    );
  }),
];

async function listSome(
  { kube, signal }: ClusterContext,
  resource: (typeof resources)[keyof typeof resources],
  namespace?: string,
): Promise<readonly KubeObject[]> {
  const { items } = await kube().page(
    resource,
    { limit: maxObjects, ...(namespace ? { namespace } : {}) },
    signal,
  );
  return items;
}

async function podFact(context: ClusterContext, pod: KubeObject): Promise<Record<string, unknown>> {
  const containers = listAt(pod, "spec", "containers")
    .slice(0, maxContainers)
    .flatMap((each) => textAt(each, "name") ?? []);
  const outputs = containers.map(async (name) => [name, await lastOutput(context, pod, name)] as const);
  return {
    pod: pod.metadata.name,
    phase: boundedText(textAt(pod, "status", "phase") ?? "", 100),
    containers: listAt(pod, "status", "containerStatuses").slice(0, maxContainers).map(containerState),
    output: Object.fromEntries(await Promise.all(outputs)),
  };
}

/** `waiting`, `running` or `terminated`, and why. */
function containerState(status: unknown): Readonly<Record<string, unknown>> {
  for (const state of ["waiting", "running", "terminated"]) {
    const found = valueAt(status, "state", state);
    if (found === undefined) continue;
    const exitCode = numberAt(found, "exitCode");
    const [reason, message] = [textAt(found, "reason"), textAt(found, "message")];
    return {
      state,
      ...(reason === undefined ? {} : { reason: boundedText(reason, 100) }),
      ...(message === undefined ? {} : { message: boundedText(message, 1_000) }),
      ...(exitCode === undefined ? {} : { exitCode }),
    };
  }
  return { state: "unknown" };
}

/** A pod that cannot be read does not hide the others. */
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

function complaintsOf(what: string, objects: readonly KubeObject[]): string | false {
  const faults = objects.flatMap((each) => {
    const fault = complaint(each);
    return fault ? [`${each.metadata.name} (${fault})`] : [];
  });
  return faults.length > 0 && `${what} that are not well: ${enumeration(faults)}.`;
}

function namesOf(objects: readonly KubeObject[]): string {
  return enumeration(objects.map((each) => each.metadata.name));
}
