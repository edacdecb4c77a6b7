import { join } from "node:path";
import { FileLock } from "@keelson/base";

/** Returns the path of the lock file that a component holds while it uses the state directory. */
export function componentLock(directory: string, component: string): string {
  return join(directory, `${component}.lock`);
}

/** Returns the components with a running process that uses the state directory. */
export function componentsInUse(directory: string, components: readonly string[]): readonly string[] {
  return components.filter((each) => FileLock.isHeld(componentLock(directory, each)));
}
