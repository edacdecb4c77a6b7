import type { RequestsView } from "../api/requests.ts";
import { consoleErrors } from "../http/errors.ts";
import { type Route, route } from "../http/route.ts";
import type { World } from "../world/world.ts";

/** Routes for the simulated Azure's request log. Requests are redacted before they are stored. */
export function requestRoutes(world: () => Promise<World>): readonly Route[] {
  return [
    route("GET", "/api/requests", async ({ query }) => {
      const after = wholeNumber(query.get("after") ?? "0", "after");
      const { requests } = await world();
      const found = requests.since(after);
      const view: RequestsView = { requests: found, newest: found.at(-1)?.sequence ?? after };
      return { status: 200, json: view };
    }),
    route("GET", "/api/requests/{sequence}", async ({ parameter }) => {
      const { requests } = await world();
      const found = requests.find(wholeNumber(parameter("sequence"), "sequence"));
      if (!found) throw consoleErrors.NotFound("The request is no longer in the log.");
      return { status: 200, json: found };
    }),
  ];
}

function wholeNumber(text: string, name: string): number {
  if (/^\d{1,15}$/.test(text)) return Number(text);
  throw consoleErrors.BadRequest(`${name} must be a whole number.`);
}
