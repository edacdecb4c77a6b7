import type { ConfigObserver } from "@keelson/operator-kit";
import { clientCaSources, serverCaSources } from "../certificates/client-ca.ts";
import { rotationRows } from "../certificates/rotation-rows.ts";
import { namespaces } from "../config/namespaces.ts";
import { syncRules } from "../controllers/resource-sync/sync-rules.ts";
import { inputText } from "../diff/change-origin.ts";
import { configObservers } from "../observers/observers.ts";
import { revisionedSources, syncedSources } from "../operand/operand-sources.ts";

/** Column of the graph, from left to right. A node depends only on nodes to its left. */
export type GraphLayer = "inputs" | "makers" | "made" | "sources" | "revision";

interface GraphNode {
  readonly name: string;
  readonly layer: GraphLayer;
}

export interface ResourceGraph {
  readonly nodes: readonly GraphNode[];
  /** Pairs of node names. The node `to` is derived from the node `from`. */
  readonly edges: readonly (readonly [from: string, to: string])[];
}

const observed = "kubeapiservers.operator.openshift.io/cluster spec.observedConfig";
const [revision, live] = ["revision N", "kube-apiserver-certs on each node"];

/**
 * Returns the graph of the operator's reads and writes. It is computed from the tables that the operator itself uses, so it is
 * always current.
 */
export function resourceGraph(version: string): ResourceGraph {
  const nodes = new Map<string, GraphLayer>();
  const edges = new Map<string, readonly [string, string]>();
  const add = (name: string, layer: GraphLayer) => {
    if (!nodes.has(name)) nodes.set(name, layer);
    return name;
  };
  const connect = (from: string, to: string) => edges.set(JSON.stringify([from, to]), [from, to]);
  // Nodes with a fixed layer are added first, because later references to a node do not change its layer.
  for (const name of [...revisionedSources.configMaps, ...revisionedSources.optionalConfigMaps])
    connect(add(objectText("ConfigMap", namespaces.target, name), "sources"), add(revision, "revision"));
  for (const name of [...revisionedSources.secrets, ...revisionedSources.optionalSecrets])
    connect(add(objectText("Secret", namespaces.target, name), "sources"), revision);
  for (const name of [...syncedSources.configMaps, ...syncedSources.optionalConfigMaps])
    connect(add(objectText("ConfigMap", namespaces.target, name), "sources"), add(live, "revision"));
  for (const name of [...syncedSources.secrets, ...syncedSources.optionalSecrets])
    connect(add(objectText("Secret", namespaces.target, name), "sources"), live);
  add(observed, "made");
  for (const observer of configObservers(version)) addObserver(observer, add, connect);
  const config = objectText("ConfigMap", namespaces.target, "config");
  connect(observed, config);
  connect(observed, objectText("ConfigMap", namespaces.target, "kube-apiserver-pod"));
  for (const row of rotationRows(() => ({ network: undefined, infrastructure: undefined }))) {
    const signer = add(objectText("Secret", row.signer.namespace, row.signer.name), "makers");
    connect(signer, add(objectText("ConfigMap", row.bundle.namespace, row.bundle.name), "made"));
    connect(signer, add(objectText("Secret", row.target.namespace, row.target.name), "made"));
  }
  for (const { resource, from, to } of syncRules)
    if (from)
      connect(
        add(objectText(resource.kind, from.namespace, from.name), "inputs"),
        add(objectText(resource.kind, to.namespace, to.name), "made"),
      );
  for (const [sources, name] of [
    [clientCaSources, "client-ca"],
    [serverCaSources, "kube-apiserver-server-ca"],
  ] as const)
    for (const source of sources)
      connect(
        add(objectText("ConfigMap", source.namespace, source.name), "inputs"),
        add(objectText("ConfigMap", namespaces.target, name), "sources"),
      );
  return { nodes: [...nodes].map(([name, layer]) => ({ name, layer })), edges: [...edges.values()] };
}

function addObserver(
  { name, inputs, paths }: ConfigObserver,
  add: (name: string, layer: GraphLayer) => string,
  connect: (from: string, to: string) => void,
): void {
  add(name, "makers");
  for (const input of inputs) connect(add(inputText(input), "inputs"), name);
  if (paths.length > 0) connect(name, observed);
}

function objectText(kind: string, namespace: string, name: string): string {
  return `${kind} ${namespace}/${name}`;
}

/** Formats the graph as DOT for Graphviz. */
export function graphDot({ nodes, edges }: ResourceGraph): string {
  const quoted = (text: string) => JSON.stringify(text);
  const lines = [
    ...nodes.map(({ name, layer }) => `  ${quoted(name)} [group=${layer}];`),
    ...edges.map(([from, to]) => `  ${quoted(from)} -> ${quoted(to)};`),
  ];
  return `digraph kube_apiserver_operator {\n  rankdir=LR;\n  node [shape=box];\n${lines.join("\n")}\n}\n`;
}
