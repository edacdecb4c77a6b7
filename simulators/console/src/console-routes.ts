import { fileURLToPath } from "node:url";
import type { OneTimeLinks } from "./access/one-time-links.ts";
import type { Sessions } from "./access/sessions.ts";
import type { ConsoleOptions } from "./console-options.ts";
import { readAssets } from "./http/assets.ts";
import type { Route } from "./http/route.ts";
import { clockRoutes } from "./routes/clock.ts";
import { faultRoutes } from "./routes/faults.ts";
import { pageRoutes } from "./routes/pages.ts";
import { signInRoutes } from "./routes/sign-in.ts";
import type { World } from "./world/world.ts";

export interface RouteDeps extends Pick<ConsoleOptions, "facts" | "connect" | "pages"> {
  readonly links: OneTimeLinks;
  readonly sessions: Sessions;
  readonly port: number;
}

/** Directory of the built pages of this package. */
const builtPages = fileURLToPath(new URL("../dist/", import.meta.url));

/** All routes of the console. */
export async function consoleRoutes(deps: RouteDeps): Promise<readonly Route[]> {
  let connected: Promise<World> | undefined;
  const world = () => (connected ??= deps.connect());
  return [
    ...signInRoutes(deps),
    ...clockRoutes(world),
    ...faultRoutes(deps.facts, world),
    ...pageRoutes(await readAssets(deps.pages ?? builtPages)),
  ];
}
