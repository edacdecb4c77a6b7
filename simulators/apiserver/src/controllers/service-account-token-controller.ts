import { ignoreGone, type KubeObject, scalarStringAt } from "@keelson/apimachinery";
import { objectAt } from "@keelson/base";
import type { ServiceAccountTokens } from "../auth/service-account-tokens.ts";
import { modifyObject } from "../registry/modify.ts";
import { removeObject } from "../registry/remove.ts";
import type { RegistryContext } from "../resources/registry-context.ts";
import type { StoreEvent } from "../storage/revision-store.ts";
import type { StoredObject } from "../storage/stored-object.ts";
import type { AddKey, StoreController } from "./store-controller.ts";

const secrets = { group: "", version: "v1", resource: "secrets" };
const tokenType = "kubernetes.io/service-account-token";
const nameAnnotation = "kubernetes.io/service-account.name";
const uidAnnotation = "kubernetes.io/service-account.uid";

export interface ServiceAccountTokenControllerDeps {
  readonly tokens: ServiceAccountTokens;
  /** CA of the API server's certificate. */
  readonly authorityPem: string;
}

/**
 * Adds tokens to Secrets of type `kubernetes.io/service-account-token`. Deletes these Secrets when their service account is
 * deleted.
 */
export class ServiceAccountTokenController implements StoreController {
  readonly name = "service-account-token";
  readonly #context: RegistryContext;
  readonly #deps: ServiceAccountTokenControllerDeps;

  constructor(context: RegistryContext, deps: ServiceAccountTokenControllerDeps) {
    this.#context = context;
    this.#deps = deps;
  }

  resume(add: AddKey): void {
    this.#addAll("", add);
  }

  observe({ bucket, current, deleted }: StoreEvent, add: AddKey): void {
    if (bucket === "/secrets" && !deleted && isToken(current)) add(current.key);
    if (bucket === "/serviceaccounts" && deleted) this.#addAll(`${current.object.metadata.namespace}/`, add);
  }

  #addAll(prefix: string, add: AddKey): void {
    for (const stored of this.#context.store.range("/secrets", prefix)) {
      if (isToken(stored)) add(stored.key);
    }
  }

  async reconcile(key: string): Promise<undefined> {
    const secret = this.#context.store.get("/secrets", key)?.object;
    if (!secret || secret.type !== tokenType || secret.metadata.deletionTimestamp) return;
    const { namespace = "", uid: secretUid = "", annotations = {} } = secret.metadata;
    const name = annotations[nameAnnotation] ?? "";
    const account = this.#context.store.get("/serviceaccounts", `${namespace}/${name}`)?.object.metadata.uid;
    const meant = annotations[uidAnnotation] ?? account;
    const resource = this.#context.directory.get(secrets);
    if (!account || meant !== account) {
      const preconditions = { uid: secretUid };
      await removeObject(this.#context, resource, key, { preconditions }).catch(ignoreGone);
      return;
    }
    const data = objectAt(secret, "data");
    const token =
      scalarStringAt(data, "token") ||
      base64(await this.#deps.tokens.issueForSecret(namespace, { name, uid: account }, secret.metadata.name));
    const filled = {
      ...data,
      "ca.crt": base64(this.#deps.authorityPem),
      namespace: scalarStringAt(data, "namespace") || base64(namespace),
      token,
    };
    const same = Object.entries(filled).every(([member, value]) => data[member] === value);
    if (same && annotations[uidAnnotation] === account) return;
    const change = (current: KubeObject): KubeObject => ({
      ...current,
      metadata: {
        ...current.metadata,
        annotations: { ...current.metadata.annotations, [uidAnnotation]: account },
      },
      data: filled,
    });
    await modifyObject(this.#context, resource, key, "main", change).catch(ignoreGone);
  }
}

/** True if a Secret may be a service account token. Searches the serialized bytes, so other Secrets are not parsed. */
function isToken({ bytes }: StoredObject): boolean {
  return bytes.includes(tokenType);
}

function base64(text: string): string {
  return Buffer.from(text).toString("base64");
}
