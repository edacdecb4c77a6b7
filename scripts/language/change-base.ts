import { realpathSync } from "node:fs";
import { tryGit } from "../git/git.ts";
import { UsageError } from "./options.ts";

/** Base commit of a change, or the reason why it is unknown. */
export interface ChangeBase {
  readonly isCheckout: boolean;
  readonly base?: string;
  readonly skipped?: string;
}

const defaults = ["main", "origin/main"];

/**
 * Finds the base commit of a change. Default: the local or remote branch `main`.
 * @throws UsageError if git does not know the given base
 */
export function findChangeBase(root: string, given: string | undefined): ChangeBase {
  const top = tryGit(root, "rev-parse", "--show-toplevel");
  if (top === undefined || realpathSync(top) !== realpathSync(root) || !isCommit(root, "HEAD")) {
    return {
      isCheckout: false,
      skipped: "No git checkout: added lines and commit subjects are not checked.",
    };
  }
  if (given !== undefined && !isCommit(root, given)) {
    throw new UsageError(
      `base "${given}" is not a commit of this repository. Use a branch, tag or commit, for example --base origin/main.`,
    );
  }
  const base = given ?? defaults.find((name) => isCommit(root, name));
  if (base === undefined) {
    const skipped =
      "No branch main or origin/main: added lines are not checked. Set the base with --base REF.";
    return { isCheckout: true, skipped };
  }
  if (tryGit(root, "merge-base", base, "HEAD") === undefined) {
    const skipped = `No common commit of ${base} and HEAD in this clone: added lines are not checked.`;
    return { isCheckout: true, skipped };
  }
  return { isCheckout: true, base };
}

function isCommit(root: string, name: string): boolean {
  return (
    tryGit(root, "rev-parse", "--verify", "--quiet", "--end-of-options", `${name}^{commit}`) !== undefined
  );
}
