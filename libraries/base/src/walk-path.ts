const maxLinks = 40;

export interface WalkOptions {
  /** Returns the target of the symbolic link at a path. Returns undefined if the path is not a link. */
  readonly linkAt: (components: readonly string[]) => Promise<string | undefined>;
  /** True to keep a link at the end of the path unresolved. */
  readonly keepLink?: boolean;
  /** True to reject absolute links and `..` above the root. Default: both are resolved within the root, as with `chroot`. */
  readonly strict?: boolean;
}

/**
 * Resolves all links and dots of a path below a root, like openat2(2) with RESOLVE_IN_ROOT. Returns the resolved components.
 * @throws Error for too many links. If `strict`, also for a path that leaves the root.
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
      if (strict && done.length === 0) throw new Error(`${path} is outside of its volume`);
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
      if (strict) throw new Error(`${path} is outside of its volume`);
      done = [];
    }
    left.unshift(...componentsOf(link));
  }
  return done;
}

function componentsOf(path: string): string[] {
  return path.split("/").filter((each) => each !== "" && each !== ".");
}
