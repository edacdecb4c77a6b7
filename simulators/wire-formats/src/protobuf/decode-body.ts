import { failures, maxMembers, requestBudget } from "@keelson/apimachinery";
import { WorkBudget, WorkBudgetExceeded } from "@keelson/base";
import { decodeMessage } from "./decode-message.ts";
import { readFields } from "./wire.ts";

/** Media type of objects in Kubernetes' protocol buffer envelope. */
export const protobufMediaType = "application/vnd.kubernetes.protobuf";

const maxFields = 3 * maxMembers;
const magic = Buffer.from("k8s\0");

/**
 * Decodes an object in kube-apiserver's envelope. The envelope consists of four magic bytes and a runtime.Unknown message. Field
 * 1 of this message contains the kind, and field 2 contains the object's message.
 * @throws StatusError 400 for invalid bytes, 415 for kinds without protocol buffer support
 */
export function decodeProtobuf(body: Buffer, budget = requestBudget()): Readonly<Record<string, unknown>> {
  if (!body.subarray(0, magic.length).equals(magic)) {
    throw failures.badRequest("the body does not start with the Kubernetes protocol buffer prefix");
  }
  // Limit of message fields, equal to the limit for the properties of a JSON body. Each map entry counts as three fields.
  const fields = new WorkBudget({ ...budget.remaining, nodes: Math.min(maxFields, budget.remaining.nodes) });
  try {
    const object = decodeEnvelope(body.subarray(magic.length), fields);
    budget.spend(fields.spent.nodes, body.length);
    return object;
  } catch (error) {
    if (error instanceof WorkBudgetExceeded && error.limit === "nodes") {
      throw failures.badRequest(`error parsing protobuf: more than ${fields.limits.nodes} fields`);
    }
    if (!(error instanceof RangeError)) throw error;
    throw failures.badRequest(`invalid protocol buffer message: ${error.message}`);
  }
}

function decodeEnvelope(envelope: Uint8Array, budget: WorkBudget): Readonly<Record<string, unknown>> {
  const parts = bytesByNumber(envelope, budget);
  const typeMeta = bytesByNumber(parts.get(1) ?? new Uint8Array(), budget);
  const [apiVersion = "", kind = ""] = [1, 2].map((number) =>
    Buffer.from(typeMeta.get(number) ?? []).toString(),
  );
  const slash = apiVersion.indexOf("/");
  const [group, version] = [apiVersion.slice(0, Math.max(slash, 0)), apiVersion.slice(slash + 1)];
  const object = decodeMessage({ group, version, kind }, parts.get(2) ?? new Uint8Array(), budget);
  if (!object) throw failures.unsupportedMediaType(["application/json", "application/yaml"]);
  return { ...object, apiVersion, kind };
}

function bytesByNumber(message: Uint8Array, budget: WorkBudget): ReadonlyMap<number, Uint8Array> {
  const fields = [...readFields(message, budget)];
  return new Map(
    fields.flatMap(({ number, value }) => (value instanceof Uint8Array ? [[number, value] as const] : [])),
  );
}
