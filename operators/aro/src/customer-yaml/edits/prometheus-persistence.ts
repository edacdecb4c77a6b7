import { isMap } from "yaml";
import { editYaml, memberOf } from "./edit-yaml.ts";

const persistent = [
  ["prometheusK8s", "retention"],
  ["prometheusK8s", "volumeClaimTemplate"],
  ["alertmanagerMain", "volumeClaimTemplate"],
] as const;

/**
 * The configuration of the cluster's monitoring without what keeps its data over restarts; the same text where it has
 * none of that. Everything else stays.
 * @throws InvalidYaml for a text that is no mapping
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
