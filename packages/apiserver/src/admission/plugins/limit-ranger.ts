import { podResources } from "../../catalogue/pod-resources.ts";
import { formatQuantity, type Quantity } from "../../catalogue/quantity.ts";
import { type ResourceList, resourceListAt } from "../../catalogue/resource-list.ts";
import { arrayAt, recordAt, textAt, valueAt } from "../../json/access.ts";
import type { KubeObject } from "../../kube-object.ts";
import { forbidden } from "../forbidden.ts";
import type { AdmissionPlugin, ObjectRequest, PluginContext } from "./plugin.ts";

const annotation = "kubernetes.io/limit-ranger";
const noun = { containers: "container", initContainers: "init container" } as const;

/**
 * Gives the containers of new pods the requests and limits that a namespace's LimitRanges have for those without, and
 * refuses pods and claims outside of their bounds.
 */
export const limitRanger: AdmissionPlugin = {
  name: "LimitRanger",
  targets: ["CREATE /pods", "CREATE /persistentvolumeclaims", "UPDATE /persistentvolumeclaims"],
  mutate(request, context) {
    if (request.resource.bucket !== "/pods") return request.object;
    return limitsOf(request, context).reduce(withDefaults, request.object);
  },
  validate(request, context) {
    const { object, oldObject } = request;
    if (!object || oldObject?.metadata.deletionTimestamp) return;
    for (const limits of limitsOf({ ...request, object }, context)) {
      const faults =
        request.resource.bucket === "/pods" ? podFaults(limits, object) : claimFaults(limits, object);
      const [first, ...others] = new Set(faults);
      if (first !== undefined) {
        throw forbidden(request, others.length === 0 ? first : `[${[first, ...others].join(", ")}]`);
      }
    }
  },
};

type Limits = readonly unknown[];

/** The limits of each LimitRange in the request's namespace. */
function limitsOf({ namespace }: ObjectRequest, { store }: PluginContext): readonly Limits[] {
  return store.range("/limitranges", `${namespace}/`).map(({ object }) => arrayAt(object, "spec", "limits"));
}

function withDefaults(pod: KubeObject, limits: Limits): KubeObject {
  const defaults = limits.filter((limit) => textAt(limit, "type") === "Container");
  const of = (member: string) => Object.assign({}, ...defaults.map((limit) => recordAt(limit, member)));
  const given = { limits: of("default"), requests: of("defaultRequest") };
  const added: string[] = [];
  const spec: Record<string, unknown> = { ...recordAt(pod, "spec") };
  for (const list of ["containers", "initContainers"] as const) {
    if (!Array.isArray(spec[list])) continue;
    spec[list] = spec[list].map((container: unknown) => {
      const own = recordAt(container, "resources");
      const missing = (side: "limits" | "requests") =>
        Object.keys(given[side])
          .filter((name) => !Object.hasOwn(recordAt(own, side), name))
          .sort();
      const [requests, most] = [missing("requests"), missing("limits")];
      const name = `${noun[list]} ${textAt(container, "name")}`;
      if (requests.length > 0) added.push(`${requests.join(", ")} request for ${name}`);
      if (most.length > 0) added.push(`${most.join(", ")} limit for ${name}`);
      if (requests.length + most.length === 0) return container;
      const filled = (side: "limits" | "requests") => {
        const all = { ...given[side], ...recordAt(own, side) };
        return Object.keys(all).length > 0 ? { [side]: all } : {};
      };
      return {
        ...recordAt(container),
        resources: { ...own, ...filled("limits"), ...filled("requests") },
      };
    });
  }
  if (added.length === 0) return pod;
  const annotations = {
    ...pod.metadata.annotations,
    [annotation]: `LimitRanger plugin set: ${added.join("; ")}`,
  };
  return { ...pod, spec, metadata: { ...pod.metadata, annotations } };
}

function podFaults(limits: Limits, pod: KubeObject): readonly string[] {
  const spec = valueAt(pod, "spec");
  return limits.flatMap((limit) => {
    const type = textAt(limit, "type");
    if (type === "Pod") {
      return outsideOf(limit, type, podResources(spec, "requests"), podResources(spec, "limits"));
    }
    if (type !== "Container") return [];
    return [...arrayAt(spec, "containers"), ...arrayAt(spec, "initContainers")].flatMap((container) =>
      outsideOf(
        limit,
        type,
        resourceListAt(container, "resources", "requests"),
        resourceListAt(container, "resources", "limits"),
      ),
    );
  });
}

/** Claims are only judged by what they ask for. */
function claimFaults(limits: Limits, claim: KubeObject): readonly string[] {
  const requests = resourceListAt(claim, "spec", "resources", "requests");
  return limits.flatMap((limit) => {
    const type = textAt(limit, "type");
    if (type !== "PersistentVolumeClaim") return [];
    const most = [...resourceListAt(limit, "max")].flatMap(([name, max]) => {
      const bound = `maximum ${name} usage per ${type} is ${formatQuantity(max)}`;
      const request = requests.get(name);
      if (!request) return `${bound}.  No request is specified`;
      return request.nano > max.nano ? `${bound}, but request is ${formatQuantity(request)}` : [];
    });
    return [...below(limit, type, requests, new Map()), ...most];
  });
}

function outsideOf(
  limit: unknown,
  type: string,
  requests: ResourceList,
  limits: ResourceList,
): readonly string[] {
  return [
    ...below(limit, type, requests, limits),
    ...above(limit, type, requests, limits),
    ...overcommitted(limit, type, requests, limits),
  ];
}

function below(
  limit: unknown,
  type: string,
  requests: ResourceList,
  limits: ResourceList,
): readonly string[] {
  return [...resourceListAt(limit, "min")].flatMap(([name, min]) => {
    const bound = `minimum ${name} usage per ${type} is ${formatQuantity(min)}`;
    const [request, most] = [requests.get(name), limits.get(name)];
    if (!request) return `${bound}.  No request is specified`;
    if (request.nano < min.nano) return `${bound}, but request is ${formatQuantity(request)}`;
    return most && most.nano < min.nano ? `${bound}, but limit is ${formatQuantity(most)}` : [];
  });
}

function above(
  limit: unknown,
  type: string,
  requests: ResourceList,
  limits: ResourceList,
): readonly string[] {
  return [...resourceListAt(limit, "max")].flatMap(([name, max]) => {
    const bound = `maximum ${name} usage per ${type} is ${formatQuantity(max)}`;
    const [request, most] = [requests.get(name), limits.get(name)];
    if (!most) return `${bound}.  No limit is specified`;
    if (most.nano > max.nano) return `${bound}, but limit is ${formatQuantity(most)}`;
    return request && request.nano > max.nano ? `${bound}, but request is ${formatQuantity(request)}` : [];
  });
}

function overcommitted(
  limit: unknown,
  type: string,
  requests: ResourceList,
  limits: ResourceList,
): readonly string[] {
  return [...resourceListAt(limit, "maxLimitRequestRatio")].flatMap(([name, max]) => {
    const bound = `${name} max limit to request ratio per ${type} is ${formatQuantity(max)}`;
    const [request, most] = [someOf(requests.get(name)), someOf(limits.get(name))];
    if (!request) return `${bound}, but no request is specified or request is 0`;
    if (!most) return `${bound}, but no limit is specified or limit is 0`;
    const ratio = Number(most.nano) / Number(request.nano);
    return ratio > Number(max.nano) / 1e9 ? `${bound}, but provided ratio is ${ratio.toFixed(6)}` : [];
  });
}

function someOf(quantity: Quantity | undefined): Quantity | undefined {
  return quantity?.nano ? quantity : undefined;
}
