import type { KubeObject } from "@keelson/apiserver";
import { stringAt } from "@keelson/base";

export const routerNamespace = "openshift-ingress";
export const owningController = "ingresscontroller.operator.openshift.io/owning-ingresscontroller";
const selectedController = "ingresscontroller.operator.openshift.io/deployment-ingresscontroller";
/** Annotations that cloud-provider-azure reads. */
const internalAnnotation = "service.beta.kubernetes.io/azure-load-balancer-internal";
const addressAnnotation = "service.beta.kubernetes.io/azure-load-balancer-ipv4";

/** Returns the load balancer scope from the publishing strategy. Default: the scope of the existing Service. */
export function scopeOf(controller: KubeObject, service?: KubeObject): "External" | "Internal" {
  const scope = stringAt(controller, "spec", "endpointPublishingStrategy", "loadBalancer", "scope");
  const internal = service?.metadata.annotations?.[internalAnnotation] === "true";
  return scope === "Internal" || (scope === undefined && internal) ? "Internal" : "External";
}

/** Returns the names of all Services that a router can have. */
export function serviceNamesOf(controllerName: string): readonly string[] {
  return [`router-${controllerName}`, `router-internal-${controllerName}`];
}

/**
 * Returns the Services of a router: an internal Service for metrics and for traffic within the cluster, and optionally a load
 * balancer Service. The publishing strategy selects the load balancer (openshift/cluster-ingress-operator
 * pkg/operator/controller/ingress).
 */
export function routerServices(controller: KubeObject): readonly KubeObject[] {
  const { name } = controller.metadata;
  const type = stringAt(controller, "spec", "endpointPublishingStrategy", "type") ?? "LoadBalancerService";
  return [
    ...(type === "LoadBalancerService" ? [loadBalancer(name, scopeOf(controller))] : []),
    service(name, `router-internal-${name}`, {
      metadata: {
        annotations: {
          "service.alpha.openshift.io/serving-cert-secret-name": `router-metrics-certs-${name}`,
        },
      },
      spec: { type: "ClusterIP", ports: [...webPorts, port("metrics", 1936)] },
    }),
  ];
}

/** Sets the address of a router's load balancer. Returns other Services unchanged. */
export function withAddress(service: KubeObject, address: string): KubeObject {
  if (stringAt(service, "spec", "type") !== "LoadBalancer") return service;
  const annotations = { ...service.metadata.annotations, [addressAnnotation]: address };
  return { ...service, metadata: { ...service.metadata, annotations } };
}

function loadBalancer(name: string, scope: "External" | "Internal"): KubeObject {
  return service(name, `router-${name}`, {
    metadata: {
      annotations: {
        "traffic-policy.network.alpha.openshift.io/local-with-fallback": "",
        ...(scope === "Internal" ? { [internalAnnotation]: "true" } : {}),
      },
      labels: { app: "router", router: `router-${name}` },
    },
    spec: { type: "LoadBalancer", externalTrafficPolicy: "Local", ports: webPorts },
  });
}

function port(name: string, number: number) {
  return { name, port: number, protocol: "TCP", targetPort: name };
}

const webPorts = [port("http", 80), port("https", 443)];

function service(
  controllerName: string,
  name: string,
  {
    metadata,
    spec,
  }: {
    readonly metadata: {
      readonly annotations: Readonly<Record<string, string>>;
      readonly labels?: Readonly<Record<string, string>>;
    };
    readonly spec: Readonly<Record<string, unknown>>;
  },
): KubeObject {
  return {
    apiVersion: "v1",
    kind: "Service",
    metadata: {
      namespace: routerNamespace,
      name,
      annotations: metadata.annotations,
      labels: { ...metadata.labels, [owningController]: controllerName },
    },
    spec: { ...spec, selector: { [selectedController]: controllerName } },
  };
}
