import type { Logger } from "@keelson/base";
import type { WebhookClient } from "../webhooks/webhook-client.ts";
import type { PluginContext } from "./plugins/plugin.ts";

/** Dependencies of a cluster's admission chain. */
export interface AdmissionContext extends PluginContext {
  readonly webhooks: WebhookClient;
  readonly logger: Logger;
}
