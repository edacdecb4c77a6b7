import type { JsonObject } from "@keelson/base";

/** Attributes of a version. Times are Unix times in seconds, as in responses. */
interface VersionAttributes {
  readonly enabled: boolean;
  readonly nbf?: number;
  readonly exp?: number;
  readonly created: number;
  readonly updated: number;
}

/** Changes to a version in a request. Undefined fields remain unchanged. */
export interface VersionChange {
  readonly tags?: JsonObject;
  readonly attributes: Partial<Pick<VersionAttributes, "enabled" | "nbf" | "exp">>;
}

interface VersionFrame {
  /** Version ID: 32 hexadecimal digits. */
  readonly id: string;
  readonly tags?: JsonObject;
  readonly attributes: VersionAttributes;
}

export type VaultVersion<Content> = VersionFrame & Content;

/** Secret, key or certificate with all versions, oldest first. There is at least one version. */
export interface VaultRow<Content> {
  readonly vault: string;
  readonly name: string;
  readonly versions: readonly [VaultVersion<Content>, ...VaultVersion<Content>[]];
  /** Times of the deletion and of the purge. Until the purge, `recover` can restore the object. */
  readonly deleted?: { readonly at: number; readonly purgeAt: number };
}

export type DeletedRow<Content> = VaultRow<Content> & Required<Pick<VaultRow<Content>, "deleted">>;

export function latest<Content>({ versions }: VaultRow<Content>): VaultVersion<Content> {
  return versions.at(-1) ?? versions[0];
}

export interface SecretContent {
  readonly value: string;
  readonly contentType?: string;
  /** Key ID of the certificate to which the secret belongs. */
  readonly kid?: string;
}

export interface KeyContent {
  readonly kty: string;
  readonly keyOps: readonly string[];
  /** Private key: PKCS#8, PEM. */
  readonly privateKeyPem: string;
  /** True for the key of a certificate. */
  readonly managed?: true;
}

export interface CertificateContent {
  /** Certificate chain, PEM. */
  readonly chainPem: string;
  readonly contentType?: string;
}
