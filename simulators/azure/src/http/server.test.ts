import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import process from "node:process";
import { test } from "node:test";
import { createCertificateAuthority, issueCertificate } from "@keelson/base";

/** Program that creates and starts a server, and prints the loaded schema compilers. */
const program = (certificate: object) => `
  import { createRequire } from "node:module";
  import { silentLogger, systemClock } from "@keelson/base";
  import { createServer } from ${JSON.stringify(new URL("server.ts", import.meta.url).href)};
  const server = createServer(${JSON.stringify(certificate)}, systemClock, silentLogger, async () => undefined);
  await server.listen({ host: "127.0.0.1", port: 0 });
  await server.close();
  const loaded = Object.keys(createRequire(import.meta.url).cache);
  console.log(JSON.stringify(loaded.filter((path) => path.includes("ajv") || path.includes("-compiler"))));
`;

test("a server starts without loading schema compilers", async () => {
  const authority = await createCertificateAuthority("test", 1);
  const pair = await issueCertificate(authority, { commonName: "localhost", usage: "server", validDays: 1 });
  const { stdout, stderr } = spawnSync(
    process.execPath,
    ["--disable-warning=ExperimentalWarning", "--input-type=module", "--eval", program(pair)],
    { encoding: "utf8", cwd: import.meta.dirname },
  );
  assert.equal(stdout.trim(), "[]", stderr);
});
