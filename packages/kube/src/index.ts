export {
  connectKube,
  type KubeClient,
  type KubeList,
  type KubeOptions,
  type Selection,
} from "./kube-client.ts";
export { isConflict, isExpired, isKubeNotFound, KubeError } from "./kube-error.ts";
export type { KubeObject, ObjectKey, ObjectMeta, OwnerReference } from "./kube-object.ts";
export { apiVersionOf, type KubeResource, resources } from "./kube-resource.ts";
export { createKubeconfig, type KubeconfigRequest } from "./kubeconfig.ts";
export type { WatchEvent } from "./watch.ts";
