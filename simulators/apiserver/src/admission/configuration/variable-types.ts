import { celTypes, type Type } from "@keelson/cel";

const { bool, dyn, int, listType, mapType, objectType, string, timestamp } = celTypes;

/** Returns an object type with exactly these fields. */
function withFields(name: string, fields: Readonly<Record<string, Type>>): Type {
  return objectType(name, (field) => (Object.hasOwn(fields, field) ? fields[field] : undefined));
}

const kind = withFields("kubernetes.GroupVersionKind", { group: string, version: string, kind: string });
const resource = withFields("kubernetes.GroupVersionResource", {
  group: string,
  version: string,
  resource: string,
});
const userInfo = withFields("kubernetes.UserInfo", {
  username: string,
  uid: string,
  groups: listType(string),
  extra: mapType(string, listType(string)),
});

/** Type of the CEL variable `request`. It is an AdmissionRequest without its objects and uid. */
export const requestType = withFields("kubernetes.AdmissionRequest", {
  kind,
  resource,
  subResource: string,
  requestKind: kind,
  requestResource: resource,
  requestSubResource: string,
  name: string,
  namespace: string,
  operation: string,
  userInfo,
  dryRun: bool,
  options: dyn,
});

const namespaceMetadata = withFields("kubernetes.NamespaceMetadata", {
  name: string,
  generateName: string,
  namespace: string,
  labels: mapType(string, string),
  annotations: mapType(string, string),
  // Kubernetes declares the field as `UID`. Objects have `uid`, so `UID` is always unset.
  UID: string,
  creationTimestamp: timestamp,
  deletionGracePeriodSeconds: int,
  deletionTimestamp: timestamp,
  generation: int,
  resourceVersion: string,
  finalizers: listType(string),
});
const namespaceCondition = withFields("kubernetes.NamespaceCondition", {
  status: string,
  type: string,
  lastTransitionTime: timestamp,
  message: string,
  reason: string,
});

/** Type of the CEL variable `namespaceObject` in policies. */
export const namespaceType = withFields("kubernetes.Namespace", {
  metadata: namespaceMetadata,
  spec: withFields("kubernetes.NamespaceSpec", { finalizers: listType(string) }),
  status: withFields("kubernetes.NamespaceStatus", {
    conditions: listType(namespaceCondition),
    phase: string,
  }),
});
