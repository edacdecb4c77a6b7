import { boundedText, listAt, stringAt, valueAt } from "@keelson/base";
import { conditionStatus, type KubeObject, resources } from "@keelson/kube";
import { clusterSource, listSome, namesOf } from "./cluster-source.ts";
import { complaint, conditionFacts } from "./conditions.ts";
import { type DiagnosticSource, enumeration, finding } from "./finding.ts";

const ingressNamespace = "openshift-ingress-operator";

export const clusterSources: readonly DiagnosticSource[] = [
  clusterSource("apiServer", async ({ kube, signal }) => {
    const ready = await kube().ready(signal);
    return finding([{ ready }], !ready && "The API server does not report that it is ready.");
  }),

  clusterSource("clusterVersion", async ({ kube, signal }) => {
    const found = await kube().find(resources.clusterVersions, { name: "version" }, signal);
    if (!found) return finding([], "There is no ClusterVersion yet.");
    const fault = complaint(found);
    const desired = boundedText(stringAt(found, "status", "desired", "version") ?? "", 100);
    const [latest] = listAt(found, "status", "history");
    const state = boundedText(stringAt(latest, "state") ?? "", 100);
    return finding(
      [{ desired, state, conditions: conditionFacts(found) }],
      fault && `The ClusterVersion reports ${fault}`,
    );
  }),

  clusterSource("nodes", async (context) => {
    const nodes = await listSome(context, resources.nodes);
    const unready = nodes.filter((each) => conditionStatus(each, "Ready") !== "True");
    const summary =
      nodes.length === 0
        ? "The cluster has no nodes."
        : unready.length > 0 &&
          `${unready.length} of ${nodes.length} nodes are not ready: ${namesOf(unready)}.`;
    return finding(
      nodes.map((each) => ({
        node: each.metadata.name,
        ready: conditionStatus(each, "Ready") ?? "Unknown",
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
];

function complaintsOf(what: string, objects: readonly KubeObject[]): string | false {
  const faults = objects.flatMap((each) => {
    const fault = complaint(each);
    return fault ? [`${each.metadata.name} (${fault})`] : [];
  });
  return faults.length > 0 && `${what} that are not well: ${enumeration(faults)}.`;
}
