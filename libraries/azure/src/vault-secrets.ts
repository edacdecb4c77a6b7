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
  /** Audience of vault tokens. Default: `https://vault.azure.net`. */
  readonly audience?: string;
}

/** Version of a secret, as returned by the vault's list operation. */
export interface VaultSecretVersion {
  readonly version: string;
  readonly enabled: boolean;
  readonly createdAt: Date;
  readonly notBefore?: Date;
  readonly tags: Readonly<Record<string, string>>;
}

/** Secrets of one key vault, accessed as one principal. Methods throw SDK errors. */
export interface VaultSecrets {
  /** Lists the versions in arbitrary order. */
  listVersions(name: string, signal: AbortSignal): Promise<readonly VaultSecretVersion[]>;
  get(name: string, version: string, signal: AbortSignal): Promise<Secret>;
}

/** Key vault secrets with write access. */
export interface WritableVaultSecrets extends VaultSecrets {
  /** Adds a version as the newest one and returns its ID. */
  add(name: string, value: Secret, signal: AbortSignal): Promise<string>;
}

/** Time limit of a vault request in ms. Vaults respond quickly or not at all. */
const timeoutMs = 10_000;
const retryOptions = { maxRetries: 2, retryDelayInMs: 500, maxRetryDelayInMs: 2_000 };

/** Returns the constructor arguments of a vault client: URL, credential, options. */
export function vaultConnection(options: VaultOptions) {
  const { environment, vaultUrl, audience = "https://vault.azure.net" } = options;
  const { tokens } =
    "tokens" in options.credential ? options.credential : signIn(environment, options.credential);
  // A vault's challenge names the audience of the required token. This name is ignored, and tokens are always requested for the
  // vault audience. A malicious vault host therefore gets only a token for vaults.
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

/** Creates the client. The first call sends the first request. */
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
