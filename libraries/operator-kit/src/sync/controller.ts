import { aborted, messageOf, stringAt } from "@keelson/base";
import { type Controller, done, type Watch, watchFor, watchSource } from "@keelson/controller";
import { type KubeObject, type KubeResource, resources } from "@keelson/kube";
import { ensureData } from "../objects/managed-data.ts";
import type { WantedObject } from "../objects/managed-objects.ts";
import {
  type OperatorParts,
  type OperatorRequest,
  operatorController,
} from "../operator/operator-controller.ts";
import { operatorKey } from "../operator/operator-resource.ts";
import type { SyncRule, SyncRuleSet } from "./sync-rules.ts";

export interface ResourceSyncOptions {
  /** Resource of the operator's configuration. */
  readonly resource: KubeResource;
  readonly rules: SyncRuleSet;
  /** Namespaces of all sources and copies. */
  readonly namespaces: readonly string[];
}

/** Synchronizes copies of ConfigMaps and Secrets with their sources. If the source is missing, the copy is deleted. */
export function resourceSync<Parts extends OperatorParts>({
  resource,
  rules,
  namespaces,
}: ResourceSyncOptions): Controller<Parts> {
  const watches = namespaces.flatMap((namespace): readonly Watch<Parts>[] =>
    [resources.configMaps, resources.secrets].map((each) =>
      watchFor(each, operatorKey, { selection: { namespace } }),
    ),
  );
  const changed = watchSource<Parts>(async (add, _, signal) => {
    using _subscription = rules.subscribe(() => add(operatorKey));
    await aborted(signal);
  });
  return operatorController<Parts>(resource, {
    name: "ResourceSyncController",
    degraded: { type: "ResourceSyncControllerDegraded", failed: "Error" },
    watches: [...watches, changed],
    resyncMs: 60_000,
    async reconcile(request) {
      const failures: string[] = [];
      for (const rule of rules.rules)
        await copy(rule, request).catch((error) => {
          if (request.signal.aborted) throw error;
          failures.push(`${rule.resource.kind} ${rule.to.namespace}/${rule.to.name}: ${messageOf(error)}`);
        });
      if (failures.length > 0) throw new Error(failures.join("\n"));
      return done;
    },
  });
}

async function copy(
  { resource, from, to }: SyncRule,
  { objects, parts }: OperatorRequest<OperatorParts>,
): Promise<void> {
  const source = from && (await objects.find(resource, from));
  if (source) {
    await ensureData(objects, resource, copyOf(source, to));
    return;
  }
  if (!(await objects.remove(resource, to))) return;
  const isSecret = resource.kind === "Secret";
  const message = `Deleted target ${isSecret ? "secret" : "configmap"} ${to.namespace}/${to.name} because source config does not exist`;
  const reason = isSecret ? "TargetSecretDeleted" : "TargetConfigDeleted";
  parts.events.report({ type: "Normal", reason, message, subject: `${to.namespace}/${to.name}` });
}

/** Annotations that apply only to the source. */
const ofSource = ["kubectl.kubernetes.io/last-applied-configuration", "kubernetes.io/service-account."];

/**
 * Returns the copy of a source. A copy does not belong to a service account, so a service account token is copied as an opaque
 * Secret.
 */
function copyOf(source: KubeObject, to: SyncRule["to"]): WantedObject & { data?: Record<string, string> } {
  const { labels, annotations = {} } = source.metadata;
  const kept = Object.entries(annotations).filter(
    ([name]) => !ofSource.some((each) => name.startsWith(each)),
  );
  const type = stringAt(source, "type");
  const opaque = type === "kubernetes.io/service-account-token" ? "Opaque" : type;
  return {
    metadata: {
      ...to,
      ...(labels ? { labels } : {}),
      ...(kept.length > 0 ? { annotations: Object.fromEntries(kept) } : {}),
    },
    ...(opaque === undefined ? {} : { type: opaque }),
    // The API server validates that these values are strings.
    data: (source.data ?? {}) as Record<string, string>,
  };
}
