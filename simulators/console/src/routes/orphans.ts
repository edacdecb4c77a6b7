import type { Route } from "../http/route.ts";
import type { World } from "../world/world.ts";

/** Differences between the simulated Azure and the clusters of the service, as `keelson sim audit` lists them. */
export function orphanRoutes(world: () => Promise<World>): readonly Route[] {
  return [
    {
      method: "GET",
      path: "/api/orphans",
      access: "session",
      async handle({ signal }) {
        return { status: 200, json: { orphans: await (await world()).orphans(signal) } };
      },
    },
  ];
}
