import { clusterOperators } from "./facts.ts";

interface RelatedObject {
  readonly group: string;
  readonly resource: string;
  readonly name: string;
}

/** Returns the related objects of a ClusterOperator: its configuration and its namespaces. */
export function relatedObjects(operator: string): readonly RelatedObject[] {
  const facts = clusterOperators.find(({ name }) => name === operator);
  if (!facts) return [];
  const namespaces = facts.namespaces.map((name) => ({ group: "", resource: "namespaces", name }));
  const match = /^([^.]+)\.([^/]+)\/(.+)$/.exec(facts.config ?? "");
  if (!match) return namespaces;
  const [, resource = "", group = "", name = ""] = match;
  return [{ group, resource, name }, ...namespaces];
}
