import { isFlagOn, operatorNamespace, singleton } from "@keelson/aro-api";
import { stringAt } from "@keelson/base";
import { named, TerminalError, watchFor } from "@keelson/controller";
import { isConflict, type KubeObject, type ObjectKey, resources } from "@keelson/kube";
import type { WantedMeta } from "@keelson/operator-kit";
import { operatorMetric } from "@keelson/operator-kit/objects";
import { done } from "../../runtime/aro-controller.ts";
import { switchedOn } from "../../runtime/flags.ts";
import type { Request } from "../../runtime/operator-context.ts";
import type { RegisteredController } from "../../runtime/registered-controller.ts";
import {
  dockerConfig,
  type RegistryKeys,
  redHatKeysOf,
  registryKeys,
  withServiceKeys,
} from "./registry-keys.ts";

const { secrets } = resources;
const pullSecret = { namespace: "openshift-config", name: "pull-secret" };
/** Secret in which the service stores its registry credentials. */
const serviceSecret = { namespace: operatorNamespace, name: "cluster" };
const type = "kubernetes.io/dockerconfigjson";

const remediations = operatorMetric((metrics) => {
  const counter = metrics.counter({
    name: "aro_pullsecret_remediation",
    help: "Total number of times the pull secret was fixed/recreated by the ARO operator",
    labels: ["result"],
  });
  for (const result of ["success", "error"]) counter.inc({ result }, 0);
  return counter;
});

/**
 * Adds the service's registry credentials to the cluster's pull secret. Reports the Red Hat registries for which the pull secret
 * has credentials.
 */
export const pullSecretController: RegisteredController = {
  name: "PullSecret",
  flag: "aro.pullsecret.enabled",
  flags: { "aro.pullsecret.enabled": switchedOn, "aro.pullsecret.managed": switchedOn },
  documentation: {
    purpose:
      "Copies the service's registry credentials from Secret `cluster` in the operator's namespace to Secret `openshift-config/pull-secret`. Sets `status.redHatKeysPresent` and metric `aro_pullsecret_remediation{result}`. While `aro.pullsecret.managed` is off, it only sets this status.",
    improvement:
      "Preserves fields other than `auths`, and the keys and labels of a Secret that it must recreate. Accepts entries of any type. Becomes Degraded if the Secret cannot be parsed.",
  },
  watches: [watchSecret(pullSecret), watchSecret(serviceSecret)],
  permissions: [
    permission(pullSecret, ["get", "list", "watch", "create", "patch", "delete"]),
    permission(serviceSecret, ["get", "list", "watch"]),
  ],
  async reconcile(request) {
    const { flags, objects, status } = request;
    const live = await objects.find(secrets, pullSecret);
    const isManaged = isFlagOn(flags, "aro.pullsecret.managed");
    let text = textOf(live);
    try {
      if (isManaged) text = await repair(request, live);
    } finally {
      await status.setMember("redHatKeysPresent", redHatKeysOf(registryKeys(text) ?? {}));
    }
    if (!live && !isManaged) throw new TerminalError(`Secret ${describe(pullSecret)} is missing`);
    if (!registryKeys(text))
      throw new TerminalError(
        `Secret ${describe(pullSecret)}: ${dockerConfig} is not a JSON object with auths`,
      );
    return done;
  },
};

/** Repairs the pull secret and returns its new content. */
async function repair(request: Request, live: KubeObject | undefined): Promise<string> {
  const { metrics, objects } = request;
  const remediation = remediations(metrics);
  const before = textOf(live);
  const wanted = withServiceKeys(before, await serviceKeys(request));
  const isReplaced = live !== undefined && !canHold(live, wanted);
  if (live && !isReplaced && wanted === before) return before;
  try {
    const data = { [dockerConfig]: Buffer.from(wanted).toString("base64") };
    if (live && !isReplaced) await objects.correct(secrets, live, { data });
    else {
      if (live) await removed(request);
      await objects.ensure(secrets, { metadata: { ...pullSecret, ...keptMetadata(live) }, type, data });
    }
  } catch (error) {
    if (!isConflict(error)) remediation.inc({ result: "error" });
    throw error;
  }
  remediation.inc({ result: "success" });
  return wanted;
}

/**
 * True if an update of the existing Secret can store the wanted value. A Secret of a different type and an immutable Secret with
 * a different value must be replaced.
 */
function canHold(live: KubeObject, wanted: string): boolean {
  return live.type === type && (live.immutable !== true || textOf(live) === wanted);
}

/**
 * Returns the labels and annotations that other writers have set. They are copied to the new Secret when the Secret is replaced.
 */
function keptMetadata(live: KubeObject | undefined): Partial<WantedMeta> {
  const { labels, annotations } = live?.metadata ?? {};
  return { ...(labels ? { labels } : {}), ...(annotations ? { annotations } : {}) };
}

async function removed({ api, objects, signal }: Request): Promise<void> {
  await objects.remove(secrets, pullSecret);
  const { finalizers = [] } = (await api.find(secrets, pullSecret, signal))?.metadata ?? {};
  if (finalizers.length > 0)
    throw new Error(
      `Secret ${describe(pullSecret)} must be replaced, and cannot go before its finalizers have: ${finalizers.join(", ")}`,
    );
}

/**
 * Returns the registry credentials in the service's Secret.
 * @throws TerminalError if the Secret is missing or invalid
 */
async function serviceKeys({ objects }: Request): Promise<RegistryKeys> {
  const live = await objects.find(secrets, serviceSecret);
  if (!live) throw new TerminalError(`Secret ${describe(serviceSecret)} is missing: the service creates it`);
  const keys = registryKeys(textOf(live));
  if (!keys)
    throw new TerminalError(
      `Secret ${describe(serviceSecret)}: ${dockerConfig} is not a JSON object with auths`,
    );
  return keys;
}

function textOf(secret: KubeObject | undefined): string {
  return Buffer.from(stringAt(secret, "data", dockerConfig) ?? "", "base64").toString("utf8");
}

function watchSecret({ namespace, name }: typeof pullSecret) {
  const selection = { namespace, fieldSelector: `metadata.name=${name}` };
  return watchFor(secrets, singleton, { selection, where: named(name) });
}

function permission({ namespace, name }: typeof pullSecret, verbs: readonly string[]) {
  return { namespace, apiGroups: [""], resources: ["secrets"], resourceNames: [name], verbs };
}

function describe({ namespace = "", name }: ObjectKey): string {
  return `${namespace}/${name}`;
}
