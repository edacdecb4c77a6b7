import { messageOf, objectAt } from "@keelson/base";
import { apiVersionOf, type KubeObject, type KubeResource, resources } from "@keelson/kube";
import { observeAll, operatorKey, type SyncRule } from "@keelson/operator-kit";
import { wantedAuditPolicy } from "../controllers/audit-policy/wanted-policy.ts";
import {
  nextKeyPair,
  publicKeys,
  signingKeyPair,
  verifyingKeys,
  withPublicKey,
} from "../controllers/bound-tokens/signing-keys.ts";
import { syncRules } from "../controllers/resource-sync/sync-rules.ts";
import { desiredIssuer, issuersIn, nextIssuers } from "../controllers/service-account-issuer/issuers.ts";
import { kubeconfigMaps } from "../controllers/static-resources/kubeconfigs.ts";
import { type TargetInputs, wantedConfigMaps } from "../controllers/target-config/wanted-objects.ts";
import { configObservers } from "../observers/observers.ts";
import { encryptionSecret } from "../operand/kms-plugins.ts";
import type { OperandImages } from "../operand/operand-pod.ts";
import type { ClusterSnapshot } from "./cluster-snapshot.ts";

export interface Release {
  readonly version: string;
  /** Build version of the operator. */
  readonly build: string;
  readonly images: OperandImages;
}

export interface Reconciled {
  readonly snapshot: ClusterSnapshot;
  /** Rules for the copies that the operator maintains. They come from the operator itself and from observers. */
  readonly rules: readonly SyncRule[];
  /** Errors of observers, and errors for objects that cannot be computed. Such objects stay unchanged. */
  readonly errors: readonly string[];
}

/**
 * Number of times that all controllers run. One run does not suffice, because some controllers read the output of other
 * controllers, for example copies that an observer requests.
 */
const rounds = 2;

/** Runs every controller that produces ConfigMaps and Secrets of revisions on a snapshot. Nothing is written to the cluster. */
export function reconciledSnapshot(snapshot: ClusterSnapshot, release: Release, now: Date): Reconciled {
  let reconciled: Reconciled = { snapshot, rules: [], errors: [] };
  for (let round = 0; round < rounds; round++) reconciled = reconcile(reconciled.snapshot, release, now);
  return reconciled;
}

function reconcile(before: ClusterSnapshot, { version, build, images }: Release, now: Date): Reconciled {
  const errors: string[] = [];
  let snapshot = before;
  const attempt = (subject: string, change: () => ClusterSnapshot) => {
    try {
      snapshot = change();
    } catch (error) {
      errors.push(`${subject}: ${messageOf(error)}`);
    }
  };
  const configuration = () => {
    const found = snapshot.find(resources.kubeApiServers, operatorKey);
    if (!found) throw new Error("kubeapiservers.operator.openshift.io/cluster does not exist");
    return found;
  };

  const authentication = snapshot.find(resources.authentications, operatorKey);
  if (authentication)
    attempt("status.serviceAccountIssuers", () => {
      const live = configuration();
      const serviceAccountIssuers = nextIssuers(issuersIn(live), desiredIssuer(authentication), now);
      return snapshot.put([{ ...live, status: { ...objectAt(live.status), serviceAccountIssuers } }]);
    });

  const observed = observeAll(
    configObservers(version),
    objectAt(configuration().spec, "observedConfig"),
    () => snapshot,
    { now, report: () => undefined },
  );
  errors.push(...observed.errors);
  const live = configuration();
  const spec = { ...objectAt(live.spec), observedConfig: observed.config } as TargetInputs["spec"];
  snapshot = snapshot.put([{ ...live, spec }]);

  const rules = [...syncRules, ...[...observed.syncRules.values()].flat()];
  for (const rule of rules) snapshot = withCopy(snapshot, rule);

  const apiServer = snapshot.find(resources.apiServers, operatorKey);
  if (apiServer)
    attempt("configmap/kube-apiserver-audit-policies", () => withMap(snapshot, wantedAuditPolicy(apiServer)));
  for (const map of kubeconfigMaps) snapshot = withMap(snapshot, map);
  const pair = signingKeyPair(snapshot.find(resources.secrets, nextKeyPair));
  if (pair) {
    const present = publicKeys(snapshot.find(resources.configMaps, verifyingKeys));
    const data = Object.fromEntries(withPublicKey(present, pair.publicKey));
    snapshot = withMap(snapshot, { metadata: verifyingKeys, data });
  }
  const inputs: TargetInputs = {
    spec,
    images,
    build,
    now,
    encryption: snapshot.find(resources.secrets, encryptionSecret),
    infrastructure: snapshot.find(resources.infrastructures, operatorKey),
    find: (key) => snapshot.find(resources.configMaps, key),
  };
  for (const [name, make] of Object.entries(wantedConfigMaps))
    attempt(`configmap/${name}`, () => withMap(snapshot, make(inputs)));
  return { snapshot, rules, errors };
}

/** Returns the snapshot after one sync rule. A copy without a source is deleted. */
function withCopy(snapshot: ClusterSnapshot, { resource, from, to }: SyncRule): ClusterSnapshot {
  const source = from && snapshot.find(resource, from);
  if (!source) return snapshot.without(resource, to);
  return snapshot.put([objectOf(resource, { metadata: to, data: source.data })]);
}

function withMap(
  snapshot: ClusterSnapshot,
  { metadata, data }: { readonly metadata: object; readonly data: object },
): ClusterSnapshot {
  return snapshot.put([objectOf(resources.configMaps, { metadata, data })]);
}

function objectOf(resource: KubeResource, content: object): KubeObject {
  return { apiVersion: apiVersionOf(resource), kind: resource.kind, ...content } as KubeObject;
}
