/** The program `keelson-apiserver`: one Kubernetes cluster in memory. It writes an administrator's kubeconfig to a file. */
import { rmSync, writeFileSync } from "node:fs";
import process from "node:process";
import { parseArgs } from "node:util";
import { isCoded, messageOf } from "@keelson/base";
import { startTestCluster } from "../start-test-cluster.ts";

const help = `Usage: keelson-apiserver --kubeconfig FILE [options]

Starts a Kubernetes API server with one cluster in memory. SIGTERM or Ctrl-C stops it and removes FILE.

Options:
  --kubeconfig FILE  write the administrator's kubeconfig to FILE
  --port N           port of the API (default: a free port)
  --host ADDRESS     listener address (default: 127.0.0.1)
  --name NAME        name of the cluster in the kubeconfig (default: test)
  --no-controllers   run no controllers of kube-controller-manager, as in controller-runtime's envtest
  --help             print this help

Exit code: 2 for invalid options, 1 if the server cannot start.
`;

const options = {
  kubeconfig: { type: "string" },
  port: { type: "string", default: "0" },
  host: { type: "string", default: "127.0.0.1" },
  name: { type: "string", default: "test" },
  "no-controllers": { type: "boolean", default: false },
  help: { type: "boolean", default: false },
} as const;

await main().catch((error) => fail(messageOf(error), isCoded(error, "InvalidClusterName") ? 2 : 1));

async function main(): Promise<void> {
  const values = readFlags();
  if (values === undefined) return;
  if (values.help) return void process.stdout.write(help);
  const { kubeconfig, host, name } = values;
  if (!kubeconfig)
    return fail(
      "missing option --kubeconfig FILE. Example: keelson-apiserver --kubeconfig kubeconfig.yaml",
      2,
    );
  const port = Number(values.port);
  if (!/^\d{1,5}$/.test(values.port) || port > 65_535)
    return fail(`invalid --port "${values.port}": expected a number from 0 to 65535, for example 6443`, 2);
  const started = await startTestCluster({ name, host, port, controllerManager: !values["no-controllers"] });
  try {
    writeFileSync(kubeconfig, started.kubeconfig, { mode: 0o600 });
  } catch (error) {
    await started[Symbol.asyncDispose]();
    return fail(`the kubeconfig cannot be written: ${messageOf(error)}`, 1);
  }
  process.stdout.write(`${started.url}\n`);
  const stop = async () => {
    rmSync(kubeconfig, { force: true });
    await started[Symbol.asyncDispose]();
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
