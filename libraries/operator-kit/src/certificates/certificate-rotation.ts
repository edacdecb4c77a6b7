import type { KeyType } from "@keelson/base";

/** A key pair, kept in a Secret of type kubernetes.io/tls, that is replaced in time. */
interface RotatedKeyPair {
  readonly namespace: string;
  readonly name: string;
  readonly validityMs: number;
  /** It is replaced this long after it became valid; at 80 % of its validity at the latest. */
  readonly refreshMs: number;
  /** What it is for, in one sentence. */
  readonly description: string;
}

/** An authority that signs itself and then targets. Several rotations may share one. */
export type RotatedSigner = RotatedKeyPair;

/** The ConfigMap of all authorities that signed what is valid, for who verifies. */
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

/** What rotates together: an authority, those who trust it, and a certificate that it signs. */
export interface CertificateRotation {
  /** In the condition `CertRotation_{name}_Degraded`. */
  readonly name: string;
  /** The component that owns the objects. */
  readonly component: string;
  readonly signer: RotatedSigner;
  readonly bundle: RotatedBundle;
  readonly target: RotatedTarget;
}

export interface RotationPolicy {
  /** Only what cannot be used any more is replaced: for a process that stands in while the operator cannot run. */
  readonly onlyExpired?: boolean;
  /** RSA when absent, which every reader knows. */
  readonly keyType?: KeyType;
}
