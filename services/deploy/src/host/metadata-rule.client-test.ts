/** Tests the nftables rule for the metadata service in a network namespace. */
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { mkdtempDisposableSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { test } from "node:test";
import { metadataRule } from "./metadata-rule.ts";

/**
 * Program that listens on the metadata service's address and connects to it as each user. Prints `USER open` or `USER closed`.
 */
const program = `
const { createServer, connect } = require("node:net");
const { spawnSync } = require("node:child_process");
const { once } = require("node:events");
const user = process.env.AS_USER;
if (user !== undefined) {
  process.setgroups([]); process.setgid(Number(user)); process.setuid(Number(user));
  const socket = connect(80, "169.254.169.254");
  const end = (state) => { console.log(user, state); socket.destroy(); };
  socket.on("connect", () => end("open"));
  socket.on("error", () => end("closed"));
} else {
  const server = createServer().listen(80, "169.254.169.254", async () => {
    const { spawn } = require("node:child_process");
    for (const each of [0, 65532, 65521, 65525, 1000]) {
      const child = spawn(process.execPath, process.argv.slice(1), { env: { AS_USER: String(each) }, stdio: "inherit" });
      await once(child, "exit");
    }
    server.close();
  });
}
`;

test("only root and the settings' reader reach the metadata service", (t) => {
  using directory = mkdtempDisposableSync(join(tmpdir(), "keelson-nft-"));
  const file = join(directory.path, "metadata.nft");
  writeFileSync(file, metadataRule);
  const script = join(directory.path, "users.cjs");
  writeFileSync(script, program);
  const namespace = (command: string) =>
    spawnSync("unshare", ["--net", "sh", "-ec", command, "sh", file, process.execPath, script], {
      encoding: "utf8",
    });
  if (process.getuid?.() !== 0 || namespace('nft --check --file "$1"').status !== 0)
    return t.skip("no nft, or no network namespaces on this machine");
  // Loads the rule twice, because a restart of the unit loads it again.
  const { stdout, stderr } = namespace(
    'ip link set lo up; ip address add 169.254.169.254/32 dev lo; nft --file "$1"; nft --file "$1"; exec "$2" "$3"',
  );
  assert.deepEqual(
    stdout.trim().split("\n"),
    ["0 open", "65532 open", "65521 closed", "65525 closed", "1000 closed"],
    stderr,
  );
});
