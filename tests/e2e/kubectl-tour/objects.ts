/** Objects that the tour's commands apply. */

export const deployment = (image: string, replicas: number) => ({
  apiVersion: "apps/v1",
  kind: "Deployment",
  metadata: { name: "web", labels: { app: "web" } },
  spec: {
    replicas,
    selector: { matchLabels: { app: "web" } },
    template: {
      metadata: { labels: { app: "web" } },
      spec: { containers: [{ name: "web", image, ports: [{ containerPort: 8080 }] }] },
    },
  },
});

export const configMap = (value: string) => ({
  apiVersion: "v1",
  kind: "ConfigMap",
  metadata: { name: "shared" },
  data: { key: value },
});

export const widgetDefinition = (group: string) => ({
  apiVersion: "apiextensions.k8s.io/v1",
  kind: "CustomResourceDefinition",
  metadata: { name: `widgets.${group}` },
  spec: {
    group,
    scope: "Namespaced",
    names: { plural: "widgets", singular: "widget", kind: "Widget", shortNames: ["wd"] },
    versions: [
      {
        name: "v1",
        served: true,
        storage: true,
        subresources: {
          status: {},
          scale: { specReplicasPath: ".spec.size", statusReplicasPath: ".status.size" },
        },
        additionalPrinterColumns: [{ name: "Size", type: "integer", jsonPath: ".spec.size" }],
        schema: {
          openAPIV3Schema: {
            type: "object",
            properties: {
              spec: {
                type: "object",
                required: ["size"],
                properties: {
                  size: { type: "integer", minimum: 1, description: "How large the widget is." },
                  color: { type: "string", default: "green", enum: ["green", "red"] },
                },
                "x-kubernetes-validations": [
                  { rule: "self.size >= oldSelf.size", message: "a widget never shrinks" },
                ],
              },
              status: { type: "object", properties: { size: { type: "integer" } } },
            },
          },
        },
      },
    ],
  },
});

export const widget = (group: string, spec: object) => ({
  apiVersion: `${group}/v1`,
  kind: "Widget",
  metadata: { name: "w" },
  spec,
});

export const pod = (name: string, script: string, more: object = {}) => ({
  apiVersion: "v1",
  kind: "Pod",
  metadata: { name, labels: { pod: name } },
  spec: {
    restartPolicy: "Never",
    terminationGracePeriodSeconds: 1,
    containers: [{ name: "main", image: "busybox", command: ["sh", "-c", script] }],
    ...more,
  },
});

export const disruptionBudget = {
  apiVersion: "policy/v1",
  kind: "PodDisruptionBudget",
  metadata: { name: "web" },
  spec: { minAvailable: 1, selector: { matchLabels: { app: "web" } } },
};

/** Certificate signing request. A fake request is sufficient because an approval does not sign it. */
export const signingRequest = (name: string, request: string) => ({
  apiVersion: "certificates.k8s.io/v1",
  kind: "CertificateSigningRequest",
  metadata: { name },
  spec: { request, signerName: "kubernetes.io/kube-apiserver-client", usages: ["client auth"] },
});
