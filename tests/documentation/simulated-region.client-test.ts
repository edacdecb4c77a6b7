/** Runs "Try it without Azure" of docs/deploy.md with other ports. The result is a healthy region with a cluster. */
import assert from "node:assert/strict";
import { readFileSync, symlinkSync } from "node:fs";
import { resolve } from "node:path";
import process from "node:process";
import { test } from "node:test";
import { StateDirectory } from "../e2e/support/program.ts";
import { runBlock, shellBlocks } from "./support/document-blocks.ts";

const root = resolve(import.meta.dirname, "../..");

test("the documented trial ends in a healthy region with a cluster and logs", {
  timeout: 900_000,
}, async () => {
  using state = new StateDirectory();
  for (const name of ["keelson", "scripts", "cmd", "node_modules", ".tools"])
    symlinkSync(`${root}/${name}`, state.file(name));
  const page = readFileSync(`${root}/docs/deploy.md`, "utf8");
  assert.match(page, /^## Try it without Azure$/m);
  const blocks = shellBlocks("docs/deploy.md");
  assert.equal(blocks.length, 4);
  // The trap stops the simulated Azure when the shell exits, as in the terminal of a reader.
  const script = `trap 'kill %1; wait' EXIT\n${blocks.join("\n")}`
    .replace("--state region", "--ports auto --state region")
    .replace("--cosmos-port 8081", "--cosmos-port 0")
    .replace(
      "https://localhost:8443",
      `"$(node -p 'JSON.parse(fs.readFileSync("region/endpoints.json")).rp')"`,
    );
  const output = await runBlock(script, {
    cwd: state.path,
    env: {
      ...process.env,
      PATH: `${resolve(process.execPath, "..")}:${process.env.PATH}`,
      KEELSON_OPERATORS: "none",
    },
  });
  assert.match(output, /stored rp-server in keelson-eus-svc/);
  assert.match(output, /eastus +v1 +rp-vmss-v1 /);
  assert.match(output, /"level":/, "log lines of the machine");
});
