import type { KubeObject, ResourceRef } from "@keelson/apiserver";
import { openShiftCrds } from "../crds/facts.ts";
import { errors } from "../errors.ts";
import { listAt, textAt } from "../runtime/fields.ts";

/** Built-in kinds that manifests may hold, by group and version, with their plurals. */
const builtIn: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  v1: {
    ConfigMap: "configmaps",
    Endpoints: "endpoints",
    LimitRange: "limitranges",
    Namespace: "namespaces",
    Node: "nodes",
    PersistentVolume: "persistentvolumes",
    PersistentVolumeClaim: "persistentvolumeclaims",
    Pod: "pods",
    ResourceQuota: "resourcequotas",
    Secret: "secrets",
    Service: "services",
    ServiceAccount: "serviceaccounts",
  },
  "apps/v1": { DaemonSet: "daemonsets", Deployment: "deployments", StatefulSet: "statefulsets" },
  "batch/v1": { CronJob: "cronjobs", Job: "jobs" },
  "rbac.authorization.k8s.io/v1": {
    ClusterRole: "clusterroles",
    ClusterRoleBinding: "clusterrolebindings",
    Role: "roles",
    RoleBinding: "rolebindings",
  },
  "policy/v1": { PodDisruptionBudget: "poddisruptionbudgets" },
  "networking.k8s.io/v1": { Ingress: "ingresses", NetworkPolicy: "networkpolicies" },
  "storage.k8s.io/v1": { CSIDriver: "csidrivers", StorageClass: "storageclasses" },
  "scheduling.k8s.io/v1": { PriorityClass: "priorityclasses" },
  "apiextensions.k8s.io/v1": { CustomResourceDefinition: "customresourcedefinitions" },
  "apiregistration.k8s.io/v1": { APIService: "apiservices" },
  "admissionregistration.k8s.io/v1": {
    MutatingWebhookConfiguration: "mutatingwebhookconfigurations",
    ValidatingAdmissionPolicy: "validatingadmissionpolicies",
    ValidatingAdmissionPolicyBinding: "validatingadmissionpolicybindings",
    ValidatingWebhookConfiguration: "validatingwebhookconfigurations",
  },
};

/** Finds the resource of an object: of a built-in kind, one of OpenShift's, or one that `crds` define. */
export function resourceOf(object: KubeObject, crds: readonly KubeObject[]): ResourceRef {
  const { group, version } = parseApiVersion(object.apiVersion);
  const resource =
    builtIn[object.apiVersion]?.[object.kind] ??
    openShiftCrds.find(
      (each) => each.group === group && each.version === version && each.kind === object.kind,
    )?.plural ??
    pluralIn(crds, group, version, object.kind);
  if (resource !== undefined) return { group, version, resource };
  throw errors.UnknownKind(
    `Manifest ${object.metadata.name}: the cluster serves no kind ${object.kind} in ${object.apiVersion}`,
  );
}

function parseApiVersion(apiVersion: string): { readonly group: string; readonly version: string } {
  const [first = "", second] = apiVersion.split("/");
  return second === undefined ? { group: "", version: first } : { group: first, version: second };
}

function pluralIn(
  crds: readonly KubeObject[],
  group: string,
  version: string,
  kind: string,
): string | undefined {
  const crd = crds.find(
    (each) =>
      textAt(each, "spec", "group") === group &&
      textAt(each, "spec", "names", "kind") === kind &&
      listAt(each, "spec", "versions").some((served) => textAt(served, "name") === version),
  );
  return textAt(crd, "spec", "names", "plural");
}
