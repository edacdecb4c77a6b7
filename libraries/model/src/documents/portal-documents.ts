import type { Secret } from "@keelson/base";

/**
 * Portal session. ID and partition are the hexadecimal SHA-256 of the bearer token. A reader of the database therefore cannot use
 * the session.
 */
export interface PortalSessionDocument {
  readonly id: string;
  readonly partitionKey: string;
  readonly ttlSeconds: number;
  /** Creation time (RFC 3339). Undefined in documents of older releases. */
  readonly createdAt?: string;
  readonly portal: {
    readonly username: string;
    /** Resource ID of the cluster, lower case. */
    readonly id: string;
    /** SSH session. A token is valid for one connection. `authenticated` is true after its use. */
    readonly ssh?: { readonly master: number; readonly authenticated?: boolean };
    readonly kubeconfig?: { readonly elevated: boolean };
  };
  /** ID of the cluster's document. Undefined in documents of older releases: see `isBoundTo`. */
  readonly clusterDocumentId?: string;
  /**
   * ID of the `PortalSignOutDocument` that would end the sign-in. Undefined for sessions of the admin API, which have no sign-in.
   */
  readonly signIn?: string;
  /**
   * Generation of the person at the start of the sign-in. For a session of the admin API, the generation when it was opened.
   * Undefined in documents of older releases.
   */
  readonly generation?: number;
}

/**
 * Sign-out of one portal sign-in, or of all sign-ins of a person.
 * A document of a person does not expire, because its generation invalidates older sign-ins and sessions. A third kind of
 * document is for cookies that `keelson portalauth` created without a database. Such a document records the generation at the
 * first use of the cookie.
 */
export interface PortalSignOutDocument {
  /** Hash of the sign-in or of the person. */
  readonly id: string;
  readonly partitionKey: string;
  readonly ttlSeconds?: number;
  /** Sign-out time (RFC 3339). Ends earlier sign-ins of older releases, because their cookies have no generation. */
  readonly before: string;
  /**
   * Generation of the person. It increases with each sign-out of all sessions. Sign-ins and sessions are valid only with the
   * current generation.
   */
  readonly generation?: number;
}

/**
 * Recorded output of one channel of an SSH connection through the portal. Partition: the cluster's subscription ID, lower case.
 */
export interface SshRecordingDocument {
  /** A UUID. */
  readonly id: string;
  readonly partitionKey: string;
  /** Resource ID of the cluster, lower case. */
  readonly clusterKey: string;
  /** ID of the cluster's document. Undefined in documents of older releases: see `isBoundTo`. */
  readonly clusterDocumentId?: string;
  /** Negative start time in ms. Sorting by this value returns the newest recording first. */
  readonly newestFirst: number;
  /** ID of the recorded portal session. */
  readonly session: string;
  readonly username: string;
  readonly master: number;
  readonly kind: "shell" | "exec" | "subsystem";
  readonly startedAt: string;
  /** End time. Undefined while the channel is open. Also undefined if the portal stopped before the channel closed. */
  readonly endedAt?: string;
  /** True if the recording was truncated at the size limit. */
  readonly truncated: boolean;
  /** Recording in the format asciicast version 2. Its header contains the command. */
  readonly recording: Secret;
}
