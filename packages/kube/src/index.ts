export { createKubeconfig, type KubeconfigRequest } from "./create-kubeconfig.ts";
export {
  connectKube,
  type DeleteOptions,
  type KubeClient,
  type KubeList,
  type KubeOptions,
  type KubePage,
  type LogOptions,
  type Selection,
} from "./kube-client.ts";
export { isConflict, isExpired, isKubeNotFound, KubeError, type KubeErrorSubject } from "./kube-error.ts";
export type { ExecOutput, ExecRequest } from "./kube-exec.ts";
export type { KubeObject, ObjectKey, ObjectMeta, OwnerReference } from "./kube-object.ts";
export { apiVersionOf, type KubeResource, resources } from "./kube-resource.ts";
export { conditionOf, listAt, numberAt, textAt, valueAt } from "./object-fields.ts";
export type { WatchEvent } from "./watch.ts";
