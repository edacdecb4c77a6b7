import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdtempDisposableSync, readdirSync, readFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { text } from "node:stream/consumers";
import { test } from "node:test";
import { ClientSecretCredential } from "@azure/identity";

const flags = ["--disable-warning=ExperimentalWarning", join(import.meta.dirname, "keelson-azure.ts")];

test("keelson-azure writes its endpoints, signs in the owner and removes its files at SIGTERM", async () => {
  using directory = mkdtempDisposableSync(join(tmpdir(), "keelson-azure-"));
  const file = join(directory.path, "azure.json");
  const child = spawn(process.execPath, [...flags, "--endpoints", file]);
  await once(child.stdout, "data");
  const { login, tenantId, clientId, clientSecret, caFile } = JSON.parse(readFileSync(file, "utf8"));
  const credential = new ClientSecretCredential(tenantId, clientId, clientSecret, {
    authorityHost: login,
    disableInstanceDiscovery: true,
    tlsOptions: { ca: readFileSync(caFile, "utf8") },
  });
  assert.ok((await credential.getToken("https://management.azure.com/.default")).token);
  child.kill("SIGTERM");
  const [code] = await once(child, "exit");
  assert.equal(code, 0);
  assert.deepEqual(readdirSync(directory.path), []);
});

const invalid = [
  [[], /missing option --endpoints FILE\. Example: keelson-azure --endpoints azure\.json/],
  [["--endpoints", "e", "--port", "x"], /invalid --port "x": expected a number/],
  [["--endpoints", "e", "--location", "East US"], /invalid --location "East US": expected lower-case/],
] as const;

test("keelson-azure exits with code 2 for invalid options, names them and writes no file", async () => {
  const runs = invalid.map(async ([args, expected]) => {
    const child = spawn(process.execPath, [...flags, ...args], { stdio: ["ignore", "ignore", "pipe"] });
    const [stderr, [code]] = await Promise.all([text(child.stderr), once(child, "exit")]);
    assert.match(stderr, expected);
    assert.equal(code, 2, args.join(" "));
  });
  await Promise.all(runs);
  assert.equal(existsSync("e"), false);
});
