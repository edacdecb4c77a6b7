import assert from "node:assert/strict";
import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { after, before, test } from "node:test";
import { adminKubeconfig, installedKubectls, newestKubectl } from "../../testing/index.ts";
import { TestKubelet } from "../../testing/test-kubelet.ts";
import { TestServer } from "../../testing/test-server.ts";

/** Installed kubectl versions. The older version supports only SPDY, and the newer version supports WebSockets. */
const clients = installedKubectls();
let directory: string;
let server: TestServer;
let environment: NodeJS.ProcessEnv;

before(async () => {
  directory = await mkdtemp(join(tmpdir(), "streaming-"));
  server = await TestServer.start();
  server.cluster.setKubelet(new TestKubelet());
  const { client } = server.cluster;
  const pods = { group: "", version: "v1", resource: "pods" };
  await client.create(pods, {
    apiVersion: "v1",
    kind: "Pod",
    metadata: { name: "p", namespace: "default" },
    spec: { nodeName: "n", containers: [{ name: "c", image: "i", ports: [{ containerPort: 7 }] }] },
  });
  const state = { running: { startedAt: "2026-01-01T00:00:00Z" } };
  const containerStatuses = [{ name: "c", image: "i", imageID: "i", ready: true, restartCount: 0, state }];
  const patch = { status: { phase: "Running", containerStatuses } };
  await client.mergePatch(pods, { namespace: "default", name: "p" }, patch, "status");
  const kubeconfig = join(directory, "kubeconfig");
  await writeFile(kubeconfig, adminKubeconfig(server.cluster.url, server.authority, server.admin));
  environment = { PATH: process.env.PATH, KUBECONFIG: kubeconfig, HOME: directory };
});
after(async () => {
  await server?.[Symbol.asyncDispose]();
  await rm(directory, { recursive: true });
});

interface Run {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

function run(kubectl: string, command: string, input = "", env = environment): Promise<Run> {
  const { promise, resolve } = Promise.withResolvers<Run>();
  const options = { env, timeout: 900_000, maxBuffer: 64 * 1024 * 1024 };
  const child = execFile(kubectl, command.split(" "), options, (error, stdout, stderr) => {
    resolve({ code: typeof error?.code === "number" ? error.code : error ? -1 : 0, stdout, stderr });
  });
  child.stdin?.end(input);
  return promise;
}

for (const { suite, path: kubectl } of clients) {
  const name = `kubectl of ${suite}`;

  test(`${name} runs commands: output, exit codes, input`, { timeout: 900_000 }, async () => {
    const said = await run(kubectl, "exec p -- echo a b");
    assert.deepEqual(said, { code: 0, stdout: "a b\n", stderr: "done\n" });
    const left = await run(kubectl, "exec p -- exit 7");
    assert.equal(left.code, 7);
    assert.match(left.stderr, /command terminated with exit code 7/);
    const input = "0123456789".repeat(200_000);
    const echoed = await run(kubectl, "exec -i p -- cat", input);
    assert.equal(echoed.stdout.length, input.length);
    assert.equal(echoed.stdout === input, true);
    const unknown = await run(kubectl, "exec p -- nonsense");
    assert.equal(unknown.code, 1);
    assert.match(unknown.stderr, /no such command: nonsense/);
  });

  test(`${name} attaches, and follows logs to their end`, { timeout: 900_000 }, async () => {
    assert.equal((await run(kubectl, "attach p")).stdout, "attached\n");
    assert.equal((await run(kubectl, "logs -f --tail=2 p")).stdout, "two\nthree\nlast\n");
  });

  test(`${name} forwards ports`, { timeout: 900_000 }, async () => {
    const child = spawn(kubectl, ["port-forward", "p", ":7", ":9"], { env: environment });
    try {
      const ports: number[] = [];
      for await (const line of createInterface(child.stdout)) {
        const port = /^Forwarding from 127.0.0.1:(\d+)/.exec(line)?.[1];
        if (port) ports.push(Number(port));
        if (ports.length === 2) break;
      }
      for (const text of ["first", "second"]) {
        const socket = connect(ports[0] ?? 0, "127.0.0.1");
        socket.end(text);
        let heard = "";
        for await (const chunk of socket) heard += String(chunk);
        assert.equal(heard, text);
      }
      const errors = createInterface(child.stderr);
      connect(ports[1] ?? 0, "127.0.0.1").on("error", () => undefined);
      const [line] = await once(errors, "line");
      assert.match(String(line), /an error occurred forwarding \d+ -> 9: .*connection refused/);
    } finally {
      child.kill();
    }
  });
}

test("the server supports a client that uses SPDY", { timeout: 900_000 }, async () => {
  const env = {
    ...environment,
    KUBECTL_REMOTE_COMMAND_WEBSOCKETS: "false",
    KUBECTL_PORT_FORWARD_WEBSOCKETS: "false",
  };
  assert.equal((await run(newestKubectl().path, "exec -i p -- cat", "over SPDY", env)).stdout, "over SPDY");
  assert.equal((await run(newestKubectl().path, "exec p -- exit 3", "", env)).code, 3);
});
