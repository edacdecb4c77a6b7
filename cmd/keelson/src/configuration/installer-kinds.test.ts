import assert from "node:assert/strict";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { createCertificateAuthority } from "@keelson/base";
import { programInstallerKinds } from "./installer-kinds.ts";

const directory = mkdtempSync(join(tmpdir(), "keelson-installer-kind-"));
after(() => rmSync(directory, { recursive: true }));
const caFile = join(directory, "ca.pem");
before(async () => writeFileSync(caFile, (await createCertificateAuthority("clusters", 1)).certificatePem));
const plain = join(directory, "plain.txt");
writeFileSync(plain, "text");
const deps = { hive: undefined };
const simulated = { kind: "simulated", clustersUrl: "https://clusters", caFile };

test("the program knows the installer of simulated clusters besides the service's own", async () => {
  assert.deepEqual(Object.keys(programInstallerKinds), ["simulated", "aro-installer", "hive"]);
  assert.deepEqual(programInstallerKinds.simulated?.problems(simulated, false), []);
  const installer = await programInstallerKinds.simulated?.create(simulated, deps);
  assert.equal(typeof installer?.generate, "function");
});

test("a configuration of simulated clusters is refused with its member", async () => {
  const problems = programInstallerKinds.simulated?.problems(
    { ...simulated, clustersUrl: "clusters" },
    false,
  );
  assert.match(problems?.join("; ") ?? "", /^\/installer\/clustersUrl /);
  await assert.rejects(
    async () => await programInstallerKinds.simulated?.create({ ...simulated, caFile: plain }, deps),
    /installer\.caFile: .*plain\.txt cannot be used/,
  );
});
