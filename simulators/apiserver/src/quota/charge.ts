import {
  formatQuantity,
  formatResourceList,
  type KubeObject,
  type Quantity,
  type ResourceList,
  resourceListAt,
  sumOf,
} from "@keelson/apimachinery";
import { objectAt } from "@keelson/base";
import type { Evaluator } from "@keelson/kinds";
import type { AdmissionRequest } from "../resources/admission-request.ts";
import { forbidden } from "../resources/forbidden.ts";
import type { RegistryContext } from "../resources/registry-context.ts";
import { withAddedUsage } from "./cluster-quota.ts";
import { clusterQuotaBucket } from "./cluster-quota-index.ts";
import { evaluatorFor } from "./evaluator-of-kind.ts";
import { isAbout, usageOf } from "./object-usage.ts";
import { type NamespaceQuota, quotaBucket, quotasOfNamespace } from "./quotas-of-namespace.ts";

/**
 * Checks a write against the quotas of its namespace. Returns a function that adds the usage to the quotas. Call the function in
 * the event loop turn that stores the object, because concurrent writes could otherwise exceed the quota.
 * @throws StatusError 403
 */
export function admitToQuotas(context: RegistryContext, request: AdmissionRequest): () => void {
  const { resource, namespace, object, oldObject, operation, subresource } = request;
  if (!namespace || !object || subresource !== "" || resource.bucket === "/namespaces") return nothing;
  if (context.store.count(quotaBucket) + context.store.count(clusterQuotaBucket) === 0) return nothing;
  const evaluator = evaluatorFor(resource.type.group, resource.type.plural);
  if (!evaluator) return nothing;
  if (operation === "UPDATE" && !evaluator.isChargedAgain?.(object, oldObject)) return nothing;
  const quotas = quotasOfNamespace(context.store, namespace);
  const charges = quotas.flatMap((quota) => chargeOf(context, request, { quota, evaluator, object }));
  return () => {
    for (const { quota, used, added } of charges) {
      const { key, revision, object: current } = quota.stored;
      const status = { ...objectAt(current, "status"), used };
      const outcome =
        quota.bucket === quotaBucket
          ? context.store.put(quotaBucket, key, revision, { ...current, status })
          : context.store.put(clusterQuotaBucket, key, revision, withAddedUsage(current, namespace, added));
      // Ignores the error of this write. If the journal fails, the write of the object itself reports the failure.
      if (outcome.kind === "written") outcome.durable.catch(nothing);
    }
  };
}

const nothing = () => undefined;

interface Charge {
  readonly quota: NamespaceQuota;
  readonly used: Readonly<Record<string, string>>;
  readonly added: ResourceList;
}

/**
 * Returns the new usage of a quota, or an empty list if the quota does not apply.
 * @see kubernetes/kubernetes staging/src/k8s.io/apiserver/pkg/admission/plugin/resourcequota/controller.go (CheckRequest)
 */
function chargeOf(
  { clock }: RegistryContext,
  request: AdmissionRequest,
  {
    quota,
    evaluator,
    object,
  }: { readonly quota: NamespaceQuota; readonly evaluator: Evaluator; readonly object: KubeObject },
): readonly Charge[] {
  const { name } = quota.view.metadata;
  const [hard, used] = (["hard", "used"] as const).map((side) => resourceListAt(quota.view, "status", side));
  if (!hard || !used) return [];
  const limited = [...hard.keys()].filter((each) => evaluator.tracks(each)).sort();
  if (limited.length === 0 || !isAbout(quota.view, evaluator, object)) return [];
  const missing = evaluator.missing?.(object, limited);
  if (missing) throw forbidden(request, `failed quota: ${name}: ${missing}`);
  if (limited.some((each) => !used.has(each))) {
    throw forbidden(request, `status unknown for quota: ${name}, resources: ${limited.join(",")}`);
  }
  const usage = (each: KubeObject) => usageOf(request.resource.type, evaluator, each, clock.now());
  const before =
    request.oldObject && isAbout(quota.view, evaluator, request.oldObject)
      ? usage(request.oldObject)
      : new Map<string, Quantity>();
  const added = new Map(
    [...usage(object)].flatMap(([each, quantity]) => {
      const nano = quantity.nano - (before.get(each)?.nano ?? 0n);
      return nano > 0n && hard.has(each) ? [[each, { ...quantity, nano }] as const] : [];
    }),
  );
  if (added.size === 0) return [];
  const after = sumOf(used, added);
  const exceeded = [...added.keys()]
    .filter((each) => (after.get(each)?.nano ?? 0n) > (hard.get(each)?.nano ?? 0n))
    .sort();
  if (exceeded.length > 0) {
    const shown = (list: ResourceList) =>
      exceeded.map((each) => `${each}=${shownAmount(list.get(each))}`).join(",");
    throw forbidden(
      request,
      `exceeded quota: ${name}, requested: ${shown(added)}, used: ${shown(used)}, limited: ${shown(hard)}`,
    );
  }
  return [{ quota, used: formatResourceList(after), added }];
}

function shownAmount(quantity: Quantity | undefined): string {
  return quantity ? formatQuantity(quantity) : "0";
}
