import { randomBytes, randomUUID } from "node:crypto";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { writeFileAtomically } from "./atomic-file.ts";
import { readStateFile } from "./state-file.ts";

export interface Principal {
  readonly clientId: string;
  readonly clientSecret: string;
}

/**
 * Tenant, subscription, principals and keys of the embedded world. Created once per state directory and stored in `secrets.json`
 * (mode 0600).
 */
export interface Identity {
  readonly tenantId: string;
  readonly subscriptionId: string;
  /** Application of the service. */
  readonly firstParty: Principal;
  /** Application of the user. Its `clientId` is also in `endpoints.json`. */
  readonly user: Principal;
  /** Bearer token of the simulated world's admin API. */
  readonly adminToken: string;
  /** Key of skip tokens: 32 bytes in base64. */
  readonly skipTokenKey: string;
  readonly encryptionKeys: { readonly current: string; readonly keys: Readonly<Record<string, string>> };
}

/**
 * Returns the identity of a state directory. Creates it for a new directory.
 * @throws StateUnreadable, also if a directory has a database but no secrets
 */
export function loadOrCreateIdentity(directory: string): Identity {
  const path = join(directory, "secrets.json");
  // Does not create new secrets for an existing database, because new keys could not decrypt its data.
  if (existsSync(path) || existsSync(join(directory, "database"))) return parse(path);
  const keyId = randomBytes(4).toString("hex");
  const identity: Identity = {
    tenantId: randomUUID(),
    subscriptionId: randomUUID(),
    firstParty: createPrincipal(),
    user: createPrincipal(),
    adminToken: randomBytes(32).toString("base64url"),
    skipTokenKey: randomBytes(32).toString("base64"),
    encryptionKeys: { current: keyId, keys: { [keyId]: randomBytes(32).toString("base64") } },
  };
  writeFileAtomically(path, `${JSON.stringify(identity, undefined, 2)}\n`, 0o600);
  return identity;
}

/** Reads the identity of an existing state directory. @throws StateUnreadable */
export function readIdentity(directory: string): Identity {
  return parse(join(directory, "secrets.json"));
}

/** Creates a client ID and a client secret. */
export function createPrincipal(): Principal {
  // Hexadecimal: base64url may start with a hyphen, which command lines parse as an option.
  return { clientId: randomUUID(), clientSecret: randomBytes(24).toString("hex") };
}

function parse(path: string): Identity {
  return readStateFile<Identity>(
    path,
    ["tenantId", "subscriptionId", "firstParty", "user", "adminToken", "skipTokenKey", "encryptionKeys"],
    "restore it from a backup, or start afresh with another --state DIR",
  );
}
