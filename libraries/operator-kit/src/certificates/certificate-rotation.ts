import type { KeyType } from "@keelson/base";

/** Key pair in a Secret of type kubernetes.io/tls. It is replaced before its certificate expires. */
interface RotatedKeyPair {
  readonly namespace: string;
  readonly name: string;
  readonly validityMs: number;
  /**
   * Age in ms, counted from `notBefore`, at which the key pair is replaced. At the latest it is replaced at 80 % of its validity.
   */
  readonly refreshMs: number;
  /** Purpose of the certificate in one sentence. */
  readonly description: string;
}

/** Self-signed certificate authority that signs target certificates. Several rotations may share one signer. */
export type RotatedSigner = RotatedKeyPair;

/** ConfigMap with the CA certificates for all valid targets. Clients verify targets with it. */
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

/** Certificate with its key. The rotation's signer issues it. */
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
  /** True to replace only unusable certificates. Set by a process that recovers a cluster in which the operator cannot run. */
  readonly onlyExpired?: boolean;
  /** Key type. Default: RSA, which all clients support. */
  readonly keyType?: KeyType;
}
