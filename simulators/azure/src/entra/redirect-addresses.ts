import { at } from "../base/json.ts";
import type { Client } from "./client.ts";
import { isPublicFirstParty } from "./first-party-clients.ts";

/**
 * Platforms of redirect addresses. A client with an address of the platform `web` must authenticate, because such a client is
 * confidential (OAuth 2.0).
 */
const platforms = ["web", "spa", "publicClient"] as const;

export type Platform = (typeof platforms)[number];

/** Returns the platform for which the client registered a redirect address. Returns `undefined` for an unregistered address. */
export function platformOf({ clientId, application }: Client, address: string): Platform | undefined {
  if (isPublicFirstParty(clientId)) return isLoopback(address) ? "publicClient" : undefined;
  return platforms.find((platform) => {
    const registered = at(application?.attributes, platform, "redirectUris");
    if (!Array.isArray(registered)) return false;
    if (registered.includes(address)) return true;
    // Native clients may use any port of a loopback address (RFC 8252, section 7.3).
    const portless = withoutPort(address);
    return (
      platform === "publicClient" &&
      isLoopback(address) &&
      registered.some((each) => typeof each === "string" && withoutPort(each) === portless)
    );
  });
}

function isLoopback(address: string): boolean {
  const url = URL.parse(address);
  return (
    url?.protocol === "http:" &&
    url.username === "" &&
    ["localhost", "127.0.0.1", "[::1]"].includes(url.hostname)
  );
}

function withoutPort(address: string): string | undefined {
  const url = URL.parse(address);
  if (!url) return undefined;
  url.port = "";
  return url.href;
}
