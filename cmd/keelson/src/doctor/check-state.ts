import { existsSync, lstatSync, statSync } from "node:fs";
import { join } from "node:path";
import { messageOf } from "@keelson/base";
import { shellWord } from "../output/shell-word.ts";
import { readIdentity } from "../state/identity.ts";
import { rememberedPorts } from "../state/ports.ts";
import { isOpenToOthers, ownershipProblem } from "../state/private-directory.ts";
import { stateHolder } from "../state/state-lock.ts";
import { type Finding, failed, ok, warning } from "./finding.ts";

/** Checks the lock and the files of an existing state directory. */
export function checkState(directory: string): readonly Finding[] {
  return [checkLock(directory), checkFiles(directory)];
}

function checkLock(directory: string): Finding {
  try {
    const holder = stateHolder(directory);
    return ok(
      "state lock",
      holder === undefined ? `nothing runs from ${directory}` : `process ${holder} runs from ${directory}`,
    );
  } catch (error) {
    return failed(
      "state lock",
      messageOf(error),
      `find the process that has ${join(directory, "lock")} open (fuser) and end it`,
      `fuser -v ${shellWord(join(directory, "lock"))}`,
    );
  }
}

function checkFiles(directory: string): Finding {
  const secrets = join(directory, "secrets.json");
  try {
    readIdentity(directory);
    rememberedPorts(directory);
  } catch (error) {
    return failed("state files", messageOf(error), "the message says how", `ls -la ${shellWord(directory)}`);
  }
  const stats = lstatSync(directory);
  const problem = ownershipProblem(stats);
  if (problem !== undefined)
    return failed(
      "state files",
      `${directory} ${problem}`,
      "use a directory of your own: --state DIR",
      `ls -ld ${shellWord(directory)}`,
    );
  if (isOpenToOthers(stats))
    return warning(
      "state files",
      `other users of this machine can read ${directory}`,
      "permit access only to their owner",
      `chmod -R go-rwx ${shellWord(directory)}`,
    );
  const open = [secrets, join(directory, "endpoints.json"), join(directory, "service.json")].filter(
    (path) => existsSync(path) && (statSync(path).mode & 0o077) !== 0,
  );
  if (open.length === 0) return ok("state files", "secrets and ports are readable, by their owner alone");
  const files = open.map(shellWord).join(" ");
  return warning(
    "state files",
    `others of this machine can read secrets in ${open.join(", ")}`,
    `permit access only to their owner: chmod 600 ${files}`,
    `chmod 600 ${files}`,
  );
}
