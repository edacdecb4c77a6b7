import { type Route, route } from "../http/route.ts";
import type { World } from "../world/world.ts";

/** Route for the differences between the simulated Azure and the service's clusters. `keelson sim audit` prints the same list. */
export function orphanRoutes(world: () => Promise<World>): readonly Route[] {
  return [
    route("GET", "/api/orphans", async ({ signal }) => {
      return { status: 200, json: { orphans: await (await world()).orphans(signal) } };
    }),
  ];
}
