import { hkdfSync } from "node:crypto";
import type { Identity, Principal } from "./identity.ts";

export interface PortalIdentity extends Principal {
  /** Encryption key of sessions: 32 bytes in base64. */
  readonly sessionKey: string;
}

/**
 * Derives the portal's application credentials and session key from the secrets of the state directory. Because nothing new is
 * stored, state directories of earlier releases work too.
 */
export function portalIdentity({ skipTokenKey }: Identity): PortalIdentity {
  const derive = (use: string, bytes: number) =>
    Buffer.from(hkdfSync("sha256", Buffer.from(skipTokenKey, "base64"), "", `portal ${use}`, bytes));
  return {
    clientId: uuidOf(derive("client ID", 16)),
    clientSecret: derive("client secret", 24).toString("hex"),
    sessionKey: derive("session key", 32).toString("base64"),
  };
}

/** Formats 16 bytes as a UUID. */
export function uuidOf(bytes: Buffer): string {
  const hex = bytes.toString("hex");
  const parts = [hex.slice(0, 8), hex.slice(8, 12), `4${hex.slice(13, 16)}`, `a${hex.slice(17, 20)}`];
  return [...parts, hex.slice(20)].join("-");
}
