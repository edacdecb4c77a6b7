import type { JsonObject, Secret } from "@keelson/base";

/** Tokens of one portal sign-in. The document's ID and partition are the hash of the sign-in, as in `PortalSignOutDocument`. */
export interface PortalSignInDocument {
  readonly id: string;
  readonly partitionKey: string;
  readonly ttlSeconds: number;
  /** JSON with `accessToken` and `refreshToken` for the admin API, and with `expiresAt`. */
  readonly tokens: Secret;
}

/** Person in a request. Entra ID assigns the identifiers, so the person cannot choose them. The name is only for display. */
export interface RequestPerson {
  /** `TENANT/OBJECT`. */
  readonly subject: string;
  readonly username: string;
}

/**
 * State of a request. `AwaitingApproval` and `Ready` wait for a person. The portal sets `Submitted` once, before it calls the
 * admin API. In the state `Ended`, the request has an outcome.
 */
export type ActionRequestState = "AwaitingApproval" | "Ready" | "Submitted" | "Ended" | "Rejected";

/** Action that a person requested in the portal. Partition: the lower-case subscription ID of the cluster. */
export interface ActionRequestDocument {
  /** Request ID, a UUID. It is also the action's correlation ID. */
  readonly id: string;
  readonly partitionKey: string;
  /** Resource ID of the cluster, lower case. */
  readonly clusterKey: string;
  readonly clusterDocumentId: string;
  /** Negative creation time in ms. Sorting by this value returns the newest request first. */
  readonly newestFirst: number;
  /** Method and path suffix of the action, for example `POST redeployvm`. */
  readonly action: string;
  /** Hexadecimal SHA-256 hash of the action and its parameters. */
  readonly digest: string;
  /** Parameters for display, without secrets. */
  readonly parameters: JsonObject;
  /** JSON with the query and the body of the API call. */
  readonly call: Secret;
  readonly requestedBy: RequestPerson & { readonly role: string };
  readonly reason?: string;
  readonly state: ActionRequestState;
  /** Creation time. All times are in RFC 3339. */
  readonly createdAt: string;
  /** Expiry time. The request becomes void if it is not approved and submitted before this time. */
  readonly expiresAt: string;
  /** Decision of the second person. */
  readonly decision?: RequestPerson & { readonly at: string; readonly approved: boolean };
  /** One-time token that confirms the action. `hash` is its hexadecimal SHA-256. */
  readonly confirmation?: { readonly hash: string; readonly expiresAt: string };
  readonly submittedAt?: string;
  /** Time at which the admin API accepted the request. The admin API accepts each request only once. */
  readonly acceptedAt?: string;
  /** ID of the running action. Undefined if the admin API returned the result of the action directly. */
  readonly actionId?: string;
  /** JSON with the status and the content of the admin API's response. */
  readonly outcome?: Secret;
}

/** Temporary elevation of a person. The document's ID and partition are the hexadecimal SHA-256 hash of the person's subject. */
export interface ElevationDocument extends RequestPerson {
  readonly id: string;
  readonly partitionKey: string;
  readonly ttlSeconds: number;
  readonly reason: string;
  /** Start of the elevation. RFC 3339, like `until`. A renewal keeps the start, which therefore identifies the elevation. */
  readonly from: string;
  readonly until: string;
}
