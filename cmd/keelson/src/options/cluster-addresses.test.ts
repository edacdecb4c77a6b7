import assert from "node:assert/strict";
import { test } from "node:test";
import { Command } from "commander";
import { addClusterAddresses } from "./options.ts";

async function run(platform: string, ...args: readonly string[]): Promise<string> {
  let printed = "";
  const command = addClusterAddresses(new Command("up"), platform)
    .exitOverride()
    .configureOutput({ writeErr: (text) => (printed += text) })
    .action(() => undefined);
  await command.parseAsync(args, { from: "user" }).catch(() => undefined);
  return printed;
}

test("--cluster-addresses is refused where 127.0.0.1 is the only address", async () => {
  assert.match(await run("darwin", "--cluster-addresses"), /needs Linux.*Start without it/);
  assert.equal(await run("darwin"), "");
  assert.equal(await run("linux", "--cluster-addresses"), "");
});
