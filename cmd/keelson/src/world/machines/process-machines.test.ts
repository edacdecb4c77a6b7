import assert from "node:assert/strict";
import { once } from "node:events";
import { existsSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { reserveFreePort, silentLogger, systemClock } from "@keelson/base";
import { until } from "@keelson/base/testing/eventually";
import type { HealthProbe, HostedMachine } from "@keelson/sim-azure";
import { stringify } from "yaml";
import { ProcessMachines } from "./process-machines.ts";

const directory = mkdtempSync(join(tmpdir(), "keelson-machines-"));
after(() => rmSync(directory, { recursive: true, maxRetries: 5 }));

/** Returns a fake program with a gateway's ports. It responds with a status and creates a file after its first response. */
const program = (status: number) => `
import { writeFileSync } from "node:fs";
import { createServer } from "node:http";
const server = createServer((request, response) => {
  response.writeHead(request.url === "/healthz/ready" ? ${status} : 404).end();
  response.on("close", () => writeFileSync(process.argv[1] + ".ran", ""));
});
server.listen(0, "127.0.0.1", () => {
  const { port } = server.address();
  console.log(JSON.stringify({ connect: "http://0.0.0.0:" + port, tls: "https://0.0.0.0:" + port, metrics: "" }));
});
`;
const programs: Readonly<Record<string, string>> = {
  ready: program(200),
  unready: program(500),
  broken: `
import { writeFileSync } from "node:fs";
process.stderr.write("no such port\\n");
writeFileSync(process.argv[1] + ".ran", "");
process.exitCode = 1;
`,
};
const script = (tag: string) => {
  const path = join(directory, `${tag}.mjs`);
  writeFileSync(path, programs[tag] ?? "");
  return path;
};

const probe: HealthProbe = {
  ...{ protocol: "http", port: 80, path: "/healthz/ready" },
  intervalSeconds: 0.05,
  failures: 1,
};
const rule = { name: "rule", frontend: "front", frontendPort: 80, backendPort: 80, probe };

function machine(tag: string, args: string, change: Partial<HostedMachine> = {}): HostedMachine {
  const image = `registry.example/keelson:${tag}`;
  const unit = `[Service]\nExecStart=/usr/bin/podman run ${image} ${args}\nRestartSec=1\n`;
  const files = [{ path: "/etc/systemd/system/keelson-gateway.service", content: unit }];
  return {
    id: tag,
    name: `gateway-vmss-${tag}_0`,
    customData: Buffer.from(stringify({ write_files: files })).toString("base64"),
    tags: { image },
    isOn: true,
    stoppedUnits: [],
    rules: [rule],
    health: probe,
    ...change,
  };
}

async function freePort(): Promise<number> {
  await using reservation = await reserveFreePort();
  return reservation.port;
}

async function start(port: number): Promise<ProcessMachines> {
  const machines = new ProcessMachines({
    directory: join(directory, `machines-${port}`),
    script,
    metadata: { url: "https://localhost:1", caFile: join(directory, "ca.pem") },
    ports: { rule: port },
    clock: systemClock,
    logger: silentLogger,
  });
  await machines.start();
  return machines;
}

/** True if a load balancer port forwards a connection to a machine that responds. */
async function isLed(port: number): Promise<boolean> {
  const socket = connect(port, "127.0.0.1");
  const closed = once(socket, "close").then(() => false);
  const answered = once(socket, "data").then(() => true);
  socket.on("error", () => undefined);
  socket.write("GET / HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n");
  const led = await Promise.race([answered, closed]).catch(() => false);
  socket.destroy();
  return led;
}

test("a machine is healthy once its process answers, and then behind its load balancer until its units stop", async () => {
  const port = await freePort();
  await using machines = await start(port);
  machines.keep(machine("ready", "gateway --config x"));
  assert.deepEqual([machines.isHealthy("ready"), machines.isReady("ready", "rule")], [false, false]);
  assert.equal(await isLed(port), false);
  await until(() => machines.isHealthy("ready") && machines.isReady("ready", "rule"));
  assert.equal(await isLed(port), true);
  assert.equal(machines.isReady("ready", "other"), false, "no such rule leads to it");
  machines.keep(machine("ready", "gateway --config x", { stoppedUnits: ["keelson.target"] }));
  await machines.unitsStopped("ready", AbortSignal.timeout(900_000));
  await until(() => !machines.isHealthy("ready"));
  assert.equal(await isLed(port), false);
});

for (const tag of ["unready", "broken"])
  test(`a machine whose process is ${tag} is not healthy`, async () => {
    await using machines = await start(await freePort());
    machines.keep(machine(tag, "gateway --config x"));
    await until(() => existsSync(`${script(tag)}.ran`));
    assert.deepEqual([machines.isHealthy(tag), machines.isReady(tag, "rule")], [false, false]);
    await until(() => machines.readLog(tag).includes("no such port") === (tag === "broken"));
  });

test("a machine that runs another program runs nothing here, and is healthy", async () => {
  await using machines = await start(await freePort());
  machines.keep(machine("other", ""));
  assert.deepEqual([machines.isHealthy("other"), machines.isReady("other", "rule")], [true, true]);
});
