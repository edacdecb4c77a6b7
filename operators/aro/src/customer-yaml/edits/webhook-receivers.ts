import { type Document, isMap, isScalar, isSeq, type YAMLMap } from "yaml";
import { editYaml, mapsOf, memberOf } from "./edit-yaml.ts";

/** URL of the operator's health endpoint. The endpoint accepts every request. */
export const webhookUrl =
  "http://aro-operator-master.openshift-azure-operator.svc.cluster.local:8080/healthz/ready";

/**
 * Adds the operator's webhook to Alertmanager receivers that the customer did not configure. The webhook prevents the alert
 * AlertmanagerReceiversNotConfigured. All remaining fields are preserved.
 * @throws InvalidYaml for a document that is not a mapping
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

/** True for the default receiver. Its name is `Default`, or the string `null` in older clusters. */
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
