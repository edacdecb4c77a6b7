import {
  formatQuantity,
  inOwnTurns,
  type KubeObject,
  maxCauses,
  Pace,
  type Phases,
  type Quantity,
  type ResourceList,
  requestBudget,
  resourceListAt,
  scalarStringAt,
} from "@keelson/apimachinery";
import { listAt, objectAt, valueAt, type WorkBudget } from "@keelson/base";
import { podResources } from "@keelson/kinds";
import { forbidden } from "../../resources/forbidden.ts";
import type { AdmissionPlugin, ObjectRequest, PluginContext } from "./plugin.ts";

const annotation = "kubernetes.io/limit-ranger";
/** Estimated size in bytes of one default value in a container. */
const defaultBytes = 64;
const noun = { containers: "container", initContainers: "init container" } as const;

/**
 * Adds the default requests and limits of a namespace's LimitRanges to new pods. Rejects pods and PersistentVolumeClaims that
 * violate a LimitRange.
 */
export const limitRanger: AdmissionPlugin = {
  name: "LimitRanger",
  targets: ["CREATE /pods", "CREATE /persistentvolumeclaims", "UPDATE /persistentvolumeclaims"],
  mutate(request, context) {
    if (request.resource.bucket !== "/pods") return request.object;
    const { object, budget = requestBudget() } = request;
    return inOwnTurns(withAllDefaults(object, limitsOf(request, context), budget), context.store);
  },
  async validate(request, context) {
    const { object, oldObject, resource, budget = requestBudget() } = request;
    if (!object || oldObject?.metadata.deletionTimestamp) return;
    const faultsOf = resource.bucket === "/pods" ? podFaults(object) : claimFaults(object);
    const all = limitsOf({ ...request, object }, context);
    const [first, ...others] = await inOwnTurns(firstFaults(all, faultsOf, budget), context.store);
    if (first === undefined) return;
    throw forbidden(request, others.length === 0 ? first : `[${[first, ...others].join(", ")}]`);
  },
};

type Limits = readonly unknown[];

/** Returns the limits of each LimitRange in the request's namespace. */
function limitsOf({ namespace }: ObjectRequest, { store }: PluginContext): readonly Limits[] {
  return store.range("/limitranges", `${namespace}/`).map(({ object }) => listAt(object, "spec", "limits"));
}

function* withAllDefaults(
  object: KubeObject,
  all: readonly Limits[],
  budget: WorkBudget,
): Phases<KubeObject> {
  const pace = new Pace();
  let pod = object;
  for (const limits of all) pod = yield* withDefaults(pod, limits, budget, pace);
  return pod;
}

function* withDefaults(pod: KubeObject, limits: Limits, budget: WorkBudget, pace: Pace): Phases<KubeObject> {
  const defaults = limits.filter((limit) => scalarStringAt(limit, "type") === "Container");
  const of = (member: string) => Object.assign({}, ...defaults.map((limit) => objectAt(limit, member)));
  const given = { limits: of("default"), requests: of("defaultRequest") };
  const names = { limits: Object.keys(given.limits), requests: Object.keys(given.requests) };
  const size = 1 + names.limits.length + names.requests.length;
  const added: string[] = [];
  const spec: Record<string, unknown> = { ...objectAt(pod, "spec") };
  for (const list of ["containers", "initContainers"] as const) {
    if (!Array.isArray(spec[list])) continue;
    const containers: unknown[] = [];
    for (const container of spec[list]) {
      budget.spend(size, size * defaultBytes);
      if (pace.isOver(size)) yield;
      const own = objectAt(container, "resources");
      const missing = (side: "limits" | "requests") =>
        names[side].filter((name) => !Object.hasOwn(objectAt(own, side), name)).sort();
      const [requests, most] = [missing("requests"), missing("limits")];
      const name = `${noun[list]} ${scalarStringAt(container, "name")}`;
      if (requests.length > 0) added.push(`${requests.join(", ")} request for ${name}`);
      if (most.length > 0) added.push(`${most.join(", ")} limit for ${name}`);
      const filled = (side: "limits" | "requests") => {
        const all = { ...given[side], ...objectAt(own, side) };
        return Object.keys(all).length > 0 ? { [side]: all } : {};
      };
      containers.push(
        requests.length + most.length === 0
          ? container
          : { ...objectAt(container), resources: { ...own, ...filled("limits"), ...filled("requests") } },
      );
    }
    spec[list] = containers;
  }
  if (added.length === 0) return pod;
  const annotations = {
    ...pod.metadata.annotations,
    [annotation]: `LimitRanger plugin set: ${added.join("; ")}`,
  };
  return { ...pod, spec, metadata: { ...pod.metadata, annotations } };
}

/** Returns the distinct violations of the first violated LimitRange. */
function* firstFaults(
  all: readonly Limits[],
  faultsOf: (bounds: Bounds) => Iterable<readonly string[]>,
  budget: WorkBudget,
): Phases<readonly string[]> {
  const pace = new Pace();
  for (const limits of all) {
    const faults = new Set<string>();
    for (const limit of limits) {
      const bounds = boundsOf(limit);
      const size = 1 + bounds.min.size + bounds.max.size + bounds.ratio.size;
      for (const found of faultsOf(bounds)) {
        budget.spend(size);
        if (pace.isOver(size)) yield;
        for (const each of found) faults.add(each);
        if (faults.size > maxCauses) return [...[...faults].slice(0, maxCauses), "and more"];
      }
    }
    if (faults.size > 0) return [...faults];
  }
  return [];
}

/** Entry in the limits of a LimitRange. */
interface Bounds {
  readonly type: string;
  readonly min: ResourceList;
  readonly max: ResourceList;
  readonly ratio: ResourceList;
}

function boundsOf(limit: unknown): Bounds {
  return {
    type: scalarStringAt(limit, "type"),
    min: resourceListAt(limit, "min"),
    max: resourceListAt(limit, "max"),
    ratio: resourceListAt(limit, "maxLimitRequestRatio"),
  };
}

function podFaults(pod: KubeObject): (bounds: Bounds) => Iterable<readonly string[]> {
  const spec = valueAt(pod, "spec");
  const whole = [podResources(spec, "requests"), podResources(spec, "limits")] as const;
  const containers = [...listAt(spec, "containers"), ...listAt(spec, "initContainers")].map(
    (container) =>
      [
        resourceListAt(container, "resources", "requests"),
        resourceListAt(container, "resources", "limits"),
      ] as const,
  );
  const judged: Readonly<Record<string, readonly (typeof whole)[]>> = { Pod: [whole], Container: containers };
  return function* (bounds) {
    for (const [requests, limits] of judged[bounds.type] ?? []) yield outsideOf(bounds, requests, limits);
  };
}

/** Returns a function that checks the requests of a PersistentVolumeClaim against bounds. The claim's limits are not checked. */
function claimFaults(claim: KubeObject): (bounds: Bounds) => Iterable<readonly string[]> {
  const requests = resourceListAt(claim, "spec", "resources", "requests");
  return (bounds) => {
    const { type, max: maxima } = bounds;
    if (type !== "PersistentVolumeClaim") return [];
    const most = [...maxima].flatMap(([name, max]) => {
      const bound = `maximum ${name} usage per ${type} is ${formatQuantity(max)}`;
      const request = requests.get(name);
      if (!request) return `${bound}.  No request is specified`;
      return request.nano > max.nano ? `${bound}, but request is ${formatQuantity(request)}` : [];
    });
    return [[...below(bounds, requests, new Map()), ...most]];
  };
}

function outsideOf(bounds: Bounds, requests: ResourceList, limits: ResourceList): readonly string[] {
  return [
    ...below(bounds, requests, limits),
    ...above(bounds, requests, limits),
    ...overcommitted(bounds, requests, limits),
  ];
}

function below(
  { type, min: minima }: Bounds,
  requests: ResourceList,
  limits: ResourceList,
): readonly string[] {
  return [...minima].flatMap(([name, min]) => {
    const bound = `minimum ${name} usage per ${type} is ${formatQuantity(min)}`;
    const [request, most] = [requests.get(name), limits.get(name)];
    if (!request) return `${bound}.  No request is specified`;
    if (request.nano < min.nano) return `${bound}, but request is ${formatQuantity(request)}`;
    return most && most.nano < min.nano ? `${bound}, but limit is ${formatQuantity(most)}` : [];
  });
}

function above(
  { type, max: maxima }: Bounds,
  requests: ResourceList,
  limits: ResourceList,
): readonly string[] {
  return [...maxima].flatMap(([name, max]) => {
    const bound = `maximum ${name} usage per ${type} is ${formatQuantity(max)}`;
    const [request, most] = [requests.get(name), limits.get(name)];
    if (!most) return `${bound}.  No limit is specified`;
    if (most.nano > max.nano) return `${bound}, but limit is ${formatQuantity(most)}`;
    return request && request.nano > max.nano ? `${bound}, but request is ${formatQuantity(request)}` : [];
  });
}

function overcommitted(
  { type, ratio }: Bounds,
  requests: ResourceList,
  limits: ResourceList,
): readonly string[] {
  return [...ratio].flatMap(([name, max]) => {
    const bound = `${name} max limit to request ratio per ${type} is ${formatQuantity(max)}`;
    const [request, most] = [someOf(requests.get(name)), someOf(limits.get(name))];
    if (!request) return `${bound}, but no request is specified or request is 0`;
    if (!most) return `${bound}, but no limit is specified or limit is 0`;
    const found = Number(most.nano) / Number(request.nano);
    return found > Number(max.nano) / 1e9 ? `${bound}, but provided ratio is ${found.toFixed(6)}` : [];
  });
}

function someOf(quantity: Quantity | undefined): Quantity | undefined {
  return quantity?.nano ? quantity : undefined;
}
