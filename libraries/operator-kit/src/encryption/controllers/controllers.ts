import { listAt, stringAt } from "@keelson/base";
import { type Condition, type Controller, type Watch, watchFor } from "@keelson/controller";
import { isConflict, type KubeObject, type KubeResource, resources } from "@keelson/kube";
import { kmsPreflight } from "../../kms/preflight-controller.ts";
import { preflightPatch, readPreflightStatus } from "../../kms/preflight-status.ts";
import { ensureData } from "../../objects/managed-data.ts";
import {
  type OperatorController,
  type OperatorParts,
  type OperatorRequest,
  type OperatorResult,
  operatorController,
} from "../../operator/operator-controller.ts";
import { operatorKey } from "../../operator/operator-resource.ts";
import { configEvents } from "../config-events.ts";
import { encryptedCondition } from "../encrypted-condition.ts";
import { writeEncryptionData } from "../encryption-config.ts";
import { deletionFinalizer, keyIdOf, keyNamespace, newKeySecret, readKey } from "../encryption-key.ts";
import {
  configSecretKey,
  type EncryptionOptions,
  type EncryptionSituation,
  isEncryptionUsed,
  keySelection,
  readSituation,
} from "../encryption-situation.ts";
import { prunableKeys } from "../key-pruning.ts";
import { kmsConfigHash } from "../kms-config-hash.ts";
import { type KmsKey, newKmsKey } from "../kms-key.ts";
import { readReferences } from "../kms-references.ts";
import { outdatedKeys, refreshKey } from "../kms-refresh.ts";
import { migrate } from "../migration.ts";
import { type KeyPolicy, nextKey } from "../new-key.ts";

/**
 * Requeue interval in ms while the API servers run different revisions. A change of their pods usually triggers the controller
 * earlier.
 */
const unconvergedMs = 120_000;
const migratingMs = 10_000;
const preflightMs = 30_000;
const { secrets, pods } = resources;

type Step<Parts extends OperatorParts> = (
  situation: EncryptionSituation,
  request: OperatorRequest<Parts>,
) => Promise<OperatorResult>;

/**
 * Returns the controllers that encrypt the stored data of API servers according to the policy. `inputs` are the watches of the
 * objects that determine the policy.
 */
export function encryptionControllers<Parts extends OperatorParts>(
  resource: KubeResource,
  options: EncryptionOptions<Parts>,
  inputs: readonly Watch<Parts>[],
): readonly Controller<Parts>[] {
  const { component, namespace, podSelector: labelSelector } = options;
  const watches: readonly Watch<Parts>[] = [
    ...inputs,
    watchFor<KubeObject>(secrets, operatorKey, { selection: keySelection(component) }),
    watchFor<KubeObject>(secrets, operatorKey, {
      selection: { namespace: keyNamespace },
      where: ({ object }) => object.metadata.name === configSecretKey(component).name,
    }),
    watchFor<KubeObject>(pods, operatorKey, { selection: { namespace, labelSelector } }),
  ];
  const controller = (
    name: string,
    conditions: readonly string[],
    step: Step<Parts>,
    unused: OperatorResult = {},
  ): Controller<Parts> => {
    const own: OperatorController<Parts> = {
      name,
      degraded: { type: `${name}Degraded`, failed: "Error" },
      conditions,
      watches,
      resyncMs: 60_000,
      async reconcile(request) {
        const { configuration, parts, signal } = request;
        if (!isEncryptionUsed(options, parts, options.policy(parts, configuration))) return unused;
        const situation = await readSituation(options, parts, signal);
        return situation ? step(situation, request) : keepConditions(request, conditions);
      },
    };
    return operatorController(resource, own);
  };
  return [
    controller("EncryptionKeyController", [], (...given) => createKey(options, ...given)),
    controller("EncryptionStateController", [], (...given) => writeConfig(options, ...given)),
    controller(
      "EncryptionMigrationController",
      ["EncryptionMigrationControllerProgressing"],
      async (situation, request) => {
        const migrating = await migrate(options, situation, request);
        const type = "EncryptionMigrationControllerProgressing";
        const message = `migrating resources to a new write key: [${migrating.join(" ")}]`;
        return migrating.length === 0
          ? { conditions: [{ type, status: "False" }] }
          : {
              conditions: [{ type, status: "True", reason: "Migrating", message }],
              requeueAfterMs: migratingMs,
            };
      },
      { conditions: [{ type: "EncryptionMigrationControllerProgressing", status: "False" }] },
    ),
    controller("EncryptionPruneController", [], pruneKeys),
    controller(
      "EncryptionConditionController",
      ["Encrypted"],
      async ({ deployed, desired, keySecrets }) => ({
        conditions: [encryptedCondition(deployed, desired, keySecrets.length > 0, options.resources)],
      }),
      { conditions: [encryptedCondition(undefined, new Map(), false, options.resources)] },
    ),
    kmsPreflight(resource, options),
  ];
}

/** Returns the previous conditions, which are kept while the encryption state is unknown. */
function keepConditions<Parts extends OperatorParts>(
  { configuration }: OperatorRequest<Parts>,
  types: readonly string[],
): OperatorResult {
  const conditions = listAt(configuration, "status", "conditions").filter((each): each is Condition =>
    types.includes(stringAt(each, "type") ?? ""),
  );
  return { conditions, requeueAfterMs: unconvergedMs };
}

async function createKey<Parts extends OperatorParts>(
  { component, policy, resources: encrypted, preflight }: EncryptionOptions<Parts>,
  situation: EncryptionSituation,
  request: OperatorRequest<Parts>,
): Promise<OperatorResult> {
  const { configuration, parts, signal } = request;
  const { deployed, keySecrets } = situation;
  const asked = policy(parts, configuration);
  if (asked.mode === "identity" && !deployed && keySecrets.length === 0) return {};
  const next = nextKey(situation, asked, encrypted, parts.clock.now());
  if (!next) return refreshKeys(situation, asked, request);
  const present = keySecrets.find((each) => keyIdOf(each) === next.id);
  if (present) {
    if (readKey(present)) return {};
    throw new Error(
      `secret ${present.metadata.name} is invalid, new keys cannot be created for encryption target`,
    );
  }
  if (next.mode === "KMS" && !preflight) throw new Error("key management services cannot be used here");
  const kms = next.mode === "KMS" ? await triedKmsKey(next.id, asked, request) : undefined;
  if (next.mode === "KMS" && !kms) return { requeueAfterMs: preflightMs };
  const secret = newKeySecret(component, { ...next, ...(kms ? { kms } : {}) });
  const { name } = secret.metadata;
  try {
    await parts.api.create(secrets, secret, signal);
  } catch (error) {
    if (isConflict(error)) return {};
    const message = `Secret ${JSON.stringify(name)} failed to create`;
    parts.events.report({ type: "Warning", reason: "EncryptionKeyCreateFailed", message });
    throw error;
  }
  const message = `Secret ${JSON.stringify(name)} successfully created: ${JSON.stringify([next.internalReason])}`;
  parts.events.report({ type: "Normal", reason: "EncryptionKeyCreated", message });
  return {};
}

async function refreshKeys<Parts extends OperatorParts>(
  situation: EncryptionSituation,
  asked: KeyPolicy,
  request: OperatorRequest<Parts>,
): Promise<OperatorResult> {
  for (const outdated of await outdatedKeys(situation, asked, request)) {
    const kms = outdated.isTried ? await triedKmsKey(outdated.key.id, asked, request) : outdated.kms;
    if (!kms) return { requeueAfterMs: preflightMs };
    await refreshKey({ ...outdated, kms: { ...kms, provider: outdated.kms.provider } }, request);
  }
  return {};
}

/**
 * Returns a key for the configured key management service if the preflight of its configuration has succeeded. Until then,
 * requests the preflight in `encryptionStatus` and returns undefined. A changed configuration has a different hash and needs a
 * new preflight.
 * @throws Error if the preflight failed
 */
async function triedKmsKey<Parts extends OperatorParts>(
  id: number,
  { plugin }: KeyPolicy,
  { configuration, parts: { api, operator }, signal }: OperatorRequest<Parts>,
): Promise<KmsKey | undefined> {
  // The new key will contain the data of these references. They are read from the server, because the cache may be stale.
  const references = await readReferences(plugin, (...given) => api.find(...given, signal));
  if (!plugin) return undefined;
  const hash = kmsConfigHash(plugin, references);
  const { observedConfigHash, result } = readPreflightStatus(configuration);
  if (observedConfigHash !== hash) {
    await operator.mergeStatus(preflightPatch({ observedConfigHash: hash }), signal);
    return undefined;
  }
  if (result?.configHash !== hash) return undefined;
  if (result.status === "Failed")
    throw new Error(
      `KMS preflight check failed for config hash ${hash}; fix the KMS configuration to proceed`,
    );
  return newKmsKey(id, plugin, references);
}

async function writeConfig<Parts extends OperatorParts>(
  { component }: EncryptionOptions<Parts>,
  { deployed, desired, keySecrets }: EncryptionSituation,
  { objects, parts }: OperatorRequest<Parts>,
): Promise<OperatorResult> {
  if (!deployed && keySecrets.length === 0) return {};
  const key = configSecretKey(component);
  const outcome = await ensureData(objects, secrets, {
    metadata: {
      ...key,
      annotations: {
        "kubernetes.io/description":
          "Data of the cluster can be read with these keys only: never change or delete it.",
      },
      finalizers: [deletionFinalizer],
    },
    type: "Opaque",
    data: writeEncryptionData(desired),
  });
  if (outcome !== "unchanged")
    for (const event of configEvents(deployed, desired)) parts.events.report(event);
  return {};
}

async function pruneKeys<Parts extends OperatorParts>(
  { desired, keySecrets }: EncryptionSituation,
  { parts: { api, events }, signal }: OperatorRequest<Parts>,
): Promise<OperatorResult> {
  const prunable = prunableKeys(keySecrets, desired);
  for (const { metadata } of prunable) {
    const { name, namespace = keyNamespace, resourceVersion, finalizers = [] } = metadata;
    const key = { namespace, name };
    const left = finalizers.filter((each) => each !== deletionFinalizer);
    await api.mergePatch(secrets, key, { metadata: { resourceVersion, finalizers: left } }, signal);
    await api.delete(secrets, key, signal);
  }
  if (prunable.length > 0) {
    const message = `Successfully pruned ${prunable.length} secrets`;
    events.report({ type: "Normal", reason: "EncryptionKeysPruned", message });
  }
  return {};
}
