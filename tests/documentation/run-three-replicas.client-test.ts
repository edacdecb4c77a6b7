/**
 * Runs the commands of docs/howto/run-three-replicas.md and docs/howto/monitor-the-service.md in one shell, with other ports and with
 * PostgreSQL, Prometheus and Alertmanager from Debian.
 */
import assert from "node:assert/strict";
import { chmodSync, mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { resolve } from "node:path";
import process from "node:process";
import { test } from "node:test";
import { createCertificateAuthority, issueCertificate } from "@keelson/base";
import { freePort } from "@keelson/base/testing";
import { StateDirectory } from "../e2e/support/program.ts";
import {
  DebianPostgres,
  giveToServer,
  initialize,
  noPostgres,
  postgresPrograms,
} from "./support/debian-postgres.ts";
import { runBlock, shellBlocks } from "./support/document-blocks.ts";

const root = resolve(import.meta.dirname, "../..");
/** Directory in which scripts/install-clients.sh installs the programs. */
const prometheusPrograms = `${root}/.tools/clients/bookworm/usr/bin`;
const documentedPorts = /\b(?:84[456]3|8445|94[0-6]2|807[01]|8081|909[03])\b/g;

test("the documented commands start three replicas with all roles, create a cluster, and show an alert of the service", {
  skip: noPostgres() ?? false,
  timeout: 900_000,
}, async () => {
  using state = new StateDirectory();
  chmodSync(state.path, 0o755);
  await using postgres = await startPostgres(state);
  for (const name of [
    "keelson",
    "scripts",
    "cmd",
    "deploy",
    "libraries",
    "services",
    "node_modules",
    ".tools",
  ])
    symlinkSync(`${root}/${name}`, state.file(name));
  const blocks = [...shellBlocks("docs/howto/run-three-replicas.md")];
  assert.equal(blocks.length, 5);
  const monitoring = shellBlocks("docs/howto/monitor-the-service.md");
  assert.equal(monitoring.length, 4);
  blocks.push(...monitoring);
  const ports = new Map<string, string>();
  for (const [port] of blocks.join("\n").matchAll(documentedPorts)) ports.set(port, String(await freePort()));
  const simulated = `--ports auto --rp-port ${ports.get("8443")} --portal-port ${ports.get("8445")}`;
  // The trap stops the processes when the shell exits, as in the terminal of a reader.
  const script = `trap 'kill $(jobs -p); wait' EXIT\n${blocks.join("\n")}`
    .replaceAll(documentedPorts, (port) => ports.get(port) ?? port)
    .replace("--state world --subnets-for", `${simulated} --state world --subnets-for`);
  const output = await runBlock(script, {
    cwd: state.path,
    env: {
      ...process.env,
      PATH: [resolve(process.execPath, ".."), postgresPrograms, prometheusPrograms, process.env.PATH].join(
        ":",
      ),
      SUPERUSER: `postgres://postgres:secret@localhost:${postgres.port}`,
    },
  });
  assert.match(output, /\d+ grants changed/);
  assert.match(output, /^ok +database: postgres answers$/m);
  assert.match(output, /has the keys of all 1 clusters examined/);
  const up = output.match(/^\{__name__="up".*\} => 1 @/gm) ?? output.match(/^up\{.*\} => 1 @/gm);
  assert.equal(up?.length, 8, "each process is a target");
  assert.match(output, /^KeelsonDatabaseWritesBlocked .*active/m);
  assert.match(output, /^FAILED +database writes: .*none of "lost" confirms/m);
});

async function startPostgres(state: StateDirectory): Promise<DebianPostgres> {
  for (const name of ["data", "certificates"]) mkdirSync(state.file(name));
  giveToServer(state.file("data"), 0o700);
  const authority = await createCertificateAuthority("databases", 2);
  const server = await issueCertificate(authority, {
    commonName: "localhost",
    dnsNames: ["localhost"],
    usage: "server",
    validDays: 2,
  });
  writeFileSync(state.file("certificates/ca.pem"), authority.certificatePem);
  writeFileSync(state.file("certificates/server.pem"), server.certificatePem);
  writeFileSync(state.file("certificates/server-key.pem"), server.privateKeyPem);
  giveToServer(state.file("certificates/server-key.pem"), 0o600);
  initialize(state.file("data"), "secret", state.path);
  return DebianPostgres.start(state.file("data"), await freePort(), state.file("certificates"));
}
