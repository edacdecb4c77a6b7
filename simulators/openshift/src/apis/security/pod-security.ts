import type { Admission, AdmissionRequest, KubeObject, User } from "@keelson/apiserver";
import { listAt, valueAt } from "@keelson/base";
import { resources } from "../../base/resources.ts";
import { failures } from "../failures.ts";
import { type SelectionDeps, selectConstraints, serviceAccountOf } from "./select-constraints.ts";

const annotation = "openshift.io/scc";
const runLevelLabel = "openshift.io/run-level";

/**
 * Validates each new pod against the SecurityContextConstraints that its creator or its service account may use. An annotation of
 * the pod records the name of the constraints that admit the pod.
 */
export function podSecurityAdmission(deps: SelectionDeps): Admission {
  return {
    handles: ({ resource, operation, subresource }) =>
      resource.bucket === "/pods" && operation === "CREATE" && subresource === "",
    mutate: async (request) => {
      const { object } = request;
      if (!object) throw new Error("a write without an object");
      return annotated(object, await admittedBy(deps, request, object));
    },
    validate: async ({ object, ...request }) => {
      // Mutating webhooks may have changed the pod, so it is checked again.
      if (object) await admittedBy(deps, { ...request, object }, object);
    },
  };
}

/** Returns the name of the constraints that admit a pod. @throws StatusError 403 if no constraints admit the pod */
async function admittedBy(deps: SelectionDeps, request: AdmissionRequest, pod: KubeObject): Promise<string> {
  const { namespace = "", user, name } = request;
  if (await isOfPlatform(deps, namespace)) return leastConstraints(pod);
  const account = serviceAccountOf(pod, namespace);
  const selection = await selectConstraints(
    deps,
    pod,
    namespace,
    isFromController(user, pod) ? [account] : [user, account],
  );
  if (selection.kind === "admitted") return selection.name;
  // Messages do not contain the generated part of a name, as in kube-apiserver. Repeated failures therefore have the same message
  // and increment the count of one Event.
  const { generateName = "" } = pod.metadata;
  throw failures.forbidden(
    { group: "", resource: "pods" },
    generateName !== "" && name.startsWith(generateName) ? generateName : name || generateName,
    `unable to validate against any security context constraint: [${selection.reasons.join(", ")}]`,
  );
}

/**
 * True for platform namespaces. Permissions to use constraints are not checked in these namespaces, because simulated clusters
 * lack the bindings of platform service accounts to constraints. Only administrators create pods in platform namespaces.
 */
async function isOfPlatform({ client }: SelectionDeps, namespace: string): Promise<boolean> {
  if (/^(?:openshift|kube)(?:-|$)/.test(namespace)) return true;
  const found = await client.find(resources.namespaces, { name: namespace });
  return ["0", "1"].includes(found?.metadata.labels?.[runLevelLabel] ?? "");
}

/**
 * True if a controller of the simulated cluster creates the pod. Such a controller needs no permission to use the constraints.
 * The permission of the pod's service account is sufficient.
 */
function isFromController({ name, groups }: User, { metadata }: KubeObject): boolean {
  const isSystem = name === "system:admin" && groups.includes("system:masters");
  return isSystem && (metadata.ownerReferences ?? []).some(({ controller }) => controller === true);
}

function annotated(object: KubeObject, constraints: string): KubeObject {
  const { metadata } = object;
  const annotations = { ...metadata.annotations, [annotation]: constraints };
  return {
    ...object,
    apiVersion: object.apiVersion,
    kind: object.kind,
    metadata: { ...metadata, annotations },
  };
}

/**
 * Returns the name of the most restrictive default SecurityContextConstraints that would admit the pod. Considers only host
 * access, privileged containers and the root user.
 */
function leastConstraints(pod: KubeObject): string {
  const containers = [...listAt(pod, "spec", "containers"), ...listAt(pod, "spec", "initContainers")];
  const host = (field: string) => valueAt(pod, "spec", field) === true;
  const volumes = listAt(pod, "spec", "volumes");
  if (
    host("hostPID") ||
    host("hostIPC") ||
    containers.some((each) => valueAt(each, "securityContext", "privileged") === true) ||
    volumes.some((each) => valueAt(each, "hostPath") !== undefined)
  ) {
    return "privileged";
  }
  if (host("hostNetwork")) return "hostnetwork-v2";
  const runsAsRoot = [pod.spec, ...containers].some(
    (each) => valueAt(each, "securityContext", "runAsUser") === 0,
  );
  return runsAsRoot ? "anyuid" : "restricted-v2";
}
