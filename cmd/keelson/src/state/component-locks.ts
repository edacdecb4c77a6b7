import { join } from "node:path";
import { FileLock } from "@keelson/base";

/** Lock file of a component while it uses the state directory. */
export function componentLock(directory: string, component: string): string {
  return join(directory, `${component}.lock`);
}

/** Filters components by a running process that uses the state directory. */
export function componentsInUse(directory: string, components: readonly string[]): readonly string[] {
  return components.filter((each) => FileLock.isHeld(componentLock(directory, each)));
}
