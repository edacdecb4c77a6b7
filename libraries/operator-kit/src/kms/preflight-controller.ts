import { messageOf } from "@keelson/base";
import { type Condition, type Controller, watchFor } from "@keelson/controller";
import { isConflict, type KubeObject, type KubeResource, resources } from "@keelson/kube";
import { readKeysOf } from "../encryption/encryption-config.ts";
import { type EncryptionKey, emptyKey, newestFirst, unbacked } from "../encryption/encryption-key.ts";
import {
  type EncryptionOptions,
  isEncryptionUsed,
  readSituation,
} from "../encryption/encryption-situation.ts";
import { kmsConfigHash } from "../encryption/kms-config-hash.ts";
import { newKmsKey } from "../encryption/kms-key.ts";
import { readReferences } from "../encryption/kms-references.ts";
import { type KeyPolicy, nextKey } from "../encryption/new-key.ts";
import {
  type OperatorParts,
  type OperatorRequest,
  type OperatorResult,
  operatorController,
} from "../operator/operator-controller.ts";
import { operatorKey } from "../operator/operator-resource.ts";
import { type PreflightFailure, planPreflight } from "./preflight-plan.ts";
import { deployPreflight, preflightKeys, removePreflight } from "./preflight-pod.ts";
import { preflightPatch, readPreflightStatus } from "./preflight-status.ts";

const name = "EncryptionKMSPreflightController";
const degraded = `${name}Degraded`;
const progressing = `${name}Progressing`;
const pollMs = 10_000;

interface Outcome {
  readonly progress?: string;
  readonly failure?: PreflightFailure;
  readonly requeueAfterMs?: number;
}

/**
 * Tests the configuration of a key management service before a key is created. The key controller requests the test in
 * `encryptionStatus.preflight`. A pod runs the new plugin and the plugins in use. The pod reports whether encryption and
 * decryption succeed.
 */
export function kmsPreflight<Parts extends OperatorParts>(
  resource: KubeResource,
  options: EncryptionOptions<Parts>,
): Controller<Parts> {
  return operatorController<Parts>(resource, {
    name,
    conditions: [degraded, progressing],
    watches: [
      watchFor<KubeObject>(resources.pods, operatorKey, {
        selection: { namespace: options.namespace },
        where: ({ object }) => object.metadata.name === preflightKeys(options.namespace).pod.name,
      }),
    ],
    resyncMs: 60_000,
    async reconcile(request) {
      try {
        return resultOf(await tryConfiguration(options, request));
      } catch (error) {
        if (request.signal.aborted || isConflict(error)) throw error;
        const failure = { reason: "Error", message: messageOf(error) };
        return resultOf({ failure, requeueAfterMs: pollMs });
      }
    },
  });
}

function resultOf({ progress, failure, requeueAfterMs }: Outcome): OperatorResult {
  const conditions: readonly Condition[] = [
    failure ? { type: degraded, status: "True", ...failure } : { type: degraded, status: "False" },
    progress === undefined
      ? { type: progressing, status: "False" }
      : { type: progressing, status: "True", reason: "RunningPreflightCheck", message: progress },
  ];
  return { conditions, requeueAfterMs };
}

async function tryConfiguration<Parts extends OperatorParts>(
  options: EncryptionOptions<Parts>,
  request: OperatorRequest<Parts>,
): Promise<Outcome> {
  const { configuration, objects, parts, signal } = request;
  const { namespace, preflight } = options;
  const policy = options.policy(parts, configuration);
  const { observedConfigHash: hash, result } = readPreflightStatus(configuration);
  const recorded = result?.configHash === hash ? result : undefined;
  const isAsked = preflight && policy.mode === "KMS" && hash !== "" && recorded?.status !== "Succeeded";
  const references = isAsked
    ? await readReferences(policy.plugin, (...given) => parts.api.find(...given, signal))
    : undefined;
  // Either no test is requested, or the configuration was changed after the request. After a change, the key controller will
  // request a new test.
  if (!isAsked || !references || !policy.plugin || kmsConfigHash(policy.plugin, references) !== hash) {
    if (await objects.find(resources.secrets, preflightKeys(namespace).secret))
      await removePreflight(namespace, objects);
    return {};
  }
  const pod = await parts.api.find(resources.pods, preflightKeys(namespace).pod, signal);
  const step = planPreflight(hash, pod, recorded, parts.clock.now());
  switch (step.kind) {
    case "deploy": {
      const keys = await keysToTry(options, policy, references, request);
      if (!keys) return { progress: "Waiting for API servers of one revision", requeueAfterMs: pollMs };
      const { image, command } = preflight;
      await deployPreflight({ namespace, image: image(parts), command }, hash, keys, objects);
      return { progress: `Deploying preflight pod for hash ${hash}`, requeueAfterMs: pollMs };
    }
    case "replace":
      await removePreflight(namespace, objects);
      return { progress: step.message, requeueAfterMs: pollMs };
    case "wait":
      return { progress: step.message, requeueAfterMs: pollMs };
    case "stuck":
      return { failure: step.failure, ...(step.isFinal ? {} : { requeueAfterMs: pollMs }) };
    case "record":
      if (!recorded) await parts.operator.mergeStatus(preflightPatch({ result: step.result }), signal);
      // The pod of a failed test is not deleted, so that its log stays available.
      if (step.failure) return { failure: step.failure };
      await removePreflight(namespace, objects);
      return {};
  }
}

/** Returns the proposed key and the keys of the running plugins. Undefined while the API servers run different revisions. */
async function keysToTry<Parts extends OperatorParts>(
  options: EncryptionOptions<Parts>,
  policy: KeyPolicy,
  references: Awaited<ReturnType<typeof readReferences>>,
  { parts, signal }: OperatorRequest<Parts>,
): Promise<readonly EncryptionKey[] | undefined> {
  if (!policy.plugin || !isEncryptionUsed(options, parts, policy)) return undefined;
  const situation = await readSituation(options, parts, signal);
  if (!situation) return undefined;
  const present = readKeysOf(situation.desired);
  const next = nextKey(situation, policy, options.resources, parts.clock.now());
  const [newest] = present;
  if (!next && newest?.mode !== "KMS") return undefined;
  const id = next?.id ?? newest?.id ?? 1;
  const candidate: EncryptionKey = {
    secret: emptyKey,
    ...unbacked,
    ...present.find((key) => key.id === id),
    id,
    mode: "KMS",
    kms: newKmsKey(id, policy.plugin, references),
  };
  const others = present.filter((key) => key.id !== id && key.kms);
  return newestFirst([candidate, ...others]);
}
