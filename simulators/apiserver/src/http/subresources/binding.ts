import { failures, fieldError, type KubeObject, scalarStringAt } from "@keelson/apimachinery";
import { listAt, objectAt } from "@keelson/base";
import { admitCreation } from "../../registry/admit.ts";
import { modifyObject } from "../../registry/modify.ts";
import { getObject } from "../../registry/read.ts";
import { timestamp } from "../../resources/registry-context.ts";
import { subjectOf } from "../../resources/served-resource.ts";
import { type DecodedBody, decodeStrictly } from "../messages/decode-body.ts";
import { sendValue } from "../messages/respond.ts";
import { keyIn, type ResourceRequest } from "../resources/resource-request.ts";
import { writeOptions } from "../resources/write-parameters.ts";

/** Assigns a pod to its node permanently (core/v1 Binding). @throws StatusError 404, 409, 422 */
export async function handleBinding(call: ResourceRequest): Promise<void> {
  await bind(call, await decodeStrictly(call.request));
}

/**
 * Handles the creation of a Binding in the resource `bindings`. The Binding has the name of the pod.
 * @throws StatusError 404, 409, 422
 */
export async function handleNamedBinding(call: ResourceRequest): Promise<void> {
  const body = await decodeStrictly(call.request);
  const resource = call.cluster.context.directory.get({ group: "", version: "v1", resource: "pods" });
  const name = scalarStringAt(body.value, "metadata", "name");
  if (!name) {
    const subject = { group: "", kind: "Binding" };
    throw failures.invalid(subject, name, [
      fieldError.required("metadata.name", "name or generateName is required"),
    ]);
  }
  await bind({ ...call, resource, info: { ...call.info, name } }, body);
}

async function bind(call: ResourceRequest, { value: binding, strictErrors }: DecodedBody): Promise<void> {
  const { cluster, request, resource } = call;
  const { context } = cluster;
  const key = keyIn(call);
  const options = writeOptions(call, "CreateOptions", strictErrors);
  const node = nodeOf(binding);
  const { name, namespace } = getObject(context, resource, key).object.metadata;
  const metadata = { ...objectAt(binding, "metadata"), name, ...(namespace ? { namespace } : {}) };
  const object = { ...objectAt(binding), apiVersion: "v1", kind: "Binding", metadata };
  await admitCreation(context, resource, { namespace, name }, object, options);
  // Admission runs for the Binding, but not for the resulting update of the pod.
  const write = { ...options, admitted: true };
  const assign = (pod: KubeObject): KubeObject => {
    const { name } = pod.metadata;
    const bound = scalarStringAt(pod, "spec", "nodeName");
    if (!bound) return { ...pod, spec: { ...objectAt(pod, "spec"), nodeName: node } };
    const why = `pod ${name} is already assigned to node ${JSON.stringify(bound)}`;
    throw failures.conflict({ ...subjectOf(resource), resource: "pods/binding" }, name, why);
  };
  await modifyObject(context, resource, key, "main", assign, write);
  const lastTransitionTime = timestamp(context.clock);
  const scheduled = { type: "PodScheduled", status: "True", lastTransitionTime };
  const bound = (current: KubeObject): KubeObject => {
    const others = listAt(current, "status", "conditions").filter(
      (each) => scalarStringAt(each, "type") !== scheduled.type,
    );
    return { ...current, status: { ...objectAt(current, "status"), conditions: [...others, scheduled] } };
  };
  if (!options.dryRun) await modifyObject(context, resource, key, "status", bound, write);
  sendValue(request.response, 201, {
    kind: "Status",
    apiVersion: "v1",
    metadata: {},
    status: "Success",
    code: 201,
  });
}

function nodeOf(binding: unknown): string {
  const kind = scalarStringAt(binding, "target", "kind");
  const name = scalarStringAt(binding, "target", "name");
  const causes = [
    ...(kind === "" || kind === "Node"
      ? []
      : [fieldError.notSupported("target.kind", kind, ["Node", "<empty>"])]),
    ...(name === "" ? [fieldError.required("target.name")] : []),
  ];
  if (causes.length > 0) {
    const subject = { group: "", kind: "Binding" };
    throw failures.invalid(subject, scalarStringAt(binding, "metadata", "name"), causes);
  }
  return name;
}
