import { useSyncExternalStore } from "react";
import { showNotification } from "./browser-notification.ts";
import { type OperationState, OperationWatch } from "./operation-watch.ts";

const key = "keelson-watched-operations";
let store: OperationWatch | undefined;

/** Returns the watched operations of this tab. The session storage stores them, so that they survive a reload. */
export function operationWatch(): OperationWatch {
  store ??= new OperationWatch(sessionStorage.getItem(key), (watched) =>
    sessionStorage.setItem(key, JSON.stringify(watched)),
  );
  return store;
}

const subscribe = (listener: () => void) => operationWatch().subscribe(listener);
const snapshot = () => operationWatch().snapshot;

/** Returns the watched operations and the notices. The component is rendered again after each change. */
export const useOperationWatch = () => useSyncExternalStore(subscribe, snapshot);

/** Processes the state of an operation, and shows a browser notification if a watched operation has ended. */
export function observeOperation(state: OperationState): void {
  const notice = operationWatch().observe(state);
  if (notice) showNotification(notice);
}
