import {
  isLabelSelector,
  type KubeObject,
  labelSelectorOf,
  matchesLabels,
  sameJson,
} from "@keelson/apimachinery";
import { isPlainObject, objectAt, valueAt } from "@keelson/base";

/** Maximum number of labels, label values and annotations in a selector. */
const maxTerms = 100;

/** Labels and annotations of a namespace. `annotations` is only called for selectors with annotations. */
interface Selectable {
  readonly labels: Readonly<Record<string, string>>;
  readonly annotations: () => Readonly<Record<string, string>>;
}

/** Parsed namespace selector of a ClusterResourceQuota. */
export interface NamespaceSelector {
  /** Selector as in the quota. */
  readonly source: unknown;
  readonly selects: (namespace: Selectable) => boolean;
}

/**
 * Parses the namespace selector of a ClusterResourceQuota. If it has labels and annotations, both must match. Returns undefined
 * if the selector is empty, malformed or too large. A quota with such a selector selects no namespace.
 * @see openshift/library-go pkg/quota/clusterquotamapping/helpers.go
 */
export function namespaceSelectorOf(quota: KubeObject): NamespaceSelector | undefined {
  const source = valueAt(quota, "spec", "selector");
  const labels = valueAt(source, "labels") ?? undefined;
  const annotations = valueAt(source, "annotations") ?? {};
  if (!isPlainObject(annotations)) return undefined;
  const pairs = Object.entries(annotations);
  if (labels === undefined && pairs.length === 0) return undefined;
  if (!isLabelSelector(labels ?? {}) || pairs.length > maxTerms) return undefined;
  const requirements = labelSelectorOf(labels);
  const terms = requirements.map((each) => ("values" in each ? each.values.size : 1));
  if (terms.reduce((sum, each) => sum + each, pairs.length) > maxTerms) return undefined;
  const selects = (namespace: Selectable) => {
    if (!matchesLabels(requirements, namespace.labels)) return false;
    if (pairs.length === 0) return true;
    const found = namespace.annotations();
    return pairs.every(([key, value]) => found[key] === value);
  };
  return { source, selects };
}

export function isSameSelector(
  one: NamespaceSelector | undefined,
  other: NamespaceSelector | undefined,
): boolean {
  return one === other || (one !== undefined && other !== undefined && sameJson(one.source, other.source));
}

/** True if a ClusterResourceQuota selects the namespace. */
export function selectsNamespace(quota: KubeObject, { metadata }: KubeObject): boolean {
  const { labels = {}, annotations = {} } = metadata;
  return namespaceSelectorOf(quota)?.selects({ labels, annotations: () => annotations }) ?? false;
}

/** True if a ClusterResourceQuota selects other namespaces than before. */
export function hasOtherSelector(one: KubeObject, other: KubeObject): boolean {
  return !sameJson(objectAt(one, "spec", "selector"), objectAt(other, "spec", "selector"));
}
