import { isIP } from "node:net";
import { listAt, stringAt } from "@keelson/base";
import { type KubeClient, type KubeObject, objectFields, resources } from "@keelson/kube";
import type { IngressProfile, OpenShiftCluster } from "@keelson/model";

const owner = "ingresscontroller.operator.openshift.io/owning-ingresscontroller";
const visibilities: Readonly<Record<string, IngressProfile["visibility"]>> = {
  Internal: "Private",
  External: "Public",
};

/** Maximum number of IngressControllers to read. A normal cluster has a few. */
const maxObjects = 100;

const controllerFields = objectFields({
  spec: { endpointPublishingStrategy: { loadBalancer: { scope: true } } },
});
const serviceFields = objectFields({
  metadata: { labels: { [owner]: true } },
  status: { loadBalancer: { ingress: { ip: true } } },
});

/**
 * Returns the cluster's IngressControllers as profiles, sorted by name. Missing values come from the stored
 * profile.
 */
export async function readIngressProfiles(
  kube: Pick<KubeClient, "list">,
  { properties }: OpenShiftCluster,
  signal: AbortSignal,
): Promise<readonly IngressProfile[]> {
  const [controllers, services] = await Promise.all([
    kube.list(
      resources.ingressControllers,
      { namespace: "openshift-ingress-operator", fields: controllerFields, maxObjects },
      signal,
    ),
    kube.list(
      resources.services,
      { namespace: "openshift-ingress", labelSelector: "app=router", fields: serviceFields, maxObjects },
      signal,
    ),
  ]);
  const addresses = new Map(services.items.map((each) => [each.metadata.labels?.[owner], addressOf(each)]));
  const stored = new Map(properties.ingressProfiles.map((profile) => [profile.name, profile]));
  return controllers.items
    .map((controller) => {
      const { name } = controller.metadata;
      const ip = addresses.get(name) ?? stored.get(name)?.ip;
      const visibility = visibilityOf(controller) ?? stored.get(name)?.visibility ?? "Public";
      return { name, visibility, ...(ip === undefined ? {} : { ip }) };
    })
    .toSorted((a, b) => (a.name < b.name ? -1 : 1));
}

function addressOf(service: KubeObject): string | undefined {
  const ip = stringAt(listAt(service, "status", "loadBalancer", "ingress")[0], "ip");
  return ip !== undefined && isIP(ip) !== 0 ? ip : undefined;
}

function visibilityOf(controller: KubeObject): IngressProfile["visibility"] | undefined {
  const scope = stringAt(controller, "spec", "endpointPublishingStrategy", "loadBalancer", "scope");
  return scope === undefined ? undefined : visibilities[scope];
}
