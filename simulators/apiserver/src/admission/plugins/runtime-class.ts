import { type KubeObject, sameJson, scalarStringAt } from "@keelson/apimachinery";
import { listAt, objectAt, valueAt } from "@keelson/base";
import type { AdmissionRequest } from "../../resources/admission-request.ts";
import { forbidden } from "../../resources/forbidden.ts";
import { mergedTolerations } from "./merge-tolerations.ts";
import type { AdmissionPlugin, ObjectRequest, PluginContext } from "./plugin.ts";

/** Sets a pod's overhead, node selector and tolerations from its RuntimeClass. */
export const runtimeClass: AdmissionPlugin = {
  name: "RuntimeClass",
  targets: ["CREATE /pods"],
  mutate(request, context) {
    const found = classOf(request, context);
    return found ? withScheduling(request, withOverhead(request, found), found) : request.object;
  },
  validate(request, context) {
    const overhead = valueAt(request.object, "spec", "overhead");
    const fixed = valueAt(classOf(request, context), "overhead", "podFixed");
    if (fixed === undefined && overhead !== undefined) {
      const why = "pod rejected: Pod Overhead set without corresponding RuntimeClass defined Overhead";
      throw forbidden(request, why);
    }
    if (fixed !== undefined && !sameJson(fixed, overhead)) throw mismatch(request);
  },
};

function classOf(request: AdmissionRequest, { store }: PluginContext): KubeObject | undefined {
  const name = scalarStringAt(request.object, "spec", "runtimeClassName");
  if (!name) return undefined;
  const found = store.get("node.k8s.io/runtimeclasses", name)?.object;
  if (!found) throw forbidden(request, `pod rejected: RuntimeClass ${JSON.stringify(name)} not found`);
  return found;
}

function withOverhead(request: ObjectRequest, found: KubeObject): KubeObject {
  const { object: pod } = request;
  const fixed = valueAt(found, "overhead", "podFixed");
  if (fixed === undefined) return pod;
  const own = objectAt(pod, "spec", "overhead");
  if (Object.keys(own).length > 0 && !sameJson(own, fixed)) throw mismatch(request);
  return { ...pod, spec: { ...objectAt(pod, "spec"), overhead: fixed } };
}

function mismatch(request: AdmissionRequest) {
  return forbidden(request, "pod rejected: Pod's Overhead doesn't match RuntimeClass's defined Overhead");
}

function withScheduling(request: ObjectRequest, pod: KubeObject, found: KubeObject): KubeObject {
  if (valueAt(found, "scheduling") === undefined) return pod;
  const spec = objectAt(pod, "spec");
  const own = objectAt(spec, "nodeSelector");
  const wanted = objectAt(found, "scheduling", "nodeSelector");
  for (const [key, value] of Object.entries(wanted)) {
    if (own[key] === undefined || own[key] === value) continue;
    throw forbidden(
      request,
      `conflict: runtimeClass.scheduling.nodeSelector[${key}] = ${value}; pod.spec.nodeSelector[${key}] = ${own[key]}`,
    );
  }
  const nodeSelector = { ...own, ...wanted };
  const tolerations = mergedTolerations([
    ...listAt(spec, "tolerations"),
    ...listAt(found, "scheduling", "tolerations"),
  ]);
  return {
    ...pod,
    spec: {
      ...spec,
      ...(Object.keys(nodeSelector).length > 0 ? { nodeSelector } : {}),
      ...(tolerations.length > 0 ? { tolerations } : {}),
    },
  };
}
