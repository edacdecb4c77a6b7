/** `apiVersion` and `kind` of every layer of the API server's configuration. */
export const configType = {
  apiVersion: "kubecontrolplane.config.openshift.io/v1",
  kind: "KubeAPIServerConfig",
} as const;
