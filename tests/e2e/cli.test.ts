/** What a person meets who types something wrong, or starts twice. */
import assert from "node:assert/strict";
import { X509Certificate } from "node:crypto";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { connect, createServer } from "node:net";
import { test } from "node:test";
import { readEndpoints } from "./support/endpoints.ts";
import { Program, StateDirectory } from "./support/program.ts";

const usage = [
  { args: ["up", "--nonsense"], says: /unknown option '--nonsense'/ },
  { args: ["nonsense"], says: /unknown command 'nonsense'/ },
  { args: ["up", "--rp-port", "99999"], says: /expected a port/ },
  { args: ["up", "--ports", "some"], says: /Allowed choices are auto/ },
  { args: ["up", "--cluster", "Has Space"], says: /lower-case letters/ },
  { args: ["kubeconfig"], says: /missing required argument 'name'/ },
  { args: ["sim", "moon"], says: /unknown part "moon"/ },
];
for (const { args, says } of usage) {
  test(`wrong usage exits with 2 and names the fault: keelson ${args.join(" ")}`, async () => {
    const { code, stderr } = await Program.run(...args);
    assert.equal(code, 2, stderr);
    assert.match(stderr, says);
    assert.match(stderr, /--help/);
  });
}

for (const mode of ["up", "down", "rp", "sim", "kubeconfig", "az-env", "genkey", "version"]) {
  test(`keelson ${mode} --help explains itself`, async () => {
    const { code, stdout } = await Program.run(mode, "--help");
    assert.equal(code, 0);
    assert.match(stdout, new RegExp(`Usage: keelson ${mode}`));
  });
}

test("version prints JSON for scripts", async () => {
  const { code, stdout } = await Program.run("version", "-o", "json");
  assert.equal(code, 0);
  assert.deepEqual(Object.keys(JSON.parse(stdout)), ["keelson", "node"]);
});

test("a taken port is named with the flags to choose another", async (t) => {
  using state = new StateDirectory();
  const other = createServer();
  await new Promise<void>((resolve) => other.listen(0, "127.0.0.1", resolve));
  t.after(() => other.close());
  const address = other.address();
  const port = String(typeof address === "object" && address ? address.port : 0);
  for (const detach of [[], ["--detach"]]) {
    const { code, stderr } = await Program.run(
      "up",
      "--state",
      state.path,
      "--rp-port",
      port,
      "--no-cluster",
      ...detach,
    );
    assert.equal(code, 1);
    assert.match(
      stderr,
      new RegExp(`port ${port}, for the resource provider, is in use: .*--rp-port N.*--ports auto`),
    );
  }
});

test("a second start in the background finds the first, makes the cluster that is missing and prints the same", async () => {
  using state = new StateDirectory();
  const flags = ["up", "--detach", "--state", state.path, "--ports", "auto", "-o", "json"];
  const [one, other] = await Promise.all([
    Program.run(...flags, "--no-cluster", "--subnets-for", "demo"),
    untilExists(state.file("pid")).then(() => Program.run(...flags, "--no-cluster")),
  ]);
  assert.deepEqual([one.code, other.code], [0, 0], one.stderr + other.stderr);
  assert.equal(other.stdout, one.stdout);
  const pid = readFileSync(state.file("pid"), "utf8").trim();
  assert.match(other.stderr, new RegExp(`already up: process ${pid}`));
  const first = await Program.run(...flags);
  assert.equal(first.code, 0, first.stderr);
  assert.match(first.stderr, /cluster demo Succeeded/);
  const again = await Program.run(...flags);
  assert.deepEqual([again.code, again.stdout], [0, first.stdout]);
  assert.doesNotMatch(again.stderr, /creating cluster/);
  const elsewhere = await Program.run(...flags, "--rp-port", "1025");
  assert.equal(elsewhere.code, 1);
  assert.match(elsewhere.stderr, /in use by a running instance/);
  assert.equal((await Program.run("down", "--state", state.path)).code, 0);
});

test("what runs in the background is named by a second start on the same state, and ends in order with down", async () => {
  using state = new StateDirectory();
  const flags = ["--state", state.path, "--ports", "auto", "--no-cluster"];
  const detached = await Program.run("up", "--detach", ...flags, "-o", "json");
  assert.equal(detached.code, 0, detached.stderr);
  assert.match(detached.stderr, /starting the simulated Azure\n.*starting the clusters\n/);
  assert.deepEqual(Object.keys(JSON.parse(detached.stdout)), ["rp", "portal", "endpoints", "stop"]);
  const pid = readFileSync(state.file("pid"), "utf8").trim();
  const second = await Program.run("up", ...flags);
  assert.equal(second.code, 1);
  assert.match(
    second.stderr,
    new RegExp(`in use by a running instance \\(process ${pid}\\): .*keelson down --state`),
  );
  const down = await Program.run("down", "--state", state.path);
  assert.equal(down.code, 0, down.stderr);
  await ended(Number(pid));
  for (const line of readFileSync(state.file("keelson.log"), "utf8").trimEnd().split("\n")) JSON.parse(line);
  assert.equal(existsSync(state.file("azure.sqlite-wal")), false, "databases are closed, not left");
  const again = await Program.run("down", "--state", state.path);
  assert.equal(again.code, 0);
  assert.match(again.stderr, /nothing runs/);
});

test("a start without the portal serves all but it, and names none", async () => {
  using state = new StateDirectory();
  const flags = ["--state", state.path, "--ports", "auto", "--no-cluster"];
  const up = await Program.run("up", "--detach", ...flags, "--without", "portal", "monitor", "-o", "json");
  assert.equal(up.code, 0, up.stderr);
  assert.deepEqual(Object.keys(JSON.parse(up.stdout)), ["rp", "endpoints", "stop"]);
  const { rp, portal } = readEndpoints(state.file("endpoints.json"));
  const answers = (url: string) =>
    new Promise<boolean>((resolve) => {
      const socket = connect(Number(new URL(url).port), "127.0.0.1");
      socket.once("connect", () => resolve(true)).once("error", () => resolve(false));
      socket.once("connect", () => socket.destroy());
    });
  assert.deepEqual([await answers(rp), await answers(portal)], [true, false]);
  assert.equal((await Program.run("down", "--state", state.path)).code, 0);
});

test("Ctrl-C while the background starts stops it", async () => {
  using state = new StateDirectory();
  await using up = Program.start("up", "--detach", "--state", state.path, "--ports", "auto");
  await untilExists(state.file("pid"));
  const pid = Number(readFileSync(state.file("pid"), "utf8"));
  assert.equal(await up.signal("SIGINT"), 130, up.stderr);
  await ended(pid);
});

test("a state directory that nothing can be kept in is named with the way out", async () => {
  using state = new StateDirectory();
  writeFileSync(state.file("no-folder"), "");
  for (const detach of [[], ["--detach"]]) {
    const { code, stderr } = await Program.run("up", "--state", state.file("no-folder"), ...detach);
    assert.equal(code, 1);
    assert.match(stderr, /keelson: the state directory .*no-folder cannot be used .*--state DIR\n$/);
  }
});

const damages = [
  { file: "secrets.json", content: '{"tenantId": "t"}', says: /it lacks subscriptionId, .*backup/ },
  { file: "secrets.json", content: '{"adminToken": secret', says: /it is no JSON\): restore it/ },
  { file: "ports.json", content: '{"rp": 8', says: /ports\.json cannot be used .*remove it/ },
  { file: "ports.json", content: '{"rp": "x"}', says: /rp is no port/ },
  { file: "ca.pem", content: "-----BEGIN", says: /ca\.pem and .*ca-key\.pem cannot be used/ },
];
for (const { file, content, says } of damages) {
  test(`a damaged ${file} is named, and nothing of what it holds: ${content}`, async () => {
    using state = new StateDirectory();
    writeFileSync(state.file("ca-key.pem"), "");
    writeFileSync(state.file(file), content);
    const { code, stderr } = await Program.run("up", "--state", state.path, "--ports", "auto");
    assert.equal(code, 1);
    assert.match(stderr, says);
    assert.doesNotMatch(stderr, /: secret|\n +at /);
  });
}

test("an unreachable PostgreSQL is named without its password", async () => {
  using state = new StateDirectory();
  await using sim = Program.start("sim", "azure", "--state", state.path, "--ports", "auto");
  await sim.says(/arm/);
  const url = "postgres://keelson:hunter2-is-secret@127.0.0.1:1/rp";
  const { code, stderr } = await Program.run(
    "rp",
    "--state",
    state.path,
    "--database",
    url,
    "--port",
    "0",
    "--metrics-port",
    "0",
  );
  assert.equal(code, 1);
  assert.match(stderr, /PostgreSQL.*127\.0\.0\.1:1.*rp/s);
  assert.ok(!stderr.includes("hunter2"));
});

test("a wrong configuration file is refused with every fault named", async () => {
  using state = new StateDirectory();
  const file = state.file("service.json");
  writeFileSync(file, JSON.stringify({ location: "eastus", colour: "red" }));
  const { code, stderr } = await Program.run("rp", "--config", file);
  assert.equal(code, 1);
  assert.match(stderr, /service\.json/);
  assert.match(stderr, /colour/);
  assert.match(stderr, /domain/);
});

test("commands that need a running instance say how to start one", async () => {
  using state = new StateDirectory();
  for (const mode of [["kubeconfig", "demo"], ["az-env"]]) {
    const { code, stderr } = await Program.run(...mode, "--state", state.path);
    assert.equal(code, 1);
    assert.match(stderr, /keelson up/);
  }
});

test("commands that need a running instance say so when it was stopped", async () => {
  using state = new StateDirectory();
  const sim = Program.start("sim", "azure", "--state", state.path, "--ports", "auto");
  await sim.says(/arm/);
  await sim.signal("SIGTERM");
  const { code, stderr } = await Program.run("kubeconfig", "demo", "--state", state.path);
  assert.equal(code, 1);
  assert.match(stderr, /^keelson: the resource provider does not answer at .*keelson up.*\n$/);
});

test("genkey makes a certificate and never overwrites", async () => {
  using state = new StateDirectory();
  mkdirSync(state.file("keys"));
  const genkey = (...args: string[]) => Program.runIn(state.file("keys"), "genkey", ...args);
  assert.equal((await genkey("--ca", "authority")).code, 0);
  const made = await genkey(
    "--client",
    "--key-file",
    "authority.pem",
    "--cert-file",
    "authority.pem",
    "caller",
  );
  assert.equal(made.code, 0, made.stderr);
  assert.match(readFileSync(state.file("keys/caller.pem"), "utf8"), /PRIVATE KEY[\s\S]*CERTIFICATE/);
  const below = await genkey("--ca", "--key-file", "authority.pem", "--cert-file", "authority.pem", "below");
  assert.equal(below.code, 0, below.stderr);
  const authority = new X509Certificate(readFileSync(state.file("keys/authority.pem")));
  assert.ok(new X509Certificate(readFileSync(state.file("keys/below.pem"))).checkIssued(authority));
  for (const wrong of [
    ["--days", "some"],
    ["--key-file", "authority.pem"],
    ["--ca", "--client"],
  ])
    assert.equal((await genkey(...wrong, "other")).code, 2, wrong.join(" "));
  const again = await genkey("--client", "caller");
  assert.equal(again.code, 1);
  assert.match(again.stderr, /never overwritten/);
});

/** Waits for the end of a process that is not our child; one that nobody has reaped counts as ended. */
async function untilExists(path: string): Promise<void> {
  for (let waitedMs = 0; !existsSync(path) && waitedMs < 60_000; waitedMs += 20)
    await new Promise((resolve) => setTimeout(resolve, 20));
}

async function ended(pid: number): Promise<void> {
  for (let waitedMs = 0; waitedMs < 5_000; waitedMs += 50) {
    try {
      if (/\) [ZX] /.test(readFileSync(`/proc/${pid}/stat`, "utf8"))) return;
    } catch {
      return;
    }
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  assert.fail(`process ${pid} still runs`);
}
