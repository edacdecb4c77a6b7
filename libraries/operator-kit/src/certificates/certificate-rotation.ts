import type { KeyType } from "@keelson/base";

/** Key pair in a Secret of type kubernetes.io/tls. It is replaced before its certificate expires. */
interface RotatedKeyPair {
  readonly namespace: string;
  readonly name: string;
  readonly validityMs: number;
  /**
   * Age of the key pair in ms at which it is replaced. The age begins at `notBefore`. The key pair is replaced at 80 % of its
   * validity at the latest.
   */
  readonly refreshMs: number;
  /** Purpose of the certificate in one sentence. */
  readonly description: string;
}

/** Self-signed certificate authority that signs target certificates. Several rotations may share one signer. */
export type RotatedSigner = RotatedKeyPair;

/** ConfigMap with the CA certificates of all valid target certificates. Clients verify target certificates with it. */
interface RotatedBundle {
  readonly namespace: string;
  readonly name: string;
  readonly description: string;
}

export type CertificateSubject =
  | { readonly usage: "client"; readonly commonName: string; readonly organizations?: readonly string[] }
  | {
      readonly usage: "server";
      /** DNS names and IP addresses of the server. */
      readonly hostnames: readonly string[];
    };

/** Certificate and private key. The rotation's signer issues the certificate. */
export interface RotatedTarget extends RotatedKeyPair {
  readonly subject: CertificateSubject;
}

/** Certificate authority, its CA bundle and one target certificate, which are rotated together. */
export interface CertificateRotation {
  /** Name in the condition type `CertRotation_{name}_Degraded`. */
  readonly name: string;
  /** Component that owns the objects. */
  readonly component: string;
  readonly signer: RotatedSigner;
  readonly bundle: RotatedBundle;
  readonly target: RotatedTarget;
}

export interface RotationPolicy {
  /** True to replace only unusable certificates. A recovery process sets it for a cluster in which the operator cannot run. */
  readonly onlyExpired?: boolean;
  /** Key type. Default: RSA, which all clients support. */
  readonly keyType?: KeyType;
}
