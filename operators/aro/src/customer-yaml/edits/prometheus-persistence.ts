import { isMap } from "yaml";
import { editYaml, memberOf } from "./edit-yaml.ts";

const persistent = [
  ["prometheusK8s", "retention"],
  ["prometheusK8s", "volumeClaimTemplate"],
  ["alertmanagerMain", "volumeClaimTemplate"],
] as const;

/**
 * Removes persistent storage from the configuration of cluster monitoring. If the configuration has no persistent storage, the
 * input is returned unchanged. All remaining fields are preserved.
 * @throws InvalidYaml for a document that is not a mapping
 */
export function withoutPersistence(text: string): string {
  return editYaml(text, (root, document) => {
    let isChanged = false;
    for (const [component, member] of persistent) {
      const settings = memberOf(root, component, document);
      if (isMap(settings) && settings.delete(member)) isChanged = true;
    }
    return isChanged;
  });
}
