import { fileURLToPath } from "node:url";
import type { OneTimeLinks } from "./access/one-time-links.ts";
import type { Sessions } from "./access/sessions.ts";
import type { ConsoleOptions } from "./console-options.ts";
import { Assets } from "./http/assets.ts";
import type { Route } from "./http/route.ts";
import { clockRoutes } from "./routes/clock.ts";
import { clusterRoutes } from "./routes/clusters.ts";
import { directoryRoutes } from "./routes/directory.ts";
import { faultRoutes } from "./routes/faults.ts";
import { orphanRoutes } from "./routes/orphans.ts";
import { pageRoutes } from "./routes/pages.ts";
import { requestRoutes } from "./routes/requests.ts";
import { resourceRoutes } from "./routes/resources.ts";
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
export function consoleRoutes(deps: RouteDeps): readonly Route[] {
  let connected: Promise<World> | undefined;
  const world = () => {
    connected ??= deps.connect().catch((error: unknown) => {
      connected = undefined;
      throw error;
    });
    return connected;
  };
  return [
    ...signInRoutes(deps),
    ...clusterRoutes(deps.facts, world),
    ...resourceRoutes(deps.facts, world),
    ...requestRoutes(world),
    ...directoryRoutes(deps.facts, world),
    ...faultRoutes(deps.facts, world),
    ...clockRoutes(world),
    ...orphanRoutes(world),
    ...pageRoutes(new Assets(deps.pages ?? builtPages)),
  ];
}
