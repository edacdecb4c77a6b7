/** Tests the program's commands and their errors. */
import assert from "node:assert/strict";
import { X509Certificate } from "node:crypto";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { after, before, describe, test } from "node:test";
import type { LoggedRequest, RequestsView } from "../../simulators/console/src/api/requests.ts";
import { TestBrowser } from "../../simulators/console/src/testing/test-browser.ts";
import { readEndpoints } from "./support/endpoints.ts";
import { type Outcome, Program, StateDirectory } from "./support/program.ts";

test("wrong usage exits with 2 and names the cause", async () => {
  const { code, stderr } = await Program.run("up", "--nonsense");
  assert.equal(code, 2, stderr);
  assert.match(stderr, /unknown option '--nonsense'[\s\S]*--help/);
});

test("--help exits with 0 and prints the usage of the command", async () => {
  const { code, stdout } = await Program.run("up", "--help");
  assert.equal(code, 0);
  assert.match(stdout, /Usage: keelson up/);
});

test("version prints JSON for scripts", async () => {
  const { code, stdout } = await Program.run("version", "-o", "json");
  assert.equal(code, 0);
  assert.deepEqual(Object.keys(JSON.parse(stdout)), ["keelson", "node", "supportedNode"]);
});

test("a start in the background reports a taken port with the flags to choose another", async (t) => {
  using state = new StateDirectory();
  const other = createServer();
  await new Promise<void>((resolve) => other.listen(0, "127.0.0.1", resolve));
  t.after(() => other.close());
  const address = other.address();
  const port = String(typeof address === "object" && address ? address.port : 0);
  const flags = ["--state", state.path, "--rp-port", port, "--no-cluster"];
  const { code, stderr } = await Program.run("up", "--detach", ...flags);
  assert.equal(code, 1);
  assert.match(
    stderr,
    new RegExp(`port ${port}, for the resource provider, is in use: .*--rp-port N.*--ports auto`),
  );
});

/** Log line that a concurrent second start writes to the instance's log. */
const lockRefusal = /^keelson: the state directory .* is in use by a running instance/;

describe("an instance in the background", () => {
  const state = new StateDirectory();
  const flags = ["up", "--detach", "--state", state.path, "--ports", "auto", "-o", "json"];
  const run = async (...args: readonly string[]) => {
    const outcome = await Program.run(...args, "--state", state.path);
    assert.equal(outcome.code, 0, outcome.stderr);
    return outcome;
  };
  const runningPid = () => readFileSync(state.file("pid"), "utf8").trim();
  let first: Outcome;
  let concurrent: Outcome;
  before(async () => {
    [first, concurrent] = await Promise.all([
      Program.run(...flags, "--no-cluster", "--subnets-for", "demo", "two"),
      untilExists(state.file("pid")).then(() => Program.run(...flags, "--no-cluster")),
    ]);
  });
  after(async () => {
    await Program.run("down", "--state", state.path);
    state[Symbol.dispose]();
  });

  test("a start prints its progress and how to reach the instance", () => {
    assert.equal(first.code, 0, first.stderr);
    assert.match(first.stderr, /starting the simulated Azure\n.*starting the clusters\n/);
    assert.deepEqual(Object.keys(JSON.parse(first.stdout)), ["rp", "portal", "console", "endpoints", "stop"]);
  });

  test("a concurrent start finds the first one and prints the same with a new link to the console", () => {
    assert.equal(concurrent.code, 0, concurrent.stderr);
    assert.deepEqual(withoutLink(concurrent.stdout), withoutLink(first.stdout));
    assert.notEqual(concurrent.stdout, first.stdout);
    assert.match(concurrent.stderr, new RegExp(`already up: process ${runningPid()}`));
  });

  test("a later start creates the missing cluster, the next one prints the same, and other ports are refused", async () => {
    const creating = await Program.run(...flags);
    assert.equal(creating.code, 0, creating.stderr);
    assert.match(creating.stderr, /cluster demo Succeeded/);
    const again = await Program.run(...flags);
    assert.deepEqual([again.code, withoutLink(again.stdout)], [0, withoutLink(creating.stdout)]);
    assert.doesNotMatch(again.stderr, /creating cluster/);
    const elsewhere = await Program.run(...flags, "--rp-port", "1025");
    assert.equal(elsewhere.code, 1);
    assert.match(elsewhere.stderr, /in use by a running instance/);
  });

  test("a start in the foreground on the same state fails and names the process", async () => {
    const second = await Program.run("up", "--state", state.path, "--ports", "auto", "--no-cluster");
    assert.equal(second.code, 1);
    assert.match(
      second.stderr,
      new RegExp(`in use by a running instance \\(process ${runningPid()}\\): .*keelson down --state`),
    );
  });

  test("Ctrl-C while a command waits for a cluster of a running instance leaves the instance alone", async () => {
    await using up = Program.start("up", "--detach", "--state", state.path, "--cluster", "two");
    await up.reports(/two Creating/);
    assert.equal(await up.signal("SIGINT"), 130, up.stderr);
    assert.match(up.stderr, /the service continues in the background/);
    assert.equal((await run("cluster", "watch", "two")).stdout, "two Succeeded\n");
  });

  test("the commands of docs/commands.md list, watch and delete clusters, and doctor finds no fault", async () => {
    const listed = await run("cluster", "list", "-o", "json");
    const clusters: readonly { readonly id: string; readonly name: string; readonly state: string }[] =
      JSON.parse(listed.stdout);
    assert.deepEqual(clusters.map(({ name, state: provisioning }) => [name, provisioning]).sort(), [
      ["demo", "Succeeded"],
      ["two", "Succeeded"],
    ]);
    assert.equal((await run("cluster", "watch", "demo")).stdout, "demo Succeeded\n");

    const open = await Program.run("db", "get", "/subscriptions/a", "--state", state.path);
    assert.equal(open.code, 1);
    assert.match(open.stderr, new RegExp(`process ${runningPid()}\\).*keelson down`));

    const well = await run("doctor", "-o", "json");
    assert.equal(statusOf(well.stdout, "azure"), "ok", well.stdout);
    assert.equal(statusOf(well.stdout, "database"), "skipped", well.stdout);

    const absent = await Program.run("cluster", "delete", "none", "--state", state.path);
    assert.deepEqual([absent.code, /there is no cluster "none"/.test(absent.stderr)], [1, true]);

    assert.equal((await run("cluster", "delete", "--name", "two")).stdout, "two Succeeded\n");
    assert.equal(JSON.parse((await run("cluster", "list", "-o", "json")).stdout).length, 1);
  });

  test("a cluster is created with settings and managed identities, shown, scaled and deleted, and each change can be previewed", async () => {
    const target = ["-g", "settings-group", "-n", "three"];
    const create = [
      ...["cluster", "create", ...target, "--openshift-version", "4.18.26", "--worker-count", "2"],
      ...["--worker-size", "Standard_D8s_v3", "--visibility", "Private", "--identities"],
    ];
    const planned = await run(...create, "--dry-run", "-o", "json");
    const { requests } = JSON.parse(planned.stdout);
    assert.match(requests.at(-1).url, /resourceGroups\/settings-group\/.*\/openShiftClusters\/three\?/);
    assert.equal(requests.at(-1).body.properties.clusterProfile.version, "4.18.26");
    assert.equal(
      JSON.parse((await run("cluster", "list", "-g", "settings-group", "-o", "json")).stdout).length,
      0,
    );

    const created = await run(...create);
    assert.match(created.stderr, /three Creating .*\d+\/\d+ /);
    assert.match(readFileSync(created.stdout.trim(), "utf8"), /^current-context: system:admin$/m);
    const { cluster, operation } = JSON.parse((await run("cluster", "show", ...target, "-o", "json")).stdout);
    assert.equal(operation.status, "Succeeded");
    assert.equal(cluster.properties.apiserverProfile.visibility, "Private");
    assert.equal(cluster.properties.ingressProfiles[0].visibility, "Private");
    assert.equal(cluster.identity.type, "UserAssigned");
    const shown = (await run("cluster", "show", ...target)).stdout;
    assert.match(shown, /^Version +4\.18\.26$/m);
    assert.match(shown, /^Identity +managed identities of the cluster and 8 operators$/m);
    assert.match(shown, /^Workers +\d x Standard_D8s_v3/m);

    const again = await Program.run(...create, "--state", state.path);
    assert.deepEqual([again.code, /exists.*keelson cluster scale/.test(again.stderr)], [1, true]);

    const scale = ["cluster", "scale", ...target, "--worker-count", "4"];
    const preview = JSON.parse((await run(...scale, "--dry-run", "-o", "json")).stdout);
    assert.ok(preview.requests.every(({ body }: { body: { kind: string } }) => body.kind === "MachineSet"));
    assert.match((await run(...scale)).stdout, /^three has 4 of 4 workers ready$/m);

    const service = (await run("cluster", "logs", ...target, "--tail", "5")).stdout.trim().split("\n");
    assert.equal(service.length, 5);
    assert.ok(service.every((line) => /\/openshiftclusters\/three\b/i.test(line)));
    const container = ["--namespace", "openshift-etcd", "--container", "etcd", "--tail", "3"];
    const ofPods = JSON.parse((await run("cluster", "logs", ...target, ...container, "-o", "json")).stdout);
    for (const { source } of ofPods) assert.match(source, /^openshift-etcd\/etcd-three-\w+-master-\d\/etcd$/);
    const none = await Program.run("cluster", "logs", ...target, "--pod", "absent", "--state", state.path);
    assert.deepEqual([none.code, /no container of absent/.test(none.stderr)], [1, true]);

    const { clusters } = JSON.parse((await run("status", "-o", "json")).stdout);
    assert.ok(
      clusters.some((each: { name: string; health: string }) => each.name === "three" && each.health),
    );
    assert.match((await run("status")).stdout, /^three +settings-group +Succeeded +\w+/m);

    const preparation = (await run("cluster", "delete", ...target, "--dry-run")).stdout;
    assert.match(preparation, /^DELETE https:.*\/openShiftClusters\/three\?/);
    await run("cluster", "delete", ...target);
  });

  test("invalid cluster options exit with 2 and name the value, the allowed form and an example", async () => {
    for (const [flag, value, form] of [
      ["--openshift-version", "latest", /latest.*4\.MINOR\.PATCH, for example 4\.19\.24/],
      ["--worker-count", "1", /'1'.*from 2 to 50, for example 3/],
      ["--master-size", "big", /'big'.*for example "Standard_D8s_v5"/],
      ["--visibility", "hidden", /'hidden'.*Public or Private, for example "Private"/],
      ["--resource-group", "a.", /'a\.'.*for example "demo"/],
    ] as const) {
      const { code, stderr } = await Program.run(
        "cluster",
        "create",
        "bad",
        flag,
        value,
        "--state",
        "/nonexistent",
      );
      assert.equal(code, 2, stderr);
      assert.match(stderr, form);
    }
    const both = await Program.run("cluster", "show", "one", "--name", "two", "--state", "/nonexistent");
    assert.equal(both.code, 2, both.stderr);
    assert.match(both.stderr, /"one" and --name "two" differ/);
  });

  test("the console signs in by its one-time link, injects a fault and shows requests without their secrets", async () => {
    const { caFile, console: url = "", clientSecret } = readEndpoints(state.file("endpoints.json"));
    const { url: link } = JSON.parse((await run("sim", "console", "-o", "json")).stdout);
    using browser = new TestBrowser(url, readFileSync(caFile, "utf8"));
    assert.equal(await browser.open(link), 204);
    assert.equal(await browser.open(link), 401);
    const fault = { kind: "api-slow", cluster: "demo", parameters: { delayMs: "1" } };
    assert.equal((await browser.send("/api/faults", { method: "POST", body: fault })).status, 201);
    const listed = JSON.parse((await run("sim", "faults", "list", "-o", "json")).stdout);
    assert.partialDeepStrictEqual(listed, [
      { kind: "api-slow", cluster: "demo", parameters: { delayMs: 1 } },
    ]);
    const path = `/api/faults/${listed[0].id}`;
    assert.equal((await browser.send(path, { method: "DELETE" })).status, 204);
    assert.partialDeepStrictEqual((await browser.send("/api/clusters/demo/demo")).json, {
      state: "Succeeded",
      machineSets: [{ replicas: 1 }, { replicas: 1 }, { replicas: 1 }],
    });
    const { requests } = (await browser.send("/api/requests")).json as RequestsView;
    const signIn = requests.find(
      ({ service, client }) => service === "entra" && client === "keelson-console",
    );
    const { requestBody, responseBody } = (await browser.send(`/api/requests/${signIn?.sequence}`))
      .json as LoggedRequest;
    assert.match(requestBody?.text ?? "", /^client_secret=\[REDACTED\]$/m);
    assert.match(responseBody?.text ?? "", /"access_token":"\[REDACTED\]"/);
    const all = await Promise.all(
      requests.map(async ({ sequence }) => (await browser.send(`/api/requests/${sequence}`)).text),
    );
    assert.ok(all.every((text) => !text.includes(clientSecret) && !/eyJ[\w-]+\.eyJ/.test(text)));
  });

  test("down stops it in order; its documents are readable afterwards", async () => {
    const pid = Number(runningPid());
    await run("down");
    await ended(pid);
    for (const log of ["keelson", "azure", "clusters", "service"])
      for (const line of readFileSync(state.file(`${log}.log`), "utf8").split("\n"))
        if (line !== "" && !lockRefusal.test(line)) JSON.parse(line);
    assert.equal(existsSync(state.file("azure.sqlite-wal")), false, "databases are closed");
    assert.match((await run("down")).stderr, /nothing runs/);

    const { subscriptionId } = readEndpoints(state.file("endpoints.json"));
    const demo = `/subscriptions/${subscriptionId}/resourceGroups/demo/providers/Microsoft.RedHatOpenShift/openShiftClusters/demo`;
    const document = JSON.parse((await run("db", "get", demo)).stdout);
    assert.equal(document.openShiftCluster.properties.servicePrincipalProfile.clientSecret, "[REDACTED]");
    const stopped = await run("doctor", "-o", "json");
    for (const check of ["database", "migrations", "keyring"])
      assert.equal(statusOf(stopped.stdout, check), "ok", check);
  });
});

test("Ctrl-C while the background starts stops it", async () => {
  using state = new StateDirectory();
  await using up = Program.start("up", "--detach", "--state", state.path, "--ports", "auto");
  await untilExists(state.file("pid"));
  const pid = Number(readFileSync(state.file("pid"), "utf8"));
  assert.equal(await up.signal("SIGINT"), 130, up.stderr);
  await ended(pid);
});

test("Ctrl-C while the first cluster is created stops the instance that the command started", async () => {
  using state = new StateDirectory();
  await using up = Program.start("up", "--detach", "--state", state.path, "--ports", "auto");
  await up.reports(/demo Creating/);
  const pid = Number(readFileSync(state.file("pid"), "utf8"));
  assert.equal(await up.signal("SIGINT"), 130, up.stderr);
  await ended(pid);
});

test("a start reports an unusable state directory and the option for another one", async () => {
  using state = new StateDirectory();
  writeFileSync(state.file("no-folder"), "");
  const { code, stderr } = await Program.run("up", "--state", state.file("no-folder"));
  assert.equal(code, 1);
  assert.match(stderr, /keelson: the state directory .*no-folder cannot be used .*--state DIR\n$/);
});

describe("commands on the state of a simulated Azure", () => {
  const state = new StateDirectory();
  let sim: Program;
  before(async () => {
    sim = Program.start("sim", "azure", "--state", state.path, "--ports", "auto");
    await sim.says(/arm/);
  });
  after(async () => {
    await sim[Symbol.asyncDispose]();
    state[Symbol.dispose]();
  });

  test("the error for an unreachable PostgreSQL names it without its password", async () => {
    const url = "postgres://keelson:hunter2-is-secret@127.0.0.1:1/rp";
    const flags = ["--state", state.path, "--database", url, "--port", "0", "--metrics-port", "0"];
    const { code, stderr } = await Program.run("rp", ...flags);
    assert.equal(code, 1);
    assert.match(stderr, /PostgreSQL.*127\.0\.0\.1:1.*rp/s);
    assert.ok(!stderr.includes("hunter2"));
  });

  test("commands that need a running instance report that it has stopped", async () => {
    await sim.signal("SIGTERM");
    const { code, stderr } = await Program.run("kubeconfig", "demo", "--state", state.path);
    assert.equal(code, 1);
    assert.match(stderr, /^keelson: the resource provider does not answer at .*keelson up.*\n$/);
  });
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
  const again = await genkey("--client", "caller");
  assert.equal(again.code, 1);
  assert.match(again.stderr, /never overwritten/);
});

/** Returns the output of `keelson up` without the one-time link, which differs in each run. */
function withoutLink(output: string): object {
  const { console: link, ...rest } = JSON.parse(output);
  assert.match(link, /^https:\/\/localhost:\d+\/open#[\w-]{43}$/);
  return rest;
}

/** Returns the status of a check in the output of `keelson doctor`. */
function statusOf(output: string, check: string): string | undefined {
  return JSON.parse(output).findings.find((each: { check: string }) => each.check === check)?.status;
}

async function untilExists(path: string): Promise<void> {
  for (let waitedMs = 0; !existsSync(path) && waitedMs < 60_000; waitedMs += 20)
    await new Promise((resolve) => setTimeout(resolve, 20));
}

/** Waits until a process exits. Works for processes that are not children of this process. A zombie counts as exited. */
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
