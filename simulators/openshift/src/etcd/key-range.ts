import { setImmediate } from "node:timers/promises";
import { type ClusterClient, etcdValue, type KubeObject } from "@keelson/apiserver";
import { listAt, numberAt } from "@keelson/base";
import { resources } from "../base/resources.ts";
import { type ValueTransformer, valueTransformer } from "./encrypt-value.ts";
import { encodeRangeResponse, type KeyValue, type RangeRequest } from "./range-messages.ts";
import { rpcError } from "./unary-server.ts";

const namespace = "openshift-kube-apiserver";
/**
 * Resources in the simulated etcd: Secrets and ConfigMaps, which are the resources that the API server encrypts. All other
 * resources are omitted.
 */
const served = [
  { resource: "secrets", prefix: "/kubernetes.io/secrets/", ref: resources.secrets },
  { resource: "configmaps", prefix: "/kubernetes.io/configmaps/", ref: resources.configMaps },
] as const;

/** Maximum size of a response in bytes. */
const maxBytes = 64 * 1_024 * 1_024;
/** Number of values that are encoded before other work of the event loop can run. */
const atATime = 100;

/**
 * Responds to a range request of etcd with the cluster's Secrets and ConfigMaps. Values are encrypted with the
 * EncryptionConfiguration of the oldest revision that a master runs.
 * @throws RpcError
 */
export async function readKeyRange(client: ClusterClient, request: RangeRequest): Promise<Buffer> {
  const found: { key: Buffer; object: KubeObject; transform: ValueTransformer }[] = [];
  const config = await encryptionConfig(client);
  let revision = 0;
  for (const { resource, prefix, ref } of served) {
    if (!overlaps(request, prefix)) continue;
    const { items, resourceVersion } = await client.list(ref);
    revision = Math.max(revision, Number(resourceVersion));
    const transform = transformerOf(config, resource);
    for (const object of items) {
      const key = Buffer.from(`${prefix}${object.metadata.namespace}/${object.metadata.name}`);
      if (contains(request, key)) found.push({ key, object, transform });
    }
  }
  if (revision === 0) revision = Number((await client.list(resources.namespaces)).resourceVersion);
  if (request.revision > revision)
    throw rpcError("outOfRange", "etcdserver: mvcc: required revision is a future revision");
  if (request.revision > 0 && request.revision < revision)
    throw rpcError("outOfRange", "etcdserver: mvcc: required revision has been compacted");
  found.sort((a, b) => (request.descending ? b.key.compare(a.key) : a.key.compare(b.key)));
  const count = found.length;
  const kept = request.countOnly ? [] : request.limit > 0 ? found.slice(0, request.limit) : found;
  const keyValues: KeyValue[] = [];
  let bytes = 0;
  for (const [at, { key, object, transform }] of kept.entries()) {
    if (at % atATime === atATime - 1) await setImmediate();
    const value = request.keysOnly ? Buffer.alloc(0) : transform(key, etcdValue(object));
    bytes += key.length + value.length;
    if (bytes > maxBytes) throw rpcError("resourceExhausted", `the response exceeds ${maxBytes} bytes`);
    keyValues.push({ key, value, modRevision: Number(object.metadata.resourceVersion) });
  }
  return encodeRangeResponse({ revision, keyValues, more: !request.countOnly && kept.length < count, count });
}

/** Returns the Secret with the EncryptionConfiguration of the oldest revision that a master runs. */
async function encryptionConfig(client: ClusterClient): Promise<KubeObject | undefined> {
  const operator = await client.find(resources.kubeApiServers, { name: "cluster" });
  const revisions = listAt(operator, "status", "nodeStatuses").map(
    (each) => numberAt(each, "currentRevision") ?? 0,
  );
  const revision = revisions.length === 0 ? 0 : Math.min(...revisions);
  return client.find(resources.secrets, { namespace, name: `encryption-config-${revision}` });
}

/** @throws RpcError if the values of the resource cannot be encrypted */
function transformerOf(config: KubeObject | undefined, resource: string): ValueTransformer {
  try {
    return valueTransformer(config, resource);
  } catch (error) {
    throw rpcError("failedPrecondition", error instanceof Error ? error.message : String(error));
  }
}

function contains({ key, end }: RangeRequest, candidate: Buffer): boolean {
  if (end.length === 0) return candidate.equals(key);
  return candidate.compare(key) >= 0 && (isOpen(end) || candidate.compare(end) < 0);
}

/** True if keys with the prefix can be in the range. */
function overlaps({ key, end }: RangeRequest, text: string): boolean {
  const prefix = Buffer.from(text);
  if (end.length === 0) return key.subarray(0, prefix.length).equals(prefix);
  const last = Buffer.concat([prefix.subarray(0, -1), Buffer.from([(prefix.at(-1) ?? 0) + 1])]);
  return key.compare(last) < 0 && (isOpen(end) || prefix.compare(end) < 0);
}

function isOpen(end: Buffer): boolean {
  return end.length === 1 && end[0] === 0;
}
