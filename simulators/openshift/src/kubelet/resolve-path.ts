import { join } from "node:path";
import { readInertLink } from "./inert-link.ts";

const maxLinks = 40;

export interface WalkOptions {
  /** What the link at these components says; `undefined` where there is none. */
  readonly linkAt: (components: readonly string[]) => Promise<string | undefined>;
  /** A link at the end of the path is not followed. */
  readonly keepLink?: boolean;
  /** Refuses absolute links and `..` above the root, in place of staying in the root as `chroot` does. */
  readonly strict?: boolean;
}

/**
 * The components of a path after all of its links and dots, one after the other (openat2(2), RESOLVE_IN_ROOT).
 * @throws Error for too many links and, where `strict`, for what leads out
 */
export async function walkPath(
  path: string,
  { linkAt, keepLink = false, strict = false }: WalkOptions,
): Promise<readonly string[]> {
  const left = componentsOf(path);
  let done: string[] = [];
  let links = 0;
  while (left.length > 0) {
    const part = left.shift() ?? "";
    if (part === "..") {
      if (strict && done.length === 0) throw new Error(`${path} leads out of its volume`);
      done.pop();
      continue;
    }
    const here = [...done, part];
    const link = keepLink && left.length === 0 ? undefined : await linkAt(here);
    if (link === undefined) {
      done = here;
      continue;
    }
    links += 1;
    if (links > maxLinks) throw new Error(`${path}: Too many levels of symbolic links`);
    if (link.startsWith("/")) {
      if (strict) throw new Error(`${path} leads out of its volume`);
      done = [];
    }
    left.unshift(...componentsOf(link));
  }
  return done;
}

/** Where a path of a volume or a node's disk is on this machine: never outside of `root`. */
export async function resolveBelow(
  root: string,
  path: string,
  options: Omit<WalkOptions, "linkAt"> = {},
): Promise<string> {
  const linkAt = (components: readonly string[]) => readInertLink(join(root, ...components));
  return join(root, ...(await walkPath(path, { ...options, linkAt })));
}

function componentsOf(path: string): string[] {
  return path.split("/").filter((each) => each !== "" && each !== ".");
}
