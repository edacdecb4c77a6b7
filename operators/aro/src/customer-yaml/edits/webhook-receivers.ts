import { type Document, isMap, isScalar, isSeq, type YAMLMap } from "yaml";
import { editYaml, mapsOf, memberOf } from "./edit-yaml.ts";

/** The operator's own health: it answers whatever is sent. */
export const webhookUrl =
  "http://aro-operator-master.openshift-azure-operator.svc.cluster.local:8080/healthz/ready";

/**
 * Alertmanager's configuration with the operator as the one webhook of the receivers that customers leave empty, so that
 * AlertmanagerReceiversNotConfigured stays silent. Everything else stays.
 * @throws InvalidYaml for a text that is no mapping
 */
export function withWebhooks(text: string): string {
  return editYaml(text, (root, document) => {
    const unset = mapsOf(memberOf(root, "receivers", document), document).filter(
      (receiver) => isDefault(receiver, document) && !hasWebhook(receiver, document),
    );
    for (const receiver of unset) receiver.set("webhook_configs", document.createNode([{ url: webhookUrl }]));
    return unset.length > 0;
  });
}

/** `null` in older clusters, which is a text there. */
function isDefault(receiver: YAMLMap, document: Document): boolean {
  const name = memberOf(receiver, "name", document);
  if (!isScalar(name)) return false;
  return name.value === "Default" || (name.value === "null" && name.type !== "PLAIN");
}

function hasWebhook(receiver: YAMLMap, document: Document): boolean {
  const configs = memberOf(receiver, "webhook_configs", document);
  if (!isSeq(configs) || configs.items.length !== 1) return false;
  const [config] = mapsOf(configs, document);
  if (!isMap(config) || config.items.length !== 1) return false;
  const url = memberOf(config, "url", document);
  return isScalar(url) && url.value === webhookUrl;
}
