import { type Clock, type Logger, messageOf, onTimeDeadline } from "@keelson/base";
import { fallBack, followedRevision, markGood, type StaticPodPlaces } from "./last-known-good.ts";
import type { NodeDisk } from "./node-disk.ts";
import { lockNode } from "./node-lock.ts";

/** Health of a static pod. */
export type StartupState =
  | { readonly ready: true }
  | { readonly ready: false; readonly reason: string; readonly message: string };

export interface StartupMonitorOptions extends StaticPodPlaces {
  readonly revision: number;
  readonly fallbackTimeoutMs: number;
  /** Lock file shared with installers. Default: the installers' default lock file. */
  readonly installerLockFile?: string | undefined;
}

export interface StartupMonitorDeps {
  readonly check: (signal: AbortSignal) => Promise<StartupState>;
  /** Records in the cluster that the node runs the revision. */
  readonly reportGood: (signal: AbortSignal) => Promise<void>;
  readonly disk: NodeDisk;
  readonly clock: Clock;
  readonly logger: Logger;
}

export type StartupOutcome = "good" | "fell-back" | "nothing-to-fall-back-to" | "superseded";

const probeMs = 1_000;

/**
 * Monitors the start of a static pod's new revision. If the pod becomes ready, the revision is recorded as last known good. If
 * the timeout passes first, the monitor restores an earlier revision. Delays of the monitor's process extend the timeout. A lock blocks installers during each probe. Finally the
 * monitor removes its own manifest.
 */
export async function monitorStartup(
  options: StartupMonitorOptions,
  deps: StartupMonitorDeps,
  signal: AbortSignal,
): Promise<StartupOutcome> {
  const { clock, disk, logger } = deps;
  const lockFile = options.installerLockFile ?? `${options.resourceDir}/.${options.targetName}-pod.lock`;
  const isLate = onTimeDeadline(clock, options.fallbackTimeoutMs, Number.POSITIVE_INFINITY);
  for (;;) {
    {
      using _ = await lockNode(disk, lockFile, clock, signal);
      const outcome = await probe(options, deps, isLate(), signal);
      if (outcome) {
        await disk.remove(`${options.manifestsDir}/${options.targetName}-startup-monitor-pod.yaml`);
        logger.info({ revision: options.revision, outcome }, "the startup monitor has ended");
        return outcome;
      }
    }
    await clock.sleep(probeMs, signal);
  }
}

/** Probes the pod once. The caller holds the lock. Returns undefined while the pod may still become ready. */
async function probe(
  options: StartupMonitorOptions,
  { check, disk, logger, reportGood }: StartupMonitorDeps,
  isLate: boolean,
  signal: AbortSignal,
): Promise<StartupOutcome | undefined> {
  const { revision } = options;
  if ((await followedRevision(options, disk)) !== revision) return "superseded";
  const state = await check(signal).catch((error: unknown): StartupState => {
    signal.throwIfAborted();
    return { ready: false, reason: "UnknownError", message: messageOf(error) };
  });
  if (state.ready) {
    await markGood(revision, options, disk);
    await reportGood(signal);
    return "good";
  }
  const { reason, message } = state;
  logger.info({ revision, reason, message }, "the static pod is not ready");
  if (!isLate) return undefined;
  return (await fallBack({ revision, reason, message }, options, disk))
    ? "fell-back"
    : "nothing-to-fall-back-to";
}
