import type { JsonObject } from "@keelson/base";

/** Times are seconds since 1970, as on the wire. */
interface VersionAttributes {
  readonly enabled: boolean;
  readonly nbf?: number;
  readonly exp?: number;
  readonly created: number;
  readonly updated: number;
}

/** Changes of a version in a request. Unnamed fields are absent. */
export interface VersionChange {
  readonly tags?: JsonObject;
  readonly attributes: Partial<Pick<VersionAttributes, "enabled" | "nbf" | "exp">>;
}

interface VersionFrame {
  /** 32 hexadecimal digits. */
  readonly id: string;
  readonly tags?: JsonObject;
  readonly attributes: VersionAttributes;
}

export type VaultVersion<Content> = VersionFrame & Content;

/** A secret, key or certificate with all its versions, the oldest first: never without one. */
export interface VaultRow<Content> {
  readonly vault: string;
  readonly name: string;
  readonly versions: readonly [VaultVersion<Content>, ...VaultVersion<Content>[]];
  /** Deleted, and back with `recover` until it is purged. */
  readonly deleted?: { readonly at: number; readonly purgeAt: number };
}

export type DeletedRow<Content> = VaultRow<Content> & Required<Pick<VaultRow<Content>, "deleted">>;

export function latest<Content>({ versions }: VaultRow<Content>): VaultVersion<Content> {
  return versions.at(-1) ?? versions[0];
}

export interface SecretContent {
  readonly value: string;
  readonly contentType?: string;
  /** Key ID of the corresponding certificate. */
  readonly kid?: string;
}

export interface KeyContent {
  readonly kty: string;
  readonly keyOps: readonly string[];
  /** Private key as PKCS#8 in PEM. */
  readonly privateKeyPem: string;
  /** The key of a certificate. */
  readonly managed?: true;
}

export interface CertificateContent {
  /** Certificate chain in PEM. */
  readonly chainPem: string;
  readonly contentType?: string;
}
