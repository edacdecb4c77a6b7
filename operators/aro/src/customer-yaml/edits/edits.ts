import { withoutPersistence } from "./prometheus-persistence.ts";
import { withWebhooks } from "./webhook-receivers.ts";

/** What is done to YAML of customers. A thread cannot be handed a function: it finds it here by its name. */
export const edits = { withWebhooks, withoutPersistence } as const;

export type YamlEdit = keyof typeof edits;
