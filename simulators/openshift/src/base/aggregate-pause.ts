import type { Clock } from "@keelson/base";

/** Number of objects up to which an aggregate is computed after each change. */
const fewObjects = 50;
/** Milliseconds of pause for each object. The computation itself needs a few microseconds for each object. */
const pauseMsPerObject = 1 / 2;
const longestPauseMs = 1_000;

/**
 * Pauses a controller that computes one result from many objects, for example the status of a MachineSet. The pause limits how
 * often the result is computed while the objects change. Few objects cause no pause.
 */
export async function aggregatePause(clock: Clock, objects: number, signal: AbortSignal): Promise<void> {
  if (objects > fewObjects) {
    await clock.sleep(Math.min(longestPauseMs, objects * pauseMsPerObject), signal);
  }
}
