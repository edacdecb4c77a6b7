import assert from "node:assert/strict";
import { test } from "node:test";
import { Command } from "commander";
import { addSimSnapshot } from "./sim-snapshot.ts";

async function run(...args: readonly string[]): Promise<{ readonly code: string; readonly message: string }> {
  const sim = new Command("sim");
  addSimSnapshot(sim);
  const all = [sim, ...sim.commands, ...sim.commands.flatMap(({ commands }) => commands)];
  for (const each of all) each.exitOverride().configureOutput({ writeErr: () => undefined });
  try {
    await sim.parseAsync(args, { from: "user" });
    return { code: "", message: "" };
  } catch (error) {
    return error instanceof Error && "code" in error
      ? { code: String(error.code), message: error.message }
      : { code: "?", message: String(error) };
  }
}

for (const name of ["Base", "a/b", "../x", ".empty", "-a", "a-", "a".repeat(64), ""])
  for (const command of ["save", "restore", "remove"])
    test(`keelson sim snapshot ${command} rejects the name ${JSON.stringify(name)} before it opens anything`, async () => {
      const { code, message } = await run("snapshot", command, "--state", "/nonexistent", "--", name);
      assert.equal(code, "commander.invalidArgument");
      assert.match(message, /at most 63 lower-case letters, digits and hyphens, for example before-upgrade/);
    });

test("keelson sim reset without an instance names the command that starts one", async () => {
  const { code, message } = await run("reset", "--state", "/nonexistent");
  assert.equal(code, "NotRunning");
  assert.match(message, /keelson up --state \/nonexistent/);
});
