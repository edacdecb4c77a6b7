import { aborted } from "@keelson/base";
import { type Controller, done, keyText, parseKey, type Result, watchSource } from "@keelson/controller";
import type { RevisionStore, StoreEvent } from "../storage/revision-store.ts";

/** Adds a key to the controller's queue. A queued key is not added again. */
export type AddKey = (key: string) => void;

/**
 * Built-in controller of a cluster. It reads stored objects directly instead of a cache, mostly without
 * parsing them. Keys are store keys or identifiers defined by the controller.
 */
export interface StoreController {
  readonly name: string;
  /** Adds stored objects when the cluster opens. */
  resume(add: AddKey): void;
  /** Called synchronously for each change, before the write's response. It must not throw or block. */
  observe(event: StoreEvent, add: AddKey): void;
  /** Reconciles the subject of a key. */
  reconcile(key: string): Promise<Result | undefined>;
}

/** Adapts the controller to the shared runtime, which provides back-off, serialization by key and logging. */
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
