import assert from "node:assert/strict";
import { once } from "node:events";
import { mkdtempDisposable, writeFile } from "node:fs/promises";
import { createServer, type Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { createCertificateAuthority, silentLogger } from "@keelson/base";
import { freePorts } from "@keelson/base/testing";
import { eventually } from "@keelson/base/testing/eventually";
import { startOperator } from "./aro-operator.ts";
import { runApiserverOperator } from "./kube-apiserver-operator.ts";
import { startSamplesOperator } from "./samples-operator.ts";

interface Access {
  readonly server: string;
  readonly serviceAccount: string;
  readonly signal: AbortSignal;
  readonly healthPort: number;
  readonly metricsPort: number;
}

const shared = { host: "127.0.0.1", environment: {}, logger: silentLogger };
const operators: Readonly<Record<string, (access: Access) => Promise<void>>> = {
  "ARO operator": (access) =>
    startOperator({ ...shared, ...access, role: "master", namespace: "openshift-azure-operator" }),
  "samples operator": (access) =>
    startSamplesOperator({
      ...shared,
      ...access,
      namespace: "openshift-cluster-samples-operator",
      release: "4.19.1",
      content: tmpdir(),
      registryCheck: false,
    }),
  "kube-apiserver operator": ({ healthPort, ...access }) =>
    runApiserverOperator({
      ...access,
      logger: silentLogger,
      environment: {
        IMAGE: "hyperkube:1",
        OPERATOR_IMAGE: "operator:1",
        OPERATOR_IMAGE_VERSION: "4.19.1",
        OPERAND_IMAGE_VERSION: "1.32.9",
      },
      namespace: "openshift-kube-apiserver-operator",
      listen: `127.0.0.1:${healthPort}`,
      terminateOnFiles: [],
    }),
};

for (const [name, start] of Object.entries(operators))
  test(`the ${name} is alive and not ready while its API server never responds`, async () => {
    await using stack = new AsyncDisposableStack();
    const open = new Set<Socket>();
    const silent = createServer((socket) => void open.add(socket.on("error", () => undefined)));
    await once(silent.listen(0, "127.0.0.1"), "listening");
    stack.defer(async () => {
      for (const socket of open) socket.destroy();
      await new Promise((resolve) => silent.close(resolve));
    });
    const directory = stack.use(await mkdtempDisposable(join(tmpdir(), "operator-alive-")));
    const authority = await createCertificateAuthority("test", 1);
    await writeFile(join(directory.path, "token"), "token");
    await writeFile(join(directory.path, "ca.crt"), authority.certificatePem);
    const [healthPort = 0, metricsPort = 0] = await freePorts(2);
    const stop = new AbortController();
    const running = start({
      server: `https://127.0.0.1:${Object(silent.address()).port}`,
      serviceAccount: directory.path,
      signal: stop.signal,
      healthPort,
      metricsPort,
    }).catch((error: unknown) => {
      if (!stop.signal.aborted) throw error;
    });
    const get = async (path: string) => (await fetch(`http://127.0.0.1:${healthPort}${path}`)).status;
    await eventually(async () => assert.equal(await get("/healthz"), 200));
    assert.equal(await get("/healthz/ready"), 200);
    assert.equal(await get("/readyz"), 500);
    stop.abort("draining");
    await running;
  });
