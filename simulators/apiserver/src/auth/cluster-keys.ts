import { scalarStringAt } from "@keelson/apimachinery";
import { createCertificateAuthority, type KeyPair } from "@keelson/base";
import type { RevisionStore } from "../storage/revision-store.ts";
import { SigningKey } from "./signing-key.ts";

/** Internal bucket of the store. Resource buckets contain a slash, so clients cannot access this bucket. */
const bucket = "keys";
const authorityDays = 3_650;

/** Keys that the cluster's owner provides. */
export interface GivenKeys {
  readonly serviceAccountKey?: string;
  readonly clientCertificateSigner?: KeyPair;
}

/**
 * Private keys of a cluster for service account tokens and client certificates. Missing keys are generated on first use and
 * stored in the cluster's store.
 */
export class ClusterKeys {
  readonly #store: RevisionStore;
  readonly #given: GivenKeys;
  #tokenKey: SigningKey | undefined;
  #newAuthority: Promise<KeyPair> | undefined;

  constructor(store: RevisionStore, given: GivenKeys) {
    this.#store = store;
    this.#given = given;
  }

  /**
   * Returns the signing key of service account tokens. Resolves after a new key is durable, so that tokens remain valid after a
   * crash.
   */
  async tokenKey(): Promise<SigningKey> {
    const pem = this.#given.serviceAccountKey ?? this.#stored("service-accounts", "privateKey");
    if (!pem) await this.#keep("service-accounts", { privateKey: SigningKey.generatePem() });
    await this.#store.settled();
    const key = this.findTokenKey();
    if (!key) throw new Error("storing the service account key failed");
    return key;
  }

  /** Returns the signing key, or undefined if no key exists yet. */
  findTokenKey(): SigningKey | undefined {
    if (this.#tokenKey) return this.#tokenKey;
    const pem = this.#given.serviceAccountKey ?? this.#stored("service-accounts", "privateKey");
    if (pem) this.#tokenKey = new SigningKey(pem);
    return this.#tokenKey;
  }

  /** Returns the CA that signs client certificates. Resolves after a new CA is durable. */
  async certificateSigner(): Promise<KeyPair> {
    const known = this.findCertificateSigner();
    if (!known) {
      this.#newAuthority ??= createCertificateAuthority("kube-apiserver-client-signer", authorityDays);
      const made = await this.#newAuthority;
      if (!this.findCertificateSigner()) await this.#keep("client-certificates", { ...made });
    }
    await this.#store.settled();
    const authority = this.findCertificateSigner();
    if (!authority) throw new Error("storing the client certificate key failed");
    return authority;
  }

  findCertificateSigner(): KeyPair | undefined {
    if (this.#given.clientCertificateSigner) return this.#given.clientCertificateSigner;
    const certificatePem = this.#stored("client-certificates", "certificatePem");
    const privateKeyPem = this.#stored("client-certificates", "privateKeyPem");
    return certificatePem && privateKeyPem ? { certificatePem, privateKeyPem } : undefined;
  }

  #stored(name: string, member: string): string {
    return scalarStringAt(this.#store.get(bucket, name)?.object, "data", member);
  }

  async #keep(name: string, data: Readonly<Record<string, string>>): Promise<void> {
    const key = { apiVersion: "v1", kind: "Key", metadata: { name }, data };
    const outcome = this.#store.put(bucket, name, 0, key);
    if (outcome.kind === "written") await outcome.durable;
  }
}
