import assert from "node:assert/strict";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { after, test } from "node:test";
import { passwordFromCommand, passwordFromFile } from "./database-password.ts";

const directory = mkdtempSync(join(tmpdir(), "keelson-password-"));
after(() => rmSync(directory, { recursive: true }));

test("a password file is read for each connection, without its last line break", async () => {
  const path = join(directory, "password");
  const read = passwordFromFile(path);
  writeFileSync(path, "first\n");
  assert.equal(await read(), "first");
  writeFileSync(path, "sec ond");
  assert.equal(await read(), "sec ond");
  rmSync(path);
  await assert.rejects(read(), {
    code: "InvalidConfiguration",
    message: /database\.passwordFile: .*password cannot be read/,
  });
});

test("concurrent connections share one run of the password command", async () => {
  const log = join(directory, "runs");
  writeFileSync(log, "");
  const script = `require("fs").appendFileSync(${JSON.stringify(log)}, "run,"); console.log("token")`;
  const read = passwordFromCommand([process.execPath, "-e", script]);
  assert.deepEqual(await Promise.all([read(), read(), read()]), ["token", "token", "token"]);
  assert.equal(readFileSync(log, "utf8"), "run,");
});

test("a failed password command is reported without its output and runs again at the next connection", async () => {
  const marker = join(directory, "marker");
  const script = `if (!require("fs").existsSync(${JSON.stringify(marker)})) { console.log("hunter2"); process.exit(3) } console.log("token")`;
  const read = passwordFromCommand([process.execPath, "-e", script]);
  await assert.rejects(read(), (error: Error) => {
    assert.match(error.message, /database\.passwordCommand: .* failed: exit code 3/);
    assert.doesNotMatch(error.message, /hunter2/);
    return true;
  });
  writeFileSync(marker, "");
  assert.equal(await read(), "token");
});
