import type { KeyType } from "@keelson/base";

/** Key pair in a Secret of type kubernetes.io/tls that is replaced before it expires. */
interface RotatedKeyPair {
  readonly namespace: string;
  readonly name: string;
  readonly validityMs: number;
  /** Age since `notBefore` at which it is replaced. It is replaced at 80 % of its validity at the latest. */
  readonly refreshMs: number;
  /** Purpose in one sentence. */
  readonly description: string;
}

/** Self-signed certificate authority that signs targets. Several rotations may share one. */
export type RotatedSigner = RotatedKeyPair;

/** ConfigMap with the certificate authorities of all valid targets, for the clients that verify them. */
interface RotatedBundle {
  readonly namespace: string;
  readonly name: string;
  readonly description: string;
}

export type CertificateSubject =
  | { readonly usage: "client"; readonly commonName: string; readonly organizations?: readonly string[] }
  | {
      readonly usage: "server";
      /** DNS names and IP addresses. */
      readonly hostnames: readonly string[];
    };

/** A certificate signed by the signer, with its key. */
export interface RotatedTarget extends RotatedKeyPair {
  readonly subject: CertificateSubject;
}

/** Certificate authority, its CA bundle and a certificate that it signs, rotated together. */
export interface CertificateRotation {
  /** Part of the condition type `CertRotation_{name}_Degraded`. */
  readonly name: string;
  /** The component that owns the objects. */
  readonly component: string;
  readonly signer: RotatedSigner;
  readonly bundle: RotatedBundle;
  readonly target: RotatedTarget;
}

export interface RotationPolicy {
  /** Replaces only unusable certificates. For a process that replaces an operator that cannot run. */
  readonly onlyExpired?: boolean;
  /** Default: RSA, which all clients support. */
  readonly keyType?: KeyType;
}
