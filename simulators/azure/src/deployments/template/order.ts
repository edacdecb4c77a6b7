import { invalidTemplate, naming } from "../errors/template-error.ts";
import type { PlannedResource } from "./planned-resource.ts";
import { referencedBy } from "./references.ts";
import type { ResourceIndex } from "./resource-index.ts";

/** Explicit and implicit dependencies of each resource. */
export type Dependencies = ReadonlyMap<PlannedResource, ReadonlySet<PlannedResource>>;

/** Returns the dependencies of all resources. @throws ArmError 400 InvalidTemplate for an unknown resource or a cycle */
export function dependenciesOf(resources: readonly PlannedResource[], index: ResourceIndex): Dependencies {
  const dependencies = new Map(
    resources.map((resource) => {
      const { budget } = resource.context;
      const found = (each: string, resources: readonly PlannedResource[]) => {
        budget.spend(1 + resources.length, each.length);
        return resources;
      };
      const stated = resource.dependsOn.flatMap((each) => found(each, requireResources(index, each)));
      const implied = naming("resource", resource.name, () => referencedBy(resource)).flatMap((each) =>
        found(each, index.find(each)),
      );
      return [resource, new Set([...stated, ...implied.filter((each) => each !== resource)])] as const;
    }),
  );
  checkOrder(dependencies);
  return dependencies;
}

function requireResources(index: ResourceIndex, called: string): readonly PlannedResource[] {
  const found = index.find(called);
  if (found.length > 0) return found;
  throw invalidTemplate(
    `The resource '${called}' is not defined in the template. Please see https://aka.ms/arm-syntax for usage details`,
  );
}

/**
 * Checks that the dependencies have no cycle.
 * @throws ArmError 400 InvalidTemplate if they have a cycle
 */
function checkOrder(dependencies: Dependencies): void {
  const left = new Map([...dependencies].map(([each, needs]) => [each, needs.size]));
  const dependents = new Map<PlannedResource, PlannedResource[]>();
  for (const [resource, needs] of dependencies) {
    for (const each of needs) {
      const known = dependents.get(each);
      if (known) known.push(resource);
      else dependents.set(each, [resource]);
    }
  }
  const free = [...left].flatMap(([each, needs]) => (needs === 0 ? [each] : []));
  for (let each = free.pop(); each; each = free.pop()) {
    left.delete(each);
    for (const dependent of dependents.get(each) ?? []) {
      const needs = (left.get(dependent) ?? 0) - 1;
      left.set(dependent, needs);
      if (needs === 0) free.push(dependent);
    }
  }
  if (left.size === 0) return;
  const inCircles = new Map([...dependencies].filter(([each]) => left.has(each)));
  throw invalidTemplate(
    `Circular dependency detected on resource: '${circleIn(inCircles)
      .map(({ id }) => id)
      .join("', '")}'. Please see https://aka.ms/arm-syntax-resources for usage details`,
  );
}

/** Returns one dependency cycle. Every resource in `left` is part of a cycle or depends on a cycle. */
function circleIn(left: Dependencies): readonly PlannedResource[] {
  const path: PlannedResource[] = [];
  let [at] = left.keys();
  while (at && !path.includes(at)) {
    path.push(at);
    at = [...(left.get(at) ?? [])].find((each) => left.has(each));
  }
  return at ? path.slice(path.indexOf(at)) : path;
}
