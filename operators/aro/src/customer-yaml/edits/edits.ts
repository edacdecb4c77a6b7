import { withoutPersistence } from "./prometheus-persistence.ts";
import { withWebhooks } from "./webhook-receivers.ts";

/** Edits of customers' YAML, by name. Functions cannot be sent to a thread. */
export const edits = { withWebhooks, withoutPersistence } as const;

export type YamlEdit = keyof typeof edits;
