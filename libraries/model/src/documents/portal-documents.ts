import type { Secret } from "@keelson/base";

/**
 * A session of the portal. Its ID, and its partition, is the SHA-256 of the bearer's token in hexadecimal, so that a
 * reader of the database cannot use it.
 */
export interface PortalSessionDocument {
  readonly id: string;
  readonly partitionKey: string;
  readonly ttlSeconds: number;
  /** RFC 3339. Missing in documents of older releases. */
  readonly createdAt?: string;
  readonly portal: {
    readonly username: string;
    /** The cluster's resource ID, lower case. */
    readonly id: string;
    /** `authenticated` after the token was used. A token is valid for one connection. */
    readonly ssh?: { readonly master: number; readonly authenticated?: boolean };
    readonly kubeconfig?: { readonly elevated: boolean };
  };
  /** ID of the cluster's document. Missing in documents of older releases: see `isBoundTo`. */
  readonly clusterDocumentId?: string;
  /** ID of the `PortalSignOutDocument` that ends the sign-in. Sessions of the admin API have no sign-in. */
  readonly signIn?: string;
  /**
   * The person's generation at the start of the sign-in, or when the admin API opened the session. Missing in
   * documents of older releases.
   */
  readonly generation?: number;
}

/**
 * End of one sign-in to the portal, or of all sign-ins of a person. A person's document does not expire,
 * because its generation invalidates older sign-ins and sessions. A third kind records the generation at the
 * first use of a cookie that `keelson portalauth` created without a database.
 */
export interface PortalSignOutDocument {
  /** A hash of the sign-in or the person. */
  readonly id: string;
  readonly partitionKey: string;
  readonly ttlSeconds?: number;
  /** Time in RFC 3339. Ends earlier sign-ins of older releases: their cookies have no generation. */
  readonly before: string;
  /** Rises with each "end all". A sign-in and its sessions are valid while the person's generation is theirs. */
  readonly generation?: number;
}

/** Recorded output of one channel of an SSH connection through the portal. Partition: the cluster's subscription, lower case. */
export interface SshRecordingDocument {
  /** A UUID. */
  readonly id: string;
  readonly partitionKey: string;
  /** The cluster's resource ID, lower case. */
  readonly clusterKey: string;
  /** ID of the cluster's document. Missing in documents of older releases: see `isBoundTo`. */
  readonly clusterDocumentId?: string;
  /** Rises from newer to older recordings: minus the start, in milliseconds. */
  readonly newestFirst: number;
  /** Portal session of the recording. */
  readonly session: string;
  readonly username: string;
  readonly master: number;
  readonly kind: "shell" | "exec" | "subsystem";
  readonly startedAt: string;
  /** Undefined while the channel is open, and if the portal stopped before the channel closed. */
  readonly endedAt?: string;
  /** True if the output exceeded the size limit. */
  readonly truncated: boolean;
  /** An asciicast, version 2. Its header has the command. */
  readonly recording: Secret;
}
