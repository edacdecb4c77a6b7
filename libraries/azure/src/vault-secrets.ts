import { Secret } from "@keelson/base";
import { type SignedIn, scopeOf, signIn } from "./credential.ts";
import type { AzureEnvironment, AzurePrincipal } from "./environment.ts";
import { type RequestPolicyOptions, requestPolicy } from "./request-policy.ts";
import { vaultSecretsSdk } from "./sdks.ts";
import { tlsOptionsOf } from "./tls-options.ts";

export interface VaultOptions extends RequestPolicyOptions {
  readonly environment: AzureEnvironment;
  readonly credential: AzurePrincipal | SignedIn;
  /** Vault URL, for example `https://name.vault.azure.net`. */
  readonly vaultUrl: string;
  /** Resource for tokens of vaults. Default: `https://vault.azure.net`. */
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

/** Secrets of one key vault, accessed as one principal. Errors are those of the SDK. */
export interface VaultSecrets {
  /** Lists the versions in arbitrary order. */
  listVersions(name: string, signal: AbortSignal): Promise<readonly VaultSecretVersion[]>;
  get(name: string, version: string, signal: AbortSignal): Promise<Secret>;
}

/** Secrets that can be updated. */
export interface WritableVaultSecrets extends VaultSecrets {
  /** Adds a version, which becomes the newest, and returns its ID. */
  add(name: string, value: Secret, signal: AbortSignal): Promise<string>;
}

/** Time limit of a vault request. Vaults respond quickly or not at all. */
const timeoutMs = 10_000;
const retryOptions = { maxRetries: 2, retryDelayInMs: 500, maxRetryDelayInMs: 2_000 };

/** Constructor arguments for every client of a vault's data plane: address, credential, options. */
export function vaultConnection(options: VaultOptions) {
  const { environment, vaultUrl, audience = "https://vault.azure.net" } = options;
  const { tokens } =
    "tokens" in options.credential ? options.credential : signIn(environment, options.credential);
  // A vault's challenge names the resource for the sign-in. Every vault gets a token that is valid only for
  // vaults, so its host does not have to be Azure's.
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

/** Creates the client. Nothing is sent before the first call. */
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
