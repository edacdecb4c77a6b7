import { messageOf } from "@keelson/base";
import type { EventText } from "@keelson/controller";
import type { KubeObject, KubeResource, ObjectKey } from "@keelson/kube";
import {
  type ConfigObserver,
  mergeConfigs,
  pruneConfig,
  type SparseConfig,
  type SyncRule,
} from "@keelson/operator-kit";

export interface Observed {
  /** Observed configuration. If the observer fails, this is the previous configuration. */
  readonly config: SparseConfig;
  readonly errors: readonly string[];
  /** Copy rules in the form `to<-from`. `undefined` if the rules are unchanged. */
  readonly copies: readonly string[] | undefined;
  readonly events: readonly EventText[];
}

/** Runs an observer once. Of `objects`, the observer sees only those that match its declared inputs. */
export function observe(
  observer: ConfigObserver,
  objects: readonly KubeObject[],
  existing: SparseConfig = {},
): Observed {
  const events: EventText[] = [];
  const before = pruneConfig(existing, observer.paths);
  const scope = {
    objects: { find, list },
    existing: before,
    now: new Date(0),
    report: (event: EventText) => events.push(event),
  };
  try {
    const { config, errors = [], syncRules } = observer.observe(scope);
    const pruned = pruneConfig(config, observer.paths);
    if (JSON.stringify(mergeConfigs([pruned])) !== JSON.stringify(mergeConfigs([config])))
      throw new Error(`${observer.name} observes more than its paths: ${JSON.stringify(config)}`);
    return { config, errors, copies: syncRules?.map(copyText), events };
  } catch (error) {
    return { config: before, errors: [messageOf(error)], copies: undefined, events };
  }

  function find<T extends KubeObject>(resource: KubeResource<T>, key: ObjectKey): T | undefined {
    requireInput(resource, key.namespace, key.name);
    return objects.find(
      (object) =>
        object.kind === resource.kind &&
        object.metadata.name === key.name &&
        object.metadata.namespace === key.namespace,
    ) as T | undefined;
  }

  function list<T extends KubeObject>(resource: KubeResource<T>, namespace?: string): readonly T[] {
    requireInput(resource, namespace, undefined);
    return objects.filter(
      ({ kind, metadata }) => kind === resource.kind && (!namespace || metadata.namespace === namespace),
    ) as T[];
  }

  function requireInput(resource: KubeResource, namespace: string | undefined, name: string | undefined) {
    const covered = observer.inputs.some(
      (input) =>
        input.resource === resource &&
        (input.selection?.namespace === undefined || input.selection.namespace === namespace) &&
        (input.selection?.fieldSelector === undefined ||
          input.selection.fieldSelector === `metadata.name=${name}`),
    );
    if (!covered)
      throw new Error(`no input of ${observer.name} covers ${resource.plural} ${namespace}/${name}`);
  }
}

function copyText({ to, from }: SyncRule): string {
  return `${to.name}<-${from ? `${from.namespace}/${from.name}` : ""}`;
}

/** Returns the object `cluster` of a configuration kind. */
export function configObject(kind: string, content: object): KubeObject {
  const group = kind === "KubeAPIServer" ? "operator" : "config";
  return { apiVersion: `${group}.openshift.io/v1`, kind, metadata: { name: "cluster" }, ...content };
}

export function dataObject(
  kind: "ConfigMap" | "Secret" | "Endpoints",
  key: string,
  content: object = {},
  annotations?: Readonly<Record<string, string>>,
): KubeObject {
  const [namespace = "", name = ""] = key.split("/");
  return {
    apiVersion: "v1",
    kind,
    metadata: { namespace, name, ...(annotations ? { annotations } : {}) },
    ...content,
  };
}
