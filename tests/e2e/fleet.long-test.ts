import { test } from "node:test";
import { Fleet, leasesOf } from "./support/fleet.ts";
import { surviveProviderKill } from "./support/killed-provider.ts";

/** Number of clusters. `make chaos` installs more clusters concurrently, and the fleet benchmark installs a thousand. */
const fleetSize = 12;

test(`two providers install ${fleetSize} clusters concurrently, one is killed half way: each is installed exactly once`, {
  timeout: 900_000,
}, async () => {
  const names = Array.from({ length: fleetSize }, (_, i) => `fleet${i}`);
  await using fleet = await Fleet.start({ names, config: leasesOf(15_000) });
  await surviveProviderKill(fleet, names);
});
