import { Secret } from "@keelson/base";
import { type SignedIn, scopeOf, signIn } from "./credential.ts";
import type { AzureEnvironment, AzurePrincipal } from "./environment.ts";
import { type RequestPolicyOptions, requestPolicy } from "./request-policy.ts";
import { vaultSecretsSdk } from "./sdks.ts";
import { tlsOptionsOf } from "./tls-options.ts";

export interface VaultOptions extends RequestPolicyOptions {
  readonly environment: AzureEnvironment;
  readonly credential: AzurePrincipal | SignedIn;
  /** For example `https://name.vault.azure.net`. */
  readonly vaultUrl: string;
  /** The resource that tokens for vaults are for; `https://vault.azure.net` when absent. */
  readonly audience?: string;
}

/** A version of a secret, as a vault lists it. */
export interface VaultSecretVersion {
  readonly version: string;
  readonly enabled: boolean;
  readonly createdAt: Date;
  readonly notBefore?: Date;
  readonly tags: Readonly<Record<string, string>>;
}

/** Secrets of one key vault, read as one principal. Errors are those of the SDK. */
export interface VaultSecrets {
  /** In no order. */
  listVersions(name: string, signal: AbortSignal): Promise<readonly VaultSecretVersion[]>;
  get(name: string, version: string, signal: AbortSignal): Promise<Secret>;
}

/** Secrets that may also be given new versions. */
export interface WritableVaultSecrets extends VaultSecrets {
  /** Adds a version, which is the newest then, and gives its ID. */
  add(name: string, value: Secret, signal: AbortSignal): Promise<string>;
}

/** A vault answers at once, or not at all. */
const timeoutMs = 10_000;
const retryOptions = { maxRetries: 2, retryDelayInMs: 500, maxRetryDelayInMs: 2_000 };

/** What every client of a vault's data plane is made with: address, credential, options. */
export function vaultConnection(options: VaultOptions) {
  const { environment, vaultUrl, audience = "https://vault.azure.net" } = options;
  const { tokens } =
    "tokens" in options.credential ? options.credential : signIn(environment, options.credential);
  // A vault names the resource to sign in to. Whatever it names, it gets a token that is for vaults and nothing else;
  // with that, its host need not be one of Azure's.
  const credential: SignedIn["tokens"] = {
    getToken: (_, getOptions) => tokens.getToken(scopeOf(audience), getOptions),
  };
  const clientOptions = {
    disableChallengeResourceVerification: true,
    retryOptions,
    additionalPolicies: [{ policy: requestPolicy({ timeoutMs, ...options }), position: "perRetry" as const }],
    ...tlsOptionsOf(environment),
  };
  return [vaultUrl.replace(/\/+$/, ""), credential, clientOptions] as const;
}

/** Makes the client; nothing is sent until it is called. */
export function connectVault(options: VaultOptions): WritableVaultSecrets {
  const client = new (vaultSecretsSdk().SecretClient)(...vaultConnection(options));
  return {
    async listVersions(name, abortSignal) {
      const versions = await Array.fromAsync(client.listPropertiesOfSecretVersions(name, { abortSignal }));
      return versions.map(({ version = "", enabled = false, createdOn, notBefore, tags = {} }) => ({
        version,
        enabled,
        createdAt: createdOn ?? new Date(0),
        ...(notBefore ? { notBefore } : {}),
        tags,
      }));
    },
    async get(name, version, abortSignal) {
      const { value } = await client.getSecret(name, { version, abortSignal });
      return new Secret(value ?? "");
    },
    async add(name, value, abortSignal) {
      const { properties } = await client.setSecret(name, value.reveal(), { abortSignal });
      return properties.version ?? "";
    },
  };
}
