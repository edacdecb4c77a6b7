import type { KubeObject } from "@keelson/kube";
import type { OpenShiftCluster } from "@keelson/model";

const owner = "ingresscontroller.operator.openshift.io";
const cloud = "service.beta.kubernetes.io/azure-load-balancer";

/**
 * Returns the router's Service with the cluster's ingress address. Empty if the cluster has no ingress address. On real clusters,
 * the ingress operator creates this Service later.
 */
export function routerService({ properties }: OpenShiftCluster): readonly KubeObject[] {
  const [ingress] = properties.ingressProfiles;
  if (ingress?.ip === undefined) return [];
  const port = (name: string, number: number) => ({ name, port: number, protocol: "TCP", targetPort: name });
  return [
    {
      apiVersion: "v1",
      kind: "Service",
      metadata: {
        namespace: "openshift-ingress",
        name: "router-default",
        annotations: {
          [`${cloud}-internal`]: ingress.visibility === "Private" ? "true" : "",
          [`${cloud}-ipv4`]: ingress.ip,
        },
        labels: { app: "router", [`${owner}/owning-ingresscontroller`]: "default" },
      },
      spec: {
        externalTrafficPolicy: "Local",
        ports: [port("http", 80), port("https", 443)],
        selector: { [`${owner}/deployment-ingresscontroller`]: "default" },
        type: "LoadBalancer",
      },
    },
  ];
}
