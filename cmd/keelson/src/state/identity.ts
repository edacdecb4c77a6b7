import { createHash, randomBytes, randomUUID } from "node:crypto";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { cliErrors } from "../output/cli-errors.ts";
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
  /** Seed of the IDs. If the seed is undefined, the IDs are random. */
  readonly seed?: number;
  readonly encryptionKeys: { readonly current: string; readonly keys: Readonly<Record<string, string>> };
}

/**
 * Returns the identity of a state directory. Creates it for a new directory. New directories with the same seed get the same IDs.
 * Secrets are always random.
 * @throws StateUnreadable, also if a directory has a database but no secrets; StateUnusable if the directory was created with a
 * different seed
 */
export function loadOrCreateIdentity(directory: string, seed?: number): Identity {
  const path = join(directory, "secrets.json");
  // Existing data cannot be decrypted with new keys. If a database exists, missing secrets are therefore an error.
  if (existsSync(path) || existsSync(join(directory, "database")))
    return withSeed(parse(path), seed, directory);
  const id = (name: string) => (seed === undefined ? randomUUID() : seededUuid(seed, name));
  const keyId = randomBytes(4).toString("hex");
  const identity: Identity = {
    tenantId: id("tenant"),
    subscriptionId: id("subscription"),
    firstParty: createPrincipal(id("firstParty")),
    user: createPrincipal(id("user")),
    ...(seed === undefined ? {} : { seed }),
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
export function createPrincipal(clientId: string = randomUUID()): Principal {
  // Uses hexadecimal, because a base64url string may start with a hyphen. Command lines parse such a string as an option.
  return { clientId, clientSecret: randomBytes(24).toString("hex") };
}

function parse(path: string): Identity {
  return readStateFile<Identity>(
    path,
    ["tenantId", "subscriptionId", "firstParty", "user", "adminToken", "skipTokenKey", "encryptionKeys"],
    "restore it from a backup, or start afresh with another --state DIR",
  );
}

function withSeed(identity: Identity, seed: number | undefined, directory: string): Identity {
  if (seed === undefined || identity.seed === seed) return identity;
  const other = identity.seed === undefined ? "without a seed" : `with the seed ${identity.seed}`;
  throw cliErrors.StateUnusable(
    `The state directory ${directory} was created ${other}, so --seed ${seed} cannot be used. Use a new directory with --state DIR.`,
  );
}

/** Returns a UUID of version 8 (RFC 9562) that depends only on the seed and the name. */
function seededUuid(seed: number, name: string): string {
  const bytes = createHash("sha256").update(`keelson ${seed} ${name}`).digest().subarray(0, 16);
  bytes[6] = ((bytes[6] ?? 0) & 0x0f) | 0x80;
  bytes[8] = ((bytes[8] ?? 0) & 0x3f) | 0x80;
  return bytes.toString("hex").replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, "$1-$2-$3-$4-$5");
}
