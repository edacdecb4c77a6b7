import { after, before, describe } from "node:test";
import { type AzVersion, azVersions } from "./az.ts";
import { AzWorld } from "./az-world.ts";

/**
 * Runs the same tests concurrently with both releases of `az` on one service. At most two commands run at a time. `flags` are
 * passed to `keelson up`.
 */
export function withBothReleases(
  title: string,
  flags: readonly string[],
  define: (version: AzVersion, world: () => AzWorld) => void,
): void {
  describe(title, { concurrency: 2, timeout: 1_100_000 }, () => {
    let world: AzWorld;
    before(async () => {
      world = await AzWorld.start(...flags);
    });
    after(() => world[Symbol.asyncDispose]());

    for (const version of [azVersions.newest, azVersions.older]) {
      describe(version, { concurrency: 1 }, () => define(version, () => world));
    }
  });
}
