import { setTimeout as delay } from "node:timers/promises";
import type { ArmClient } from "../e2e/support/arm-client.ts";

/** Result of an operation with the durations of its steps. */
export interface TimedOperation {
  readonly status: "Succeeded" | "Failed";
  readonly error?: { readonly code: string; readonly message: string; readonly details?: readonly object[] };
  /** Duration of each step in milliseconds, in start order. Steps that started and ended between two polls are missing. */
  readonly steps: ReadonlyMap<string, number>;
  readonly totalMs: number;
}

/** Returns the duration of the installer's `create manifests` in milliseconds. */
export function manifestsMs({ steps }: TimedOperation): number {
  return steps.get("generateInstallState") ?? 0;
}

/**
 * Returns the duration of the installer's `create cluster` in milliseconds. With Hive, this is the duration of the second step,
 * in which the service waits for the installer.
 */
export function clusterMs({ steps }: TimedOperation): number {
  return (steps.get("createMachines") ?? 0) + (steps.get("bootstrapComplete") ?? 0);
}

const pollMs = 100;

/** Polls an operation until it has completed. Calls `onStep` once for each step. */
export async function timeOperation(
  arm: ArmClient,
  operationUrl: string,
  signal: AbortSignal,
  onStep: (step: string) => Promise<void> = async () => undefined,
): Promise<TimedOperation> {
  const started = performance.now();
  const steps = new Map<string, number>();
  for (let last = started; ; ) {
    const { status, error, properties } = await arm.progress(operationUrl);
    const now = performance.now();
    const step: unknown = properties?.step;
    if (typeof step === "string")
      for (const name of namesIn(step)) {
        const before = steps.get(name);
        steps.set(name, (before ?? 0) + now - last);
        if (before === undefined) await onStep(name);
      }
    last = now;
    if (status === "Succeeded" || status === "Failed")
      return { status, ...(error ? { error } : {}), steps, totalMs: now - started };
    await delay(pollMs, undefined, { signal });
  }
}

/** Returns the names of the steps in a string such as "a (what it waits for), b". */
function namesIn(steps: string): readonly string[] {
  return steps
    .replaceAll(/ \([^)]*\)/g, "")
    .split(", ")
    .filter(Boolean);
}
