import { aborted } from "@keelson/base";
import { type Controller, done, keyText, parseKey, type Result, watchSource } from "@keelson/controller";
import type { RevisionStore, StoreEvent } from "../storage/revision-store.ts";

/** Adds a key to the controller's queue. A queued key is not added again. */
export type AddKey = (key: string) => void;

/**
 * Built-in controller of a cluster. It reads stored objects directly instead of a cache and rarely parses them. Keys are store
 * keys or identifiers that the controller defines.
 */
export interface StoreController {
  readonly name: string;
  /** Queues existing objects when the cluster opens. */
  resume(add: AddKey): void;
  /** Called synchronously for each change, before the write responds. The function must not throw or block. */
  observe(event: StoreEvent, add: AddKey): void;
  /** Reconciles the object that a key identifies. */
  reconcile(key: string): Promise<Result | undefined>;
}

/** Adapts the controller to the shared controller runtime. The runtime adds back-off and logging, and runs each key serially. */
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
