import { renderTemplate, type Template } from "../template/template.ts";
import { gatewayPredeployTemplate, gatewayProductionTemplate } from "./gateway.ts";
import { globalTemplate, replicationTemplate } from "./global.ts";
import { gatewayIdentityTemplate, rpIdentityTemplate } from "./managed-identities.ts";
import { rpPredeployTemplate } from "./rp-predeploy.ts";
import { rpProductionTemplate } from "./rp-production.ts";
import { subscriptionTemplate } from "./subscription.ts";

/** All templates in deployment order. */
export const templates: readonly Template[] = [
  subscriptionTemplate,
  rpIdentityTemplate,
  gatewayIdentityTemplate,
  globalTemplate,
  replicationTemplate,
  gatewayPredeployTemplate,
  rpPredeployTemplate,
  gatewayProductionTemplate,
  rpProductionTemplate,
];

/** Returns the template files: content by path relative to the repository root. */
export function templateFiles(): ReadonlyMap<string, string> {
  return new Map(templates.map((each) => [`deploy/${each.file}.json`, renderTemplate(each)]));
}
