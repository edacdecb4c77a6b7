import { cliErrors } from "../output/cli-errors.ts";
import type { Endpoints } from "../state/endpoints.ts";
import { AdminConnection } from "./admin-connection.ts";

export interface ConsoleLink {
  readonly url: string;
  /** RFC 3339. */
  readonly expires: string;
}

/** Creates a one-time link that signs a browser in to the console. @throws NotRunning */
export async function newConsoleLink(
  { console, caFile }: Pick<Endpoints, "console" | "caFile">,
  adminToken: string,
): Promise<ConsoleLink> {
  if (console === undefined)
    throw cliErrors.NotRunning(
      "this instance has no console: start it by `keelson up` without `--without console`",
    );
  await using connection = new AdminConnection(console, caFile, adminToken);
  return JSON.parse(await connection.call("POST", "/api/links"));
}
