import { invalidTemplate, naming } from "../template-error.ts";
import type { PlannedResource } from "./planned-resource.ts";
import { referencedBy } from "./references.ts";
import type { ResourceIndex } from "./resource-index.ts";

/** By each resource, those that must be there before it, stated or implied by references. */
export type Dependencies = ReadonlyMap<PlannedResource, ReadonlySet<PlannedResource>>;

/** @throws ArmError 400 InvalidTemplate for what is not in the template, and for circles */
export function dependenciesOf(resources: readonly PlannedResource[], index: ResourceIndex): Dependencies {
  const dependencies = new Map(
    resources.map((resource) => {
      const stated = resource.dependsOn.flatMap((each) => requireResources(index, each));
      const implied = naming("resource", resource.name, () => referencedBy(resource)).flatMap((each) =>
        index.find(each),
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

/** Takes away what depends on nothing left, until nothing is left. */
function checkOrder(dependencies: Dependencies): void {
  const left = new Map(dependencies);
  for (;;) {
    const free = [...left].filter(([, needs]) => ![...needs].some((each) => left.has(each)));
    if (free.length === 0) break;
    for (const [resource] of free) left.delete(resource);
  }
  if (left.size === 0) return;
  throw invalidTemplate(
    `Circular dependency detected on resource: '${circleIn(left)
      .map(({ id }) => id)
      .join("', '")}'. Please see https://aka.ms/arm-syntax-resources for usage details`,
  );
}

/** One circle among resources that all need another of them. */
function circleIn(left: Dependencies): readonly PlannedResource[] {
  const path: PlannedResource[] = [];
  let [at] = left.keys();
  while (at && !path.includes(at)) {
    path.push(at);
    at = [...(left.get(at) ?? [])].find((each) => left.has(each));
  }
  return at ? path.slice(path.indexOf(at)) : path;
}
