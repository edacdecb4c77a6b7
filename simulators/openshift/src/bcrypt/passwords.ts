import { createHash } from "node:crypto";
import { extname } from "node:path";
import { FairThreads } from "@keelson/base";
import { errors } from "../base/errors.ts";
import type { PasswordTask } from "./password-thread.ts";

/** Maximum number of queued passwords per owner. */
const maxWaiting = 32;
const saltBytes = 16;

const threads = new FairThreads<PasswordTask, string | boolean>({
  script: new URL(`password-thread${extname(import.meta.url)}`, import.meta.url),
  name: "passwords",
  threads: 1,
  threadsPerOwner: 1,
  cpuMs: 20_000,
  stalledMs: 120_000,
  memoryMb: 64,
  idleMs: 10_000,
});

/** Returns the bcrypt hash of a password. The salt is derived from `seed`, so repeated calls return the same hash. */
export async function hashPassword(password: string, seed: string): Promise<string> {
  const salt = createHash("sha256").update(seed).digest().subarray(0, saltBytes);
  return String(await compute({}, { kind: "hash", password, salt: new Uint8Array(salt) }));
}

/** True if the password matches the bcrypt hash. @throws TooManyPasswords */
export async function hasHash(password: string, hash: string, owner: object): Promise<boolean> {
  if (password === "" || !/^\$2[aby]\$\d\d\$[./A-Za-z0-9]{53}$/.test(hash)) return false;
  return (await compute(owner, { kind: "compare", password, hash })) === true;
}

async function compute(owner: object, task: PasswordTask): Promise<string | boolean> {
  if (threads.waitingOf(owner) >= maxWaiting)
    throw errors.TooManyPasswords("too many passwords of this cluster are being checked");
  const outcome = await threads.run(owner, task);
  if (outcome.kind === "reply") return outcome.reply;
  throw new Error(`a password was not hashed: the ${outcome.limit} limit was exceeded`);
}
