import { qualifiedNameFaults } from "./names.ts";

const hugePages = "hugepages-";

const compute: ReadonlySet<string> = new Set(["cpu", "memory", "ephemeral-storage"]);
/** Quota resources that count objects and therefore have integer quantities. */
const counted: ReadonlySet<string> = new Set([
  "pods",
  "resourcequotas",
  "services",
  "replicationcontrollers",
  "secrets",
  "configmaps",
  "persistentvolumeclaims",
  "services.nodeports",
  "services.loadbalancers",
]);
const quotas: ReadonlySet<string> = new Set([
  ...compute,
  ...counted,
  "requests.storage",
  ...[...compute].flatMap((name) => [`requests.${name}`, `limits.${name}`]),
]);

/** True for resource names that have no domain and that containers may use. */
function isContainerResource(name: string): boolean {
  return compute.has(name) || name.startsWith(hugePages);
}

/** True for resource names that have no domain and that quotas may limit. */
export function isQuotaResource(name: string): boolean {
  return quotas.has(name) || name.startsWith(hugePages) || name.startsWith(`requests.${hugePages}`);
}

/** True for Kubernetes' own resources. Their names have no domain or a Kubernetes domain. */
export function isNativeResource(name: string): boolean {
  return !name.includes("/") || name.includes("kubernetes.io/");
}

/** True for resources with a domain outside Kubernetes, for example devices. */
export function isExtendedResource(name: string): boolean {
  return !isNativeResource(name) && !name.startsWith("requests.");
}

/** Returns the error of a resource name. A name must be a standard name or have a domain. */
export function resourceNameFault(name: string): string | undefined {
  const [form] = qualifiedNameFaults(name);
  if (form) return form;
  const isWhole =
    name.includes("/") || isContainerResource(name) || isQuotaResource(name) || name === "storage";
  return isWhole ? undefined : "must be a standard resource type or fully qualified";
}

/** Returns the additional error of a resource name in a container. */
export function containerResourceFault(name: string): string | undefined {
  if (!name.includes("/"))
    return isContainerResource(name) ? undefined : "must be a standard resource for containers";
  if (isNativeResource(name)) return undefined;
  const isExtended = isExtendedResource(name) && qualifiedNameFaults(name).length === 0;
  return isExtended ? undefined : "doesn't follow extended resource name standard";
}

/** True for resources that cannot be divided into fractions. */
export function isIntegerResource(name: string): boolean {
  return counted.has(name) || isExtendedResource(name);
}

/** True for resources for which a limit may exceed the request. */
export function isOvercommittable(name: string): boolean {
  return isNativeResource(name) && !name.startsWith(hugePages);
}

/** True for resources that a pod may specify at pod level. */
export function isPodLevelResource(name: string): boolean {
  return name === "cpu" || name === "memory" || name.startsWith(hugePages);
}
