import { CloudError } from "@keelson/arm";
import type { KubeResource } from "@keelson/kube";
import { isOpenShiftNamespace } from "./open-shift-namespaces.ts";

/** Kubernetes objects and the access to them that an administrator requests. Unspecified values are empty strings. */
export interface ObjectAccess {
  readonly verb: "read" | "write";
  readonly resource: KubeResource;
  readonly namespace: string;
  readonly name: string;
  /** True if customers' namespaces may also be read. */
  readonly unrestricted?: boolean;
}

const clusterWideGroups: ReadonlySet<string> = new Set([
  "apiserver.openshift.io",
  "aro.openshift.io",
  "authorization.openshift.io",
  "certificates.k8s.io",
  "config.openshift.io",
  "console.openshift.io",
  "imageregistry.operator.openshift.io",
  "machine.openshift.io",
  "machineconfiguration.openshift.io",
  "operator.openshift.io",
  "rbac.authorization.k8s.io",
  "metrics.k8s.io",
]);

const rbacGroups: ReadonlySet<string> = new Set(["rbac.authorization.k8s.io", "authorization.openshift.io"]);

/**
 * Checks an administrator's access to an object. Secrets and OAuth objects are forbidden, and RBAC objects are read-only. Objects
 * outside of the platform's namespaces are readable only with `unrestricted`.
 * @throws CloudError Forbidden, InvalidParameter
 * @see Azure/ARO-RP pkg/frontend/validate.go
 */
export function checkObjectAccess(access: ObjectAccess): void {
  if (access.verb === "write" || !access.unrestricted) checkPlatformOnly(access);
  const { verb, resource, namespace, name } = access;
  if (isSecret(resource)) throw new CloudError("Forbidden", "Access to secrets is forbidden.");
  if (verb === "write" && rbacGroups.has(resource.group))
    throw new CloudError("Forbidden", "Write access to RBAC is forbidden.");
  if (namespace !== "") checkName("namespace", namespace);
  if (verb === "write" || name !== "") checkName("name", name);
  checkScope(access);
}

/**
 * Rejects invalid object names.
 * @throws CloudError InvalidParameter
 */
export function checkName(what: string, value: string): void {
  if (!isName(value)) throw new CloudError("InvalidParameter", `The provided ${what} '${value}' is invalid.`);
}

/**
 * True if a name is safe in paths and commands. The check accepts names that Kubernetes would reject. It rejects `.` and `..`,
 * because a proxy would normalize a path with this name to the path of the complete collection.
 */
export function isName(value: string): boolean {
  return /^[-a-z0-9.]{1,255}$/i.test(value) && value !== "." && value !== "..";
}

/**
 * Rejects invalid document IDs, for example of maintenance manifests. IDs are parts of paths, so `.`, `..` and slashes are invalid.
 * @throws CloudError InvalidParameter
 */
export function checkDocumentId(what: string, id: string): void {
  if (!/^[a-z0-9][\w-]{0,127}$/i.test(id))
    throw new CloudError("InvalidParameter", `The provided ${what} '${id}' is invalid.`, { target: what });
}

/**
 * Rejects invalid names of virtual machines. A node has the same name as its virtual machine.
 * @throws CloudError InvalidParameter
 */
export function checkVmName(vmName: string): void {
  if (!isName(vmName) || /^[.-]/.test(vmName))
    throw new CloudError("InvalidParameter", `The provided vmName '${vmName}' is invalid.`);
}

/**
 * Rejects containers outside of the platform's namespaces, and invalid names.
 * @throws CloudError Forbidden, InvalidParameter
 */
export function checkContainer({ namespace, pod, container }: ContainerName): void {
  checkName("namespace", namespace);
  checkPlatformNamespace(namespace);
  checkName("pod name", pod);
  checkName("container name", container);
}

export interface ContainerName {
  readonly namespace: string;
  readonly pod: string;
  readonly container: string;
}

/**
 * Rejects customers' namespaces.
 * @throws CloudError Forbidden
 */
export function checkPlatformNamespace(namespace: string): void {
  if (isOpenShiftNamespace(namespace)) return;
  throw new CloudError("Forbidden", `Access to the provided namespace '${namespace}' is forbidden.`);
}

function checkPlatformOnly({ resource, namespace }: ObjectAccess): void {
  const { group, version, plural } = resource;
  if (namespace === "" && !clusterWideGroups.has(group) && !(group === "" && plural === "nodes")) {
    throw new CloudError(
      "Forbidden",
      `Access to cluster-scoped object '${group}/${version}, Resource=${plural}' is forbidden.`,
    );
  }
  checkPlatformNamespace(namespace);
}

/**
 * Checks the namespace of a request. A request for one object of a namespaced kind must name the namespace. A list may cover all
 * namespaces.
 */
function checkScope({ resource: { namespaced, kind }, namespace, name }: ObjectAccess): void {
  if (namespaced && name !== "" && namespace === "")
    throw new CloudError("InvalidParameter", `A ${kind} is in a namespace, which must be provided.`);
  if (!namespaced && namespace !== "")
    throw new CloudError(
      "InvalidParameter",
      `A ${kind} is in no namespace, but '${namespace}' was provided.`,
    );
}

export function isSecret({ group, plural }: KubeResource): boolean {
  return plural === "secrets" || group === "oauth.openshift.io";
}
