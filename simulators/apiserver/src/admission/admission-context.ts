import type { Logger } from "@keelson/base";
import type { WebhookClient } from "../webhooks/webhook-client.ts";
import type { PluginContext } from "./plugins/plugin.ts";

/** What admission needs of its cluster. */
export interface AdmissionContext extends PluginContext {
  readonly webhooks: WebhookClient;
  readonly logger: Logger;
}
