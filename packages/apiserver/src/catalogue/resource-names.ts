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
export function isContainerResource(name: string): boolean {
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
