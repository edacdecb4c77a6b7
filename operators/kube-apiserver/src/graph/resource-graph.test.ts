import assert from "node:assert/strict";
import { test } from "node:test";
import { graphSvg } from "./graph-svg.ts";
import { graphDot, resourceGraph } from "./resource-graph.ts";

const graph = resourceGraph("4.19.0");

test("every observer, source and certificate has its place", () => {
  const names = new Set(graph.nodes.map(({ name }) => name));
  for (const name of [
    "images.config.openshift.io/cluster",
    "ObserveInternalRegistryHostname",
    "ConfigMap openshift-kube-apiserver/config",
    "Secret openshift-kube-apiserver-operator/aggregator-client-signer",
    "revision N",
  ])
    assert.ok(names.has(name), name);
  for (const [from, to] of graph.edges) assert.ok(names.has(from) && names.has(to), `${from} -> ${to}`);
});

test("the image configuration is an input of a revision", () => {
  const reached = new Set(["images.config.openshift.io/cluster"]);
  for (const before = new Set<string>(); before.size !== reached.size; ) {
    for (const each of reached) before.add(each);
    for (const [from, to] of graph.edges) if (reached.has(from)) reached.add(to);
  }
  assert.ok(reached.has("revision N"));
});

test("it is printed for Graphviz and as a picture", () => {
  assert.match(graphDot(graph), /^digraph kube_apiserver_operator \{\n[\s\S]*"revision N"[\s\S]*\}\n$/);
  const svg = graphSvg(graph);
  assert.equal(svg.match(/<rect class="box" /g)?.length, graph.nodes.length);
  assert.equal(svg.match(/<path /g)?.length, graph.edges.length);
});
