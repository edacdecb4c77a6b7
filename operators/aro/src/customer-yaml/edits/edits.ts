import { withoutPersistence } from "./prometheus-persistence.ts";
import { withWebhooks } from "./webhook-receivers.ts";

/** Edits of customers' YAML, by name. A name can be sent to a worker thread, but a function cannot. */
export const edits = { withWebhooks, withoutPersistence } as const;

export type YamlEdit = keyof typeof edits;
