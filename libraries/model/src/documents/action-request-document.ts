import type { JsonObject, Secret } from "@keelson/base";

/** Tokens of one sign-in to the portal. ID and partition: the hash of the sign-in, as in `PortalSignOutDocument`. */
export interface PortalSignInDocument {
  readonly id: string;
  readonly partitionKey: string;
  readonly ttlSeconds: number;
  /** JSON with `accessToken` and `refreshToken` for the admin API, and `expiresAt`. */
  readonly tokens: Secret;
}

/** A person by identifiers that the person cannot choose, with a name for display. */
export interface RequestPerson {
  /** `TENANT/OBJECT`. */
  readonly subject: string;
  readonly username: string;
}

/**
 * `AwaitingApproval` and `Ready` wait for people. The portal sets `Submitted` before it calls the admin API, once. `Ended` has an
 * outcome.
 */
export type ActionRequestState = "AwaitingApproval" | "Ready" | "Submitted" | "Ended" | "Rejected";

/** An action that a person requested in the portal. Partition: the cluster's subscription, lower case. */
export interface ActionRequestDocument {
  /** A UUID. Correlation ID of the action. */
  readonly id: string;
  readonly partitionKey: string;
  /** The cluster's resource ID, lower case. */
  readonly clusterKey: string;
  readonly clusterDocumentId: string;
  /** Rises from newer to older requests: minus the creation time, in milliseconds. */
  readonly newestFirst: number;
  /** Method and path suffix, for example `POST redeployvm`. */
  readonly action: string;
  /** SHA-256 of the action and its parameters, hexadecimal. */
  readonly digest: string;
  /** Parameters without secrets, for display. */
  readonly parameters: JsonObject;
  /** JSON with the query and the body of the call. */
  readonly call: Secret;
  readonly requestedBy: RequestPerson & { readonly role: string };
  readonly reason?: string;
  readonly state: ActionRequestState;
  /** RFC 3339, as all times. */
  readonly createdAt: string;
  /** A request without approval and submission by then is void. */
  readonly expiresAt: string;
  /** Decision of the second person. */
  readonly decision?: RequestPerson & { readonly at: string; readonly approved: boolean };
  /** SHA-256 of the one-time token that confirms the action, hexadecimal. */
  readonly confirmation?: { readonly hash: string; readonly expiresAt: string };
  readonly submittedAt?: string;
  /** Time at which the admin API accepted the request. It accepts a request once. */
  readonly acceptedAt?: string;
  /** ID of the running action. Absent if the action ended with its response. */
  readonly actionId?: string;
  /** JSON with the status and the content of the response. */
  readonly outcome?: Secret;
}

/** Rights of a person for a limited time. ID and partition: the SHA-256 of the subject, hexadecimal. */
export interface ElevationDocument extends RequestPerson {
  readonly id: string;
  readonly partitionKey: string;
  readonly ttlSeconds: number;
  readonly reason: string;
  /** RFC 3339, as `until`. */
  readonly from: string;
  readonly until: string;
}
