import { randomBytes, timingSafeEqual } from "node:crypto";
import {
  boundedText,
  type Clock,
  type Logger,
  listAt,
  messageOf,
  onTimeDeadline,
  stringAt,
} from "@keelson/base";
import { timestamp } from "@keelson/controller";
import { isConflict, type KubeApi, type ObjectKey, resources } from "@keelson/kube";
import type { KmsService } from "./kms-client.ts";
import { ciphertextProblem, statusProblem } from "./kms-rules.ts";
import { preflightConditions } from "./preflight-plan.ts";

export interface PreflightOptions {
  /** Sockets of the plugins. The first plugin is tested completely. The other plugins are tested only for availability. */
  readonly sockets: readonly string[];
  readonly configHash: string;
  /** Pod that stores the result in its status. */
  readonly pod: Required<ObjectKey>;
}

export interface PreflightDeps {
  readonly api: Pick<KubeApi, "get" | "mergePatch">;
  readonly connect: (socket: string) => KmsService;
  readonly clock: Clock;
  readonly logger: Logger;
}

/** Maximum time in ms until a plugin is ready. The plugins start together with this program. */
const readyWithinMs = 30_000;
const askEveryMs = 2_000;
const maxMessage = 1_024;
const maxAttempts = 10;

interface Outcome {
  readonly remoteKeyId?: string;
  readonly failure?: Error;
}

/**
 * Tests a new plugin together with the plugins in use. The test covers status, encryption and decryption, with the rules of API
 * servers. The result is stored in the pod's status.
 * @throws Error if a test failed
 */
export async function runPreflight(
  options: PreflightOptions,
  deps: PreflightDeps,
  signal: AbortSignal,
): Promise<void> {
  const outcome = await tryPlugins(options, deps, signal);
  if (signal.aborted) return;
  await report(options, outcome, deps, signal);
  if (outcome.failure) throw outcome.failure;
  deps.logger.info({ remoteKeyId: outcome.remoteKeyId }, "the key management service can be used");
}

async function tryPlugins(
  { sockets: [first = "", ...others] }: PreflightOptions,
  deps: PreflightDeps,
  signal: AbortSignal,
): Promise<Outcome> {
  const { connect, clock, logger } = deps;
  const isLate = onTimeDeadline(clock, readyWithinMs);
  for (const socket of others) {
    using service = connect(socket);
    const { problem } = await untilReady(service, isLate, deps, signal);
    if (problem !== undefined)
      return { failure: new Error(`KMS plugin at ${socket} is not reachable: ${problem}`) };
    logger.info({ socket }, "a plugin in use is available");
  }
  using service = connect(first);
  const { problem, keyId } = await untilReady(service, isLate, deps, signal);
  const known = keyId === undefined || keyId === "" ? {} : { remoteKeyId: keyId };
  if (problem !== undefined)
    return { ...known, failure: new Error(`KMS plugin at ${first} cannot be used: ${problem}`) };
  try {
    await roundTrip(service, signal);
    return known;
  } catch (error) {
    return { ...known, failure: error instanceof Error ? error : new Error(messageOf(error)) };
  }
}

/** Polls a plugin until API servers would accept it, or until `isLate` returns true. */
async function untilReady(
  service: KmsService,
  isLate: () => boolean,
  { clock, logger }: PreflightDeps,
  signal: AbortSignal,
): Promise<{ readonly problem?: string; readonly keyId?: string }> {
  for (;;) {
    const { problem, keyId } = await service.status(signal).then(
      (status) => ({ problem: statusProblem(status), keyId: status.keyId }),
      (error) => ({ problem: messageOf(error), keyId: undefined }),
    );
    const found = keyId === undefined ? {} : { keyId };
    if (problem === undefined) return found;
    logger.info({ problem }, "not ready");
    if (isLate() || signal.aborted) return { problem, ...found };
    await clock.sleep(askEveryMs, signal).catch(() => undefined);
  }
}

async function roundTrip(service: KmsService, signal: AbortSignal): Promise<void> {
  const plaintext = randomBytes(32);
  // Request ID that appears in the plugin's log.
  const uid = `preflight-check-${randomBytes(4).toString("hex")}`;
  const failed = (call: string) => (error: unknown) => {
    throw new Error(`${call} call failed: ${messageOf(error)}`, { cause: error });
  };
  const encrypted = await service.encrypt(plaintext, uid, signal).catch(failed("encrypt"));
  const problem = ciphertextProblem(encrypted);
  if (problem !== undefined) throw new Error(`encrypt cannot be used: ${problem}`);
  if (isSame(encrypted.ciphertext, plaintext))
    throw new Error("encrypt returned plaintext unchanged, expected encrypted data");
  const decrypted = await service.decrypt(encrypted, uid, signal).catch(failed("decrypt"));
  if (!isSame(decrypted, plaintext)) throw new Error("decrypt returned other data than was encrypted");
}

function isSame(a: Uint8Array, b: Uint8Array): boolean {
  return a.length === b.length && timingSafeEqual(a, b);
}

async function report(
  { configHash, pod }: PreflightOptions,
  { remoteKeyId, failure }: Outcome,
  { api, clock }: PreflightDeps,
  signal: AbortSignal,
): Promise<void> {
  const lastTransitionTime = timestamp(clock.now());
  const { configHash: hashType, result, remoteKeyId: remoteType } = preflightConditions;
  const own = [
    { type: result, ...(failure ? failedResult(failure) : { status: "True", reason: "Succeeded" }) },
    { type: hashType, status: "True", message: configHash },
    ...(remoteKeyId === undefined
      ? []
      : [{ type: remoteType, status: "True", message: boundedText(remoteKeyId, maxMessage) }]),
  ].map((each) => ({ ...each, lastTransitionTime }));
  for (let attempt = 1; ; attempt += 1) {
    const live = await api.get(resources.pods, pod, signal);
    const others = listAt(live, "status", "conditions").filter(
      (each) => !own.some(({ type }) => type === stringAt(each, "type")),
    );
    const { resourceVersion } = live.metadata;
    const patch = { metadata: { resourceVersion }, status: { conditions: [...others, ...own] } };
    try {
      await api.mergePatch(resources.pods, pod, patch, signal, "status");
      return;
    } catch (error) {
      // The kubelet also writes the pod's status, which may cause a conflict.
      if (!isConflict(error) || attempt >= maxAttempts) throw error;
    }
  }
}

function failedResult({ message }: Error) {
  return { status: "False", reason: "Failed", message: boundedText(message, maxMessage) };
}
