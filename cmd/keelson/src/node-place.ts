import { join } from "node:path";
import type { PlaceOf } from "@keelson/operator-kit";

/** Where paths of a node are: a simulated container, which runs on this machine, has its own folder for `/`. */
export function nodePlace({ KEELSON_ROOT: root }: Readonly<Record<string, string | undefined>>): PlaceOf {
  return root ? (path) => join(root, path) : (path) => path;
}
