import { type KubeObject, resources } from "@keelson/kube";
import { dataOf } from "../objects/object-data.ts";
import type { OperatorParts } from "../operator/operator-controller.ts";
import { convergedRevision } from "./converged-revision.ts";
import { desiredState } from "./desired-state.ts";
import { configMember, type EncryptionState, newestKeyId, readEncryptionData } from "./encryption-config.ts";
import {
  componentLabel,
  type EncryptedResource,
  type EncryptionKey,
  keyNamespace,
  newestFirst,
  readKey,
} from "./encryption-key.ts";
import type { KeyPolicy } from "./new-key.ts";

export interface EncryptionOptions<Parts extends OperatorParts> {
  /** API server name for use in object names, for example `openshift-kube-apiserver`. */
  readonly component: string;
  /** Namespace of the API server pods and their configuration revisions. */
  readonly namespace: string;
  /** Label selector of the API server pods, for example `apiserver=true`. */
  readonly podSelector: string;
  readonly resources: readonly EncryptedResource[];
  /** Returns the requested encryption. The function reads only the cache. @throws Error for an unknown mode */
  readonly policy: (parts: Parts, configuration: KubeObject) => KeyPolicy;
  /** Preflight test of key management services. Without it, mode `KMS` is unavailable. */
  readonly preflight?: {
    /** Returns the image of the operator. */
    readonly image: (parts: Parts) => string;
    readonly command: readonly string[];
  };
}

/** Deployed and desired encryption, with the existing keys. */
export interface EncryptionSituation {
  readonly deployed: EncryptionState | undefined;
  readonly desired: EncryptionState;
  readonly keySecrets: readonly KubeObject[];
  readonly keys: readonly EncryptionKey[];
  /** Highest key number in the most recently written configuration. 0 before the first write. */
  readonly newestWrittenId: number;
}

export function configSecretKey(component: string) {
  return { namespace: keyNamespace, name: `${configMember}-${component}` };
}

export function keySelection(component: string) {
  return { namespace: keyNamespace, labelSelector: `${componentLabel}=${component}` };
}

/** True if encryption is requested now or was used before. The function reads only the cache. */
export function isEncryptionUsed<Parts extends OperatorParts>(
  { component }: EncryptionOptions<Parts>,
  { cache }: Parts,
  { mode }: KeyPolicy,
): boolean {
  const { secrets } = resources;
  return (
    mode !== "identity" ||
    cache.informer(secrets, { selection: keySelection(component) }).list().length > 0 ||
    cache.find(secrets, configSecretKey(component)) !== undefined
  );
}

/**
 * Returns the encryption state, or undefined while the API servers run different revisions. The state is read from the server,
 * because a stale cache could contain an old revision.
 */
export async function readSituation<Parts extends OperatorParts>(
  options: EncryptionOptions<Parts>,
  { api, cache }: Parts,
  signal: AbortSignal,
): Promise<EncryptionSituation | undefined> {
  const { component, namespace, podSelector: labelSelector } = options;
  const masters = await api.list(
    resources.nodes,
    { labelSelector: "node-role.kubernetes.io/master" },
    signal,
  );
  const pods = await api.list(resources.pods, { namespace, labelSelector }, signal);
  const names = masters.items.map(({ metadata }) => metadata.name);
  const revision = convergedRevision(pods.items, names);
  if (revision === undefined) return undefined;
  const secret = await api.find(
    resources.secrets,
    { namespace, name: `${configMember}-${revision}` },
    signal,
  );
  const { items: keySecrets } = await api.list(resources.secrets, keySelection(component), signal);
  const keys = newestFirst(keySecrets.flatMap((each) => readKey(each) ?? []));
  const deployed = secret && stateOf(secret, keys);
  const desired = desiredState(deployed, keys, options.resources);
  const written = cache.find(resources.secrets, configSecretKey(component));
  return { deployed, desired, keySecrets, keys, newestWrittenId: newestKeyId(written && dataOf(written)) };
}

/**
 * Returns the encryption state in a configuration Secret.
 * @throws Error for invalid content
 */
export function stateOf(secret: KubeObject, keys: readonly EncryptionKey[]): EncryptionState {
  const { name, namespace } = secret.metadata;
  try {
    return readEncryptionData(dataOf(secret), keys);
  } catch (cause) {
    // The parser's message is omitted because it may contain keys.
    throw new Error(`invalid encryption config ${namespace}/${name}`, {
      cause: cause instanceof SyntaxError ? undefined : cause,
    });
  }
}
