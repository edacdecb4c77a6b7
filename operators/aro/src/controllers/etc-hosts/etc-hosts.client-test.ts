/** Runs the node's /etc/hosts script with bash on temporary files. */
import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";
import { promisify } from "node:util";
import { resolverScript } from "./node-files.ts";

const run = promisify(execFile);
const marker = "# openshift-aro-etchosts-resolver";

describe("a node's /etc/hosts", () => {
  const directory = mkdtempSync(join(tmpdir(), "hosts-"));
  const hosts = join(directory, "etc/hosts");
  const entries = join(directory, "etc/hosts.d/aro.conf");
  const resolve = () => run("bash", ["-c", resolverScript.replaceAll("/etc/", `${directory}/etc/`)]);
  before(() => mkdirSync(join(directory, "etc/hosts.d"), { recursive: true }));
  after(() => rmSync(directory, { recursive: true }));

  for (const [name, own] of [
    ["ends with a line", "127.0.0.1 localhost\n# a comment\n"],
    ["ends within a line", "127.0.0.1 localhost\n# a comment"],
  ] as const)
    test(`that ${name} is preserved, with each name once after repeated runs`, async () => {
      writeFileSync(hosts, own);
      for (const address of ["10.0.0.4", "10.0.0.4", "10.0.0.5"]) {
        writeFileSync(entries, `${address}\tapi.a.io api-int.a.io\n\t\n`);
        await resolve();
        assert.equal(
          readFileSync(hosts, "utf8"),
          `127.0.0.1 localhost\n# a comment\n${address}\tapi.a.io api-int.a.io ${marker}\n\t ${marker}\n`,
        );
      }
    });

  test("is not written when nothing differs", async () => {
    const before = statSync(hosts, { bigint: true }).mtimeNs;
    await resolve();
    assert.equal(statSync(hosts, { bigint: true }).mtimeNs, before);
  });

  test("is not changed if the names are missing", async () => {
    const before = readFileSync(hosts, "utf8");
    rmSync(entries);
    await assert.rejects(resolve());
    assert.equal(readFileSync(hosts, "utf8"), before);
  });
});
