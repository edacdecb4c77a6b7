import { qualifiedNameFaults } from "./names.ts";

const hugePages = "hugepages-";

const compute: ReadonlySet<string> = new Set(["cpu", "memory", "ephemeral-storage"]);
/** What a quota counts whole. */
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

/** Resources that containers may have without a domain. */
function isContainerResource(name: string): boolean {
  return compute.has(name) || name.startsWith(hugePages);
}

/** Resources that quotas may limit without a domain. */
export function isQuotaResource(name: string): boolean {
  return quotas.has(name) || name.startsWith(hugePages) || name.startsWith(`requests.${hugePages}`);
}

/** Resources that Kubernetes itself knows: those without a domain, or with its own. */
export function isNativeResource(name: string): boolean {
  return !name.includes("/") || name.includes("kubernetes.io/");
}

/** A device, for example: one of a domain that is not Kubernetes' own. */
export function isExtendedResource(name: string): boolean {
  return !isNativeResource(name) && !name.startsWith("requests.");
}

/** What is wrong with the name of a resource: Kubernetes' own are known, others have a domain. */
export function resourceNameFault(name: string): string | undefined {
  const [form] = qualifiedNameFaults(name);
  if (form) return form;
  const isWhole =
    name.includes("/") || isContainerResource(name) || isQuotaResource(name) || name === "storage";
  return isWhole ? undefined : "must be a standard resource type or fully qualified";
}

/** What else is wrong with it in a container. */
export function containerResourceFault(name: string): string | undefined {
  if (!name.includes("/"))
    return isContainerResource(name) ? undefined : "must be a standard resource for containers";
  if (isNativeResource(name)) return undefined;
  const isExtended = isExtendedResource(name) && qualifiedNameFaults(name).length === 0;
  return isExtended ? undefined : "doesn't follow extended resource name standard";
}

/** Resources of which there are no parts. */
export function isIntegerResource(name: string): boolean {
  return counted.has(name) || isExtendedResource(name);
}

/** Resources of which more may be promised than there is. */
export function isOvercommittable(name: string): boolean {
  return isNativeResource(name) && !name.startsWith(hugePages);
}

/** Resources that a pod may have as a whole. */
export function isPodLevelResource(name: string): boolean {
  return name === "cpu" || name === "memory" || name.startsWith(hugePages);
}
