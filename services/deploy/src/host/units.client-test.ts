/** Verifies the machines' systemd units with systemd itself. */
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { existsSync, globSync, mkdtempDisposableSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { type TestContext, test } from "node:test";
import { rpParts } from "./parts.ts";
import { type UnitFile, unitFiles } from "./units.ts";

/** Runs `systemd-analyze verify`. Programs that exist only on the service's machines are replaced by `/bin/true`. */
function verify(units: readonly UnitFile[]): string {
  using directory = mkdtempDisposableSync(join(tmpdir(), "keelson-units-"));
  const absent = ["/usr/bin/podman", "/usr/local/sbin/keelson-registry-login"].filter(
    (path) => !existsSync(path),
  );
  for (const { name, content } of units)
    writeFileSync(
      join(directory.path, name),
      absent.reduce((text, path) => text.replaceAll(`=${path}`, "=/bin/true"), content),
    );
  const files = globSync(join(directory.path, "*"));
  const { stdout, stderr, status } = spawnSync("systemd-analyze", ["verify", "--man=no", ...files], {
    encoding: "utf8",
    // The trailing colon adds systemd's default directories, which contain the referenced targets.
    env: { ...process.env, SYSTEMD_UNIT_PATH: `${directory.path}:` },
  });
  const said = stdout + stderr;
  return status === 0 ? said : `${said}exit code ${status}`;
}

function hasSystemd(t: TestContext): boolean {
  const found = spawnSync("systemd-analyze", ["--version"]).status === 0;
  if (!found) t.skip("no systemd-analyze on this machine");
  return found;
}

for (const withSettings of [true, false])
  test(`systemd finds nothing wrong with the units of a machine ${withSettings ? "with" : "without"} settings`, (t) => {
    if (!hasSystemd(t)) return;
    assert.equal(verify(unitFiles("registry.example/keelson:v1", rpParts("info", true), withSettings)), "");
  });

test("systemd names a setting that it does not know", (t) => {
  if (!hasSystemd(t)) return;
  const units = unitFiles("registry.example/keelson:v1", rpParts("info", true), true).map(
    ({ name, content }) => ({
      name,
      content: content.replace("Restart=always", "Restrat=always"),
    }),
  );
  assert.match(verify(units), /Unknown key(?: name)? 'Restrat'/);
});
