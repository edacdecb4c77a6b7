import { type KubeObject, scalarStringAt } from "@keelson/apimachinery";
import { type Clock, listAt, objectAt, sleepOnTime, valueAt } from "@keelson/base";
import type { AdmissionRequest } from "../../resources/admission-request.ts";
import { forbidden } from "../../resources/forbidden.ts";
import type { RevisionStore } from "../../storage/revision-store.ts";
import { confirmMountable } from "./mountable-secrets.ts";
import type { AdmissionPlugin, ObjectRequest, PluginContext } from "./plugin.ts";
import { secretNamesOf } from "./pod-references.ts";
import { withTokenVolume } from "./token-volume.ts";

const bucket = "/serviceaccounts";
const defaultName = "default";
const mirror = "kubernetes.io/config.mirror";
/**
 * Maximum wait, in milliseconds, until a controller has created a namespace's default service account. kube-apiserver has the
 * same limit.
 */
const patienceMs = 1_500;

/**
 * Rejects pods if their service account does not exist. Pods that name no account get the account `default`. Adds the account's
 * pull secrets to pods without pull secrets. Mounts a token volume in each container.
 */
export const serviceAccount: AdmissionPlugin = {
  name: "ServiceAccount",
  targets: ["CREATE /pods", "UPDATE /pods/ephemeralcontainers"],
  async mutate(request, context) {
    const { object: pod, operation } = request;
    if (operation !== "CREATE" || isMirror(pod)) return pod;
    const spec = objectAt(pod, "spec");
    const name = nameIn(spec) || defaultName;
    const account = await accountOf(request, context, name);
    const own = listAt(spec, "imagePullSecrets");
    const pullSecrets = own.length > 0 ? own : listAt(account, "imagePullSecrets");
    const named = {
      ...spec,
      serviceAccountName: name,
      serviceAccount: name,
      ...(pullSecrets.length > 0 ? { imagePullSecrets: pullSecrets } : {}),
    };
    const mounts =
      valueAt(spec, "automountServiceAccountToken") ??
      valueAt(account, "automountServiceAccountToken") ??
      true;
    return { ...pod, spec: mounts === true ? withTokenVolume(named) : named };
  },
  async validate(request, context) {
    const { object, namespace } = request;
    if (!object) return;
    if (request.operation === "CREATE" && isMirror(object)) {
      checkMirror({ ...request, object });
      return;
    }
    const name = nameIn(objectAt(object, "spec"));
    if (!name) {
      throw forbidden(request, `no service account specified for pod ${namespace}/${object.metadata.name}`);
    }
    confirmMountable(request, object, await accountOf(request, context, name));
  },
};

function isMirror({ metadata }: KubeObject): boolean {
  return metadata.annotations?.[mirror] !== undefined;
}

function nameIn(spec: Readonly<Record<string, unknown>>): string {
  return scalarStringAt(spec, "serviceAccountName") || scalarStringAt(spec, "serviceAccount");
}

async function accountOf(
  request: AdmissionRequest,
  { store, clock, signal }: PluginContext,
  name: string,
): Promise<KubeObject> {
  const key = `${request.namespace}/${name}`;
  if (name === defaultName && !store.get(bucket, key)) await appearance(store, key, clock, signal);
  const account = store.get(bucket, key)?.object;
  if (account) return account;
  const why = `serviceaccount ${JSON.stringify(name)} not found`;
  throw forbidden(request, `error looking up service account ${key}: ${why}`);
}

/** Resolves when the account exists or the wait has timed out. */
async function appearance(
  store: RevisionStore,
  key: string,
  clock: Clock,
  signal: AbortSignal,
): Promise<void> {
  const { promise: changed, resolve } = Promise.withResolvers<void>();
  const stop = store.subscribe(bucket, () => {
    if (store.get(bucket, key)) resolve();
  });
  const waiting = new AbortController();
  try {
    const patience = sleepOnTime(clock, patienceMs, AbortSignal.any([signal, waiting.signal]));
    await Promise.race([changed, patience.catch(() => undefined)]);
  } finally {
    stop();
    waiting.abort();
  }
}

/** Rejects a mirror pod that needs API objects: a service account, Secret or token. */
function checkMirror(request: ObjectRequest): void {
  const { object: pod } = request;
  if (nameIn(objectAt(pod, "spec"))) {
    throw forbidden(request, "a mirror pod may not reference service accounts");
  }
  if (secretNamesOf(pod).length > 0) throw forbidden(request, "a mirror pod may not reference secrets");
  const tokens = listAt(pod, "spec", "volumes").some((volume) =>
    listAt(volume, "projected", "sources").some(
      (source) => valueAt(source, "serviceAccountToken") !== undefined,
    ),
  );
  if (tokens) {
    throw forbidden(request, "a mirror pod may not use ServiceAccountToken volume projections");
  }
}
