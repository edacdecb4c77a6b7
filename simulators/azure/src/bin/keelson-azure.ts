/**
 * The program `keelson-azure`: a simulated Azure in memory. The program writes its addresses and the owner's secret to a file.
 */
import { rmSync, writeFileSync } from "node:fs";
import { resolve } from "node:path";
import process from "node:process";
import { parseArgs } from "node:util";
import { messageOf } from "@keelson/base";
import { startLocalAzure } from "../start-local-azure.ts";

const help = `Usage: keelson-azure --endpoints FILE [options]

Starts a simulated Azure in memory: Azure Resource Manager, Entra ID, Microsoft Graph, key vaults and storage. SIGTERM or
Ctrl-C stops it and removes the files.

Options:
  --endpoints FILE      write addresses, IDs and the owner's secret to FILE (JSON), and the CA certificate to FILE.ca.pem
  --port N              port of the listener (default: a free port)
  --host ADDRESS        listener address (default: 127.0.0.1)
  --location NAME       location of the subscription; repeatable (default: eastus)
  --help                print this help

Exit code: 2 for invalid options, 1 if the server cannot start.
`;

const options = {
  endpoints: { type: "string" },
  port: { type: "string", default: "0" },
  host: { type: "string", default: "127.0.0.1" },
  location: { type: "string", multiple: true },
  help: { type: "boolean", default: false },
} as const;

await main().catch((error) => fail(messageOf(error), 1));

async function main(): Promise<void> {
  const values = readFlags();
  if (values === undefined) return;
  if (values.help) return void process.stdout.write(help);
  const { endpoints, host, location: locations = ["eastus"] } = values;
  if (!endpoints)
    return fail("missing option --endpoints FILE. Example: keelson-azure --endpoints azure.json", 2);
  const port = Number(values.port);
  if (!/^\d{1,5}$/.test(values.port) || port > 65_535)
    return fail(`invalid --port "${values.port}": expected a number from 0 to 65535, for example 8444`, 2);
  const wrong = locations.find((name) => !/^[a-z0-9]{1,40}$/.test(name));
  if (wrong !== undefined)
    return fail(
      `invalid --location "${wrong}": expected lower-case letters and digits, for example eastus`,
      2,
    );
  const azure = await startLocalAzure({ host, port, locations });
  const caFile = resolve(`${endpoints}.ca.pem`);
  const files = [caFile, endpoints];
  try {
    writeFileSync(caFile, azure.caPem, { mode: 0o644 });
    const written = { ...azure.endpoints, caFile, adminToken: azure.adminToken.reveal() };
    writeFileSync(endpoints, `${JSON.stringify(written, undefined, 2)}\n`, { mode: 0o600 });
  } catch (error) {
    await azure[Symbol.asyncDispose]();
    return fail(`the endpoints cannot be written: ${messageOf(error)}`, 1);
  }
  process.stdout.write(`${azure.endpoints.arm}\n`);
  const stop = async () => {
    for (const file of files) rmSync(file, { force: true });
    await azure[Symbol.asyncDispose]();
    process.exit();
  };
  for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => void stop());
}

function readFlags() {
  try {
    return parseArgs({ options }).values;
  } catch (error) {
    fail(messageOf(error), 2);
    return undefined;
  }
}

function fail(message: string, code: number): void {
  process.stderr.write(`error: ${message}\n`);
  process.exitCode = code;
}
