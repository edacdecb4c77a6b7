import { failures, fieldError, type KubeObject, sameJson, scalarStringAt } from "@keelson/apimachinery";
import { listAt, objectAt, valueAt } from "@keelson/base";
import { modifyObject } from "../../registry/modify.ts";
import { handleGet } from "../../verbs/get.ts";
import { decodeStrictly } from "../messages/decode-body.ts";
import { type Patch, readPatch } from "../messages/patch-body.ts";
import { keyIn, type ResourceRequest, sendObject } from "../resources/resource-request.ts";
import { writeOptions } from "../resources/write-parameters.ts";

/**
 * Adds ephemeral containers to a running pod, as in `kubectl debug`. Does not change other fields of the pod.
 * @throws StatusError 422
 */
export async function handleEphemeralContainers(call: ResourceRequest): Promise<void> {
  const { cluster, request, resource, info } = call;
  if (info.verb === "get") {
    await handleGet(call);
    return;
  }
  const key = keyIn(call);
  const patch = info.verb === "patch";
  const { change, strictErrors } = patch
    ? await readPatch(request, resource, resource.type)
    : await readPod(call);
  const options = writeOptions(call, patch ? "PatchOptions" : "UpdateOptions", strictErrors);
  const add = async (pod: KubeObject) => withContainers(pod, await change(pod));
  await sendObject(call, 200, await modifyObject(cluster.context, resource, key, "main", add, options));
}

async function readPod({ request }: ResourceRequest): Promise<Patch> {
  const { value, strictErrors } = await decodeStrictly(request);
  return { change: async () => value, strictErrors };
}

function withContainers(pod: KubeObject, wanted: unknown): KubeObject {
  const containers = listAt(wanted, "spec", "ephemeralContainers");
  for (const old of listAt(pod, "spec", "ephemeralContainers")) {
    const name = scalarStringAt(old, "name");
    const kept = containers.find((each) => scalarStringAt(each, "name") === name);
    if (kept !== undefined && sameJson(kept, old)) continue;
    const why = `existing ephemeral containers ${JSON.stringify(name)} may not be ${kept ? "changed" : "removed"}\n`;
    throw failures.invalid({ group: "", kind: "Pod" }, pod.metadata.name, [
      fieldError.forbidden("spec.ephemeralContainers", why),
    ]);
  }
  const { apiVersion, kind, metadata } = pod;
  const resourceVersion = scalarStringAt(wanted, "metadata", "resourceVersion") || metadata.resourceVersion;
  return {
    ...pod,
    apiVersion,
    kind,
    metadata: { ...metadata, ...(resourceVersion ? { resourceVersion } : {}) },
    spec: {
      ...objectAt(pod, "spec"),
      ...(valueAt(wanted, "spec", "ephemeralContainers") === undefined
        ? {}
        : { ephemeralContainers: containers }),
    },
  };
}
