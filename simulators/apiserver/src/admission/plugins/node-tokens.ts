import { failures, type KubeObject, scalarStringAt } from "@keelson/apimachinery";
import { listAt, stringsAt, valueAt } from "@keelson/base";
import type { AdmissionRequest } from "../../resources/admission-request.ts";
import { forbidden } from "../../resources/forbidden.ts";
import type { PluginContext } from "./plugin.ts";

/**
 * Validates a kubelet's token request. The token must be bound to a pod on the kubelet's node. The pod's volumes must name the
 * token's audience, or the kubelet must have permission for this audience.
 * @throws StatusError 403, 404
 */
export function confirmNodeToken(request: AdmissionRequest, node: string, context: PluginContext): void {
  const reference = valueAt(request.object, "spec", "boundObjectRef");
  const name = scalarStringAt(reference, "name");
  if (
    scalarStringAt(reference, "apiVersion") !== "v1" ||
    scalarStringAt(reference, "kind") !== "Pod" ||
    name === ""
  ) {
    throw forbidden(request, "node requested token not bound to a pod");
  }
  const uid = scalarStringAt(reference, "uid");
  if (uid === "") throw forbidden(request, "node requested token with a pod binding without a uid");
  const pod = context.store.get("/pods", `${request.namespace}/${name}`)?.object;
  if (!pod) throw failures.notFound({ group: "", resource: "pods" }, name);
  if (uid !== pod.metadata.uid) {
    const why = `the UID in the bound object reference (${uid}) does not match the UID in record. The object might have been deleted and then recreated`;
    throw forbidden(request, why);
  }
  if (scalarStringAt(pod, "spec", "nodeName") !== node) {
    throw forbidden(request, "node requested token bound to a pod scheduled on a different node");
  }
  confirmAudience(request, pod, context);
}

function confirmAudience(request: AdmissionRequest, pod: KubeObject, context: PluginContext): void {
  const [audience = "", ...others] = stringsAt(request.object, "spec", "audiences");
  if (others.length > 0) throw forbidden(request, "node may only request 0 or 1 audiences");
  if (namesAudience(pod, audience, context)) return;
  const { user, namespace = "", name } = request;
  const allowed = context.authorizer.allows(user, {
    kind: "resource",
    verb: "request-serviceaccounts-token-audience",
    group: "",
    resource: audience,
    namespace,
    name,
  });
  if (allowed) return;
  const why = `audience "${audience}" not found in pod spec volume, ${user.name} is not authorized to request tokens for this audience`;
  throw forbidden(request, why);
}

/** True if the pod needs a token for the audience, in a projected volume or for a volume's CSI driver. */
function namesAudience(pod: KubeObject, audience: string, { store }: PluginContext): boolean {
  const driverOfClaim = (claim: string): string => {
    const bound = store.get("/persistentvolumeclaims", `${pod.metadata.namespace}/${claim}`)?.object;
    const volume = store.get("/persistentvolumes", scalarStringAt(bound, "spec", "volumeName"))?.object;
    return scalarStringAt(volume, "spec", "csi", "driver");
  };
  const driverOf = (volume: unknown): string => {
    if (valueAt(volume, "ephemeral", "volumeClaimTemplate") !== undefined)
      return driverOfClaim(`${pod.metadata.name}-${scalarStringAt(volume, "name")}`);
    const claim = scalarStringAt(volume, "persistentVolumeClaim", "claimName");
    return claim ? driverOfClaim(claim) : scalarStringAt(volume, "csi", "driver");
  };
  return listAt(pod, "spec", "volumes").some((volume) => {
    const projected = listAt(volume, "projected", "sources").some((source) => {
      const token = valueAt(source, "serviceAccountToken");
      return token !== undefined && scalarStringAt(token, "audience") === audience;
    });
    if (projected) return true;
    const driver = store.get("storage.k8s.io/csidrivers", driverOf(volume))?.object;
    return listAt(driver, "spec", "tokenRequests").some(
      (each) => scalarStringAt(each, "audience") === audience,
    );
  });
}
