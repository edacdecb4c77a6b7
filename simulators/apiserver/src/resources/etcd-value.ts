import type { KubeObject } from "@keelson/apimachinery";
import { encodeProtobuf, protobufTypeOf } from "@keelson/wire-formats";
import { parseApiVersion } from "./served-resource.ts";

/**
 * Returns an object in the format that kube-apiserver stores in etcd: a protocol buffer for built-in kinds, JSON for custom
 * resources. The resource version is not part of the value.
 */
export function etcdValue(object: KubeObject): Buffer {
  const { resourceVersion: _, ...metadata } = object.metadata;
  const stored = { ...object, metadata };
  const type = protobufTypeOf({ ...parseApiVersion(object.apiVersion), kind: object.kind });
  return type ? encodeProtobuf(object, type, stored) : Buffer.from(`${JSON.stringify(stored)}\n`);
}
