import process from "node:process";
import { type Clock, Secret, systemClock } from "@keelson/base";
import type { ServiceConfig } from "@keelson/env";
import { Logins, loginCookie, roleOf, SessionKeys } from "@keelson/portal";
import type { ConfigFlags } from "../options/service-flags.ts";
import { roleConfigOf } from "../options/service-flags.ts";
import { cliErrors } from "../output/cli-errors.ts";

export interface PortalAuthFlags extends ConfigFlags {
  readonly username: string;
  readonly groups: readonly string[];
  readonly output: "table" | "json";
}

export interface PortalCookie {
  readonly name: string;
  readonly value: string;
  readonly role: string;
}

export async function printPortalCookie(flags: PortalAuthFlags): Promise<void> {
  const cookie = await portalCookie(await roleConfigOf(flags), flags, systemClock);
  process.stdout.write(
    flags.output === "json" ? `${JSON.stringify(cookie)}\n` : `${cookie.name}=${cookie.value}\n`,
  );
}

/**
 * Creates a portal session cookie for a user in the given groups.
 * @throws NoPortal, NoAccess
 */
export async function portalCookie(
  { portal }: Pick<ServiceConfig, "portal">,
  { username, groups }: Pick<PortalAuthFlags, "username" | "groups">,
  clock: Clock,
): Promise<PortalCookie> {
  if (!portal?.signIn) {
    throw cliErrors.NoPortal("the configuration has no portal that people sign in to: add portal.signIn");
  }
  const role = roleOf(groups, portal.signIn.groups);
  if (!role)
    throw cliErrors.NoAccess(`none of the groups ${groups.join(", ")} is one of portal.signIn.groups`);
  const keys = new SessionKeys(portal.signIn.sessionKeys.map((key) => new Secret(key)));
  return { name: loginCookie, value: await new Logins(keys, clock).seal(username, role, "first-use"), role };
}
