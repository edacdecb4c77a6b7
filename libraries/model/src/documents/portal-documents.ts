import type { Secret } from "@keelson/base";

/**
 * Portal session. The document's ID and partition are the hexadecimal SHA-256 hash of the bearer token. A reader of the database
 * sees only this hash and therefore cannot use the session.
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
    /** Data of an SSH session. The token is valid for one connection, which sets `authenticated` to true. */
    readonly ssh?: { readonly master: number; readonly authenticated?: boolean };
    readonly kubeconfig?: { readonly elevated: boolean };
  };
  /** ID of the cluster's document. Undefined in documents of older releases: see `isBoundTo`. */
  readonly clusterDocumentId?: string;
  /**
   * ID of the `PortalSignOutDocument` that is created when the sign-in of this session ends. Undefined for sessions of the admin
   * API, which have no sign-in.
   */
  readonly signIn?: string;
  /**
   * Sign-out generation of the person at the start of the sign-in (see `PortalSignOutDocument`). For a session of the admin API,
   * it is the generation when the session was opened. Undefined in documents of older releases.
   */
  readonly generation?: number;
  /**
   * Subject of the person with the elevation that this session needs. The session ends with the elevation. Undefined if the session
   * needs no elevation, if roles need no activation, and in documents of older releases.
   */
  readonly elevationOf?: string;
  /**
   * Start time of the elevation that this session needs, equal to `from` in its `ElevationDocument`. It identifies the elevation.
   * A later elevation of the person has a different start time and does not make the session usable again. A session with
   * `elevationOf` but without this field is not usable.
   */
  readonly elevationFrom?: string;
}

/**
 * Sign-out document of one of three kinds. The first kind ends one portal sign-in. The second kind ends all sign-ins of a person.
 * A document of the second kind does not expire, because its generation invalidates older sign-ins and sessions. The third kind
 * belongs to a cookie that `keelson portalauth` created without a database. A document of the third kind stores the person's
 * generation at the first use of the cookie.
 */
export interface PortalSignOutDocument {
  /** Hash of the sign-in or of the person. */
  readonly id: string;
  readonly partitionKey: string;
  readonly ttlSeconds?: number;
  /**
   * Sign-out time (RFC 3339). A cookie of an older release contains no generation. It is therefore invalid if its sign-in was
   * before this time.
   */
  readonly before: string;
  /**
   * Generation of the person. Each sign-out of all sessions increases it. A sign-in or session is valid only if it has the
   * current generation.
   */
  readonly generation?: number;
}

/**
 * Recorded output of one channel of an SSH connection through the portal. Partition: the lower-case subscription ID of the
 * cluster.
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
  /** End time. Undefined while the channel is open, or if the portal stopped before the channel closed. */
  readonly endedAt?: string;
  /** True if the recording was truncated at the size limit. */
  readonly truncated: boolean;
  /** Recording in the format asciicast version 2. Its header contains the command. */
  readonly recording: Secret;
}
