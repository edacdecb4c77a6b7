/** The commands of docs/development.md, at a running instance. */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { Program, StateDirectory } from "./support/program.ts";

const status = (text: string, check: string): string =>
  JSON.parse(text).findings.find((each: { check: string }) => each.check === check)?.status;

test("clusters are created, listed, watched and deleted; doctor finds nothing wrong; their documents are read", async () => {
  using state = new StateDirectory();
  const run = async (...args: readonly string[]) => {
    const outcome = await Program.run(...args, "--state", state.path);
    assert.equal(outcome.code, 0, outcome.stderr);
    return outcome;
  };
  await run("up", "--detach", "--ports", "auto");
  try {
    const created = await run("cluster", "create", "one");
    assert.match(created.stderr, /one Creating .*\d+\/\d+ /);
    assert.match(readFileSync(created.stdout.trim(), "utf8"), /kind: Config/);
    const listed = await run("cluster", "list", "-o", "json");
    const clusters: readonly { readonly id: string; readonly name: string; readonly state: string }[] =
      JSON.parse(listed.stdout);
    assert.deepEqual(clusters.map(({ name, state: provisioning }) => [name, provisioning]).sort(), [
      ["demo", "Succeeded"],
      ["one", "Succeeded"],
    ]);
    assert.equal((await run("cluster", "watch", "one")).stdout, "one Succeeded\n");

    const well = await run("doctor", "-o", "json");
    assert.equal(status(well.stdout, "azure"), "ok", well.stdout);
    assert.equal(status(well.stdout, "database"), "skipped", well.stdout);

    const absent = await Program.run("cluster", "delete", "two", "--state", state.path);
    assert.deepEqual([absent.code, /there is no cluster "two"/.test(absent.stderr)], [1, true]);

    assert.equal((await run("cluster", "delete", "one")).stdout, "one Succeeded\n");
    assert.equal(JSON.parse((await run("cluster", "list", "-o", "json")).stdout).length, 1);

    await run("down");
    const demo = clusters.find(({ name }) => name === "demo")?.id ?? "";
    const document = JSON.parse((await run("db", "get", demo)).stdout);
    assert.equal(document.openShiftCluster.properties.servicePrincipalProfile.clientSecret, "[REDACTED]");
    const stopped = await run("doctor", "-o", "json");
    for (const check of ["database", "migrations", "keyring"])
      assert.equal(status(stopped.stdout, check), "ok", check);
  } finally {
    await Program.run("down", "--state", state.path);
  }
});
