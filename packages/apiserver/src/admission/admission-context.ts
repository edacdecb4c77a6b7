import type { Logger } from "@keelson/base";
import type { Attributes } from "../auth/attributes.ts";
import type { User } from "../auth/user.ts";
import type { WebhookClient } from "../http/webhook-client.ts";
import type { ResourceDirectory } from "../registry/resource-directory.ts";
import type { RevisionStore } from "../storage/revision-store.ts";

/** What admission needs of its cluster. */
export interface AdmissionContext {
  readonly store: RevisionStore;
  readonly directory: ResourceDirectory;
  readonly webhooks: WebhookClient;
  readonly authorizer: { allows(user: User, attributes: Attributes): boolean };
  readonly logger: Logger;
  /** Aborts when the cluster closes. */
  readonly signal: AbortSignal;
}
