import { join } from "node:path";
import { type WalkOptions, walkPath } from "@keelson/base";
import { readInertLink } from "./inert-link.ts";

/** Resolves a path of a volume or a node's disk to a host path. The result is always within `root`. */
export async function resolveBelow(
  root: string,
  path: string,
  options: Omit<WalkOptions, "linkAt"> = {},
): Promise<string> {
  const linkAt = (components: readonly string[]) => readInertLink(join(root, ...components));
  return join(root, ...(await walkPath(path, { ...options, linkAt })));
}
