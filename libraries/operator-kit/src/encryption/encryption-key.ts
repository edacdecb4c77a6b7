import { randomBytes } from "node:crypto";
import { stringAt, tryParseJson, valueAt } from "@keelson/base";
import type { KubeObject } from "@keelson/kube";
import { dataOf } from "../objects/object-data.ts";
import { type KmsKey, kmsKeyData, readKmsKeyData } from "./kms-key.ts";

/** Encryption mode of stored data. `identity` stores data unencrypted. `KMS` uses a key of a key management service. */
export type EncryptionMode = "identity" | "aescbc" | "aesgcm" | "KMS";

/** Name of a resource with encrypted objects, for example `secrets` or `routes.route.openshift.io`. */
export type EncryptedResource = string;

export interface EncryptionKey {
  readonly id: number;
  /** Key in base64. The modes `identity` and `KMS` have `emptyKey`. */
  readonly secret: string;
  readonly mode: EncryptionMode;
  /** Key management service. Only for mode `KMS`. */
  readonly kms?: KmsKey;
  /** True if the key has a Secret. Only such a key may become the write key. */
  readonly isBacked: boolean;
  readonly internalReason: string;
  readonly externalReason: string;
  /** Resources that were completely rewritten with this key. `at` is the time of the last rewrite. */
  readonly migrated: { readonly at: Date | undefined; readonly resources: readonly EncryptedResource[] };
}

/** Default metadata for a key without a Secret. Metadata is stored only in the Secret of a key. */
export const unbacked = {
  isBacked: false,
  internalReason: "",
  externalReason: "",
  migrated: { at: undefined, resources: [] },
} as const;

export type NewKey = Pick<EncryptionKey, "id" | "mode" | "kms" | "internalReason" | "externalReason">;

const prefix = "encryption.apiserver.operator.openshift.io";
export const componentLabel = `${prefix}/component`;
export const deletionFinalizer = `${prefix}/deletion-protection`;
const keyAnnotations = {
  mode: `${prefix}/mode`,
  internalReason: `${prefix}/internal-reason`,
  externalReason: `${prefix}/external-reason`,
  migratedAt: `${prefix}/migrated-timestamp`,
  migratedResources: `${prefix}/migrated-resources`,
} as const;
const keyMember = `${prefix}-key`;
export const keyNamespace = "openshift-config-managed";
const modes: readonly string[] = ["identity", "aescbc", "aesgcm", "KMS"] satisfies readonly EncryptionMode[];

/**
 * Placeholder for the secret of keys in the modes `identity` and `KMS`. An entry with this secret encrypts nothing. It only
 * stores the number of the key.
 */
export const emptyKey = Buffer.alloc(16).toString("base64");

export function isEncryptionMode(text: string): text is EncryptionMode {
  return modes.includes(text);
}

export function isSameKey(a: EncryptionKey, b: EncryptionKey): boolean {
  return a.id === b.id && a.mode === b.mode && a.secret === b.secret;
}

export function newestFirst(keys: readonly EncryptionKey[]): readonly EncryptionKey[] {
  return keys.toSorted((a, b) => b.id - a.id);
}

export function isMigrated({ migrated }: EncryptionKey, resources: readonly EncryptedResource[]): boolean {
  return resources.every((each) => migrated.resources.includes(each));
}

/** Returns the encryption key in a Secret. Undefined if the Secret has no usable key. */
export function readKey(secret: KubeObject): EncryptionKey | undefined {
  const id = keyIdOf(secret);
  const { annotations = {} } = secret.metadata;
  const mode = annotations[keyAnnotations.mode] ?? "";
  const data = stringAt(secret, "data", keyMember) ?? "";
  const bytes = Buffer.from(data, "base64");
  const migratedAt = annotations[keyAnnotations.migratedAt];
  const at = migratedAt === undefined ? undefined : new Date(migratedAt);
  const resources = readResources(annotations[keyAnnotations.migratedResources] ?? "");
  if (id === undefined || !isEncryptionMode(mode) || Number.isNaN(at?.getTime()) || !resources)
    return undefined;
  if (!isSecretOf(mode, bytes)) return undefined;
  const kms = mode === "KMS" ? kmsOf(secret) : undefined;
  if (mode === "KMS" && !kms) return undefined;
  return {
    id,
    secret: bytes.toString("base64"),
    mode,
    ...(kms ? { kms } : {}),
    isBacked: true,
    internalReason: annotations[keyAnnotations.internalReason] ?? "",
    externalReason: annotations[keyAnnotations.externalReason] ?? "",
    migrated: { at, resources },
  };
}

function isSecretOf(mode: EncryptionMode, bytes: Buffer): boolean {
  if (mode === "identity") return bytes.every((byte) => byte === 0);
  return mode === "KMS" ? bytes.toString("base64") === emptyKey : bytes.length === 32;
}

function kmsOf(secret: KubeObject): KmsKey | undefined {
  try {
    return readKmsKeyData(dataOf(secret));
  } catch {
    return undefined;
  }
}

export function keyIdOf({ metadata }: KubeObject): number | undefined {
  const found = /-(\d{1,15})$/.exec(metadata.name)?.[1];
  return found === undefined ? undefined : Number(found);
}

/** Returns the Secret for a new key. A finalizer delays the deletion of the Secret, because stored data may depend on the key. */
export function newKeySecret(component: string, key: NewKey): KubeObject {
  const isEmpty = key.mode === "identity" || key.mode === "KMS";
  const secret = isEmpty ? emptyKey : randomBytes(32).toString("base64");
  return {
    apiVersion: "v1",
    kind: "Secret",
    metadata: {
      namespace: keyNamespace,
      name: `encryption-key-${component}-${key.id}`,
      labels: { [componentLabel]: component },
      annotations: {
        [keyAnnotations.mode]: key.mode,
        [keyAnnotations.internalReason]: key.internalReason,
        [keyAnnotations.externalReason]: key.externalReason,
        "kubernetes.io/description":
          "Data of the cluster can be read with this key only: never change or delete it.",
      },
      finalizers: [deletionFinalizer],
    },
    type: "Opaque",
    data: { [keyMember]: secret, ...(key.kms ? kmsKeyData(key.id, key.kms) : {}) },
  };
}

/** Returns the Secret's annotations after the given resources were rewritten with the key. */
export function migratedAnnotations(
  resources: readonly EncryptedResource[],
  now: Date,
): Readonly<Record<string, string>> {
  const list = resources.map((each) => {
    const dot = each.indexOf(".");
    return dot < 0
      ? { Group: "", Resource: each }
      : { Group: each.slice(dot + 1), Resource: each.slice(0, dot) };
  });
  return {
    [keyAnnotations.migratedAt]: `${now.toISOString().slice(0, 19)}Z`,
    [keyAnnotations.migratedResources]: JSON.stringify({ resources: list }),
  };
}

function readResources(text: string): readonly EncryptedResource[] | undefined {
  if (text === "") return [];
  const list = valueAt(tryParseJson(text), "resources");
  if (!Array.isArray(list)) return undefined;
  return list.flatMap((each: unknown) => {
    const name = stringAt(each, "Resource");
    if (name === undefined) return [];
    const group = stringAt(each, "Group") ?? "";
    return [group === "" ? name : `${name}.${group}`];
  });
}
