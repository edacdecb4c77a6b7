import { aborted } from "@keelson/base";
import { type Controller, done, keyText, parseKey, type Result, watchSource } from "@keelson/controller";
import type { RevisionStore, StoreEvent } from "../storage/revision-store.ts";

/** Adds a key to the controller's queue, where a key that waits is there once. */
export type AddKey = (key: string) => void;

/**
 * A controller of the cluster's own: it reads stored objects where they are, most of them unparsed, instead of a cache.
 * Its keys are those of the store, or whatever else it makes its subjects known by.
 */
export interface StoreController {
  readonly name: string;
  /** Adds what is stored already, when the cluster opens. */
  resume(add: AddKey): void;
  /** Called in the turn of each change, before anyone is answered: it neither throws nor waits. */
  observe(event: StoreEvent, add: AddKey): void;
  /** Moves the subject of the key towards what it should be. */
  reconcile(key: string): Promise<Result | undefined>;
}

/** The controller for the shared runtime: back-off, one call of a key at a time, logs. */
export function runnable(controller: StoreController, store: RevisionStore): Controller<undefined> {
  return {
    name: controller.name,
    watches: [
      watchSource(async (addKey, _context, signal) => {
        const add = (key: string) => addKey(parseKey(key));
        const stop = store.onEvent((event) => controller.observe(event, add));
        controller.resume(add);
        await aborted(signal);
        stop();
      }),
    ],
    reconcile: async (key) => (await controller.reconcile(keyText(key))) ?? done,
  };
}
