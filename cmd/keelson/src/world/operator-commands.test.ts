import assert from "node:assert/strict";
import { test } from "node:test";
import { Metrics, silentLogger } from "@keelson/base";
import { ConnectionPool } from "@keelson/kube";
import { commandLine, operatorCommand } from "./operator-commands.ts";

const pod = {
  server: "https://localhost/clusters/demo",
  serviceAccount: "/node/account",
  port: (declared: number) => declared + 20_000,
  environment: {},
};
const shared = {
  pod,
  connections: new ConnectionPool(),
  metrics: new Metrics(),
  logger: silentLogger,
};

test("flags put an operator's files, ports and API server where this machine has them", () => {
  assert.deepEqual(operatorCommand(["operator", "master"]).flags(pod, ["master"]), [
    ...[
      "--server",
      "https://localhost/clusters/demo",
      "--service-account",
      "/node/account",
      "--host",
      "127.0.0.1",
    ],
    ...["--health-port", "28080", "--metrics-port", "28888"],
  ]);
});

test("a container that runs no operator says what it may run, and one of a wrong role too", async () => {
  assert.throws(() => operatorCommand(["nonsense"]), /run 'operator'.*, not 'nonsense'$/);
  assert.throws(() => operatorCommand([]), /not ''$/);
  assert.throws(() => operatorCommand(["toString"]), /not 'toString'$/);
  const { share } = operatorCommand(["operator", "boss"]);
  const container = { ...shared, args: ["boss"] };
  await assert.rejects(share?.({ ...container, signal: AbortSignal.abort() }) ?? Promise.resolve(), {
    message: "invalid role 'boss': an operator is 'master' or 'worker'",
  });
});

test("what containers call by the original's name is the command of this program", () => {
  const args = ["installer", "--revision=3"];
  assert.deepEqual(commandLine("/usr/bin/cluster-kube-apiserver-operator", args), [
    "kube-apiserver-operator",
    ...args,
  ]);
  assert.deepEqual(commandLine("keelson", args), args);
  assert.deepEqual(commandLine(undefined, args), args);
});

test("of the kube-apiserver operator only the operator itself runs beside others", async () => {
  const { flags, share } = operatorCommand(["kube-apiserver-operator", "operator"]);
  assert.deepEqual(flags(pod, ["operator"]).slice(-4), [
    "--listen",
    "127.0.0.1:28080",
    "--metrics-port",
    "28443",
  ]);
  const container = { ...shared, args: ["installer"] };
  await assert.rejects(share?.({ ...container, signal: AbortSignal.abort() }) ?? Promise.resolve(), {
    message: "'installer' of the kube-apiserver operator needs a separate process",
  });
});
