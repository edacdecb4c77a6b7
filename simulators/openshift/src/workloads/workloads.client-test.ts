import assert from "node:assert/strict";
import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { after, before, test } from "node:test";
import { type ApiServer, type LogicalCluster, startApiServer } from "@keelson/apiserver";
import { adminKubeconfig, installedKubectls, newestKubectl } from "@keelson/apiserver/testing";
import { createCertificateAuthority, issueCertificate, silentLogger, systemClock } from "@keelson/base";
import { startWorkloads, type Workloads } from "./start-workloads.ts";

const current = newestKubectl().path;
let directory: string;
let server: ApiServer;
let cluster: LogicalCluster;
let workloads: Workloads;
let environment: NodeJS.ProcessEnv;

before(async () => {
  directory = await mkdtemp(join(tmpdir(), "workloads-"));
  const ca = await createCertificateAuthority("test", 2);
  const tls = await issueCertificate(ca, {
    commonName: "localhost",
    dnsNames: ["localhost"],
    ipAddresses: ["127.0.0.1"],
    usage: "server",
    validDays: 1,
  });
  server = await startApiServer({
    host: "127.0.0.1",
    port: 0,
    tls,
    storage: { kind: "memory" },
    logger: silentLogger,
    clock: systemClock,
  });
  cluster = await server.createCluster({ name: "demo", clientCertificateAuthorities: [ca.certificatePem] });
  const state = join(directory, "state");
  workloads = await startWorkloads(cluster, {
    nodes: 2,
    directory: state,
    crashBackoffMs: 200,
    clock: systemClock,
    logger: silentLogger,
  });
  const admin = await issueCertificate(ca, { commonName: "system:admin", usage: "client", validDays: 1 });
  const kubeconfig = join(directory, "kubeconfig");
  await writeFile(kubeconfig, adminKubeconfig(cluster.url, ca, admin));
  environment = { PATH: process.env.PATH, KUBECONFIG: kubeconfig, HOME: directory };
});
after(async () => {
  await workloads?.[Symbol.asyncDispose]();
  await server?.[Symbol.asyncDispose]();
  await rm(directory, { recursive: true });
});

interface Run {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

function run(kubectl: string, args: readonly string[], input = "", timeout = 30_000): Promise<Run> {
  const { promise, resolve } = Promise.withResolvers<Run>();
  const child = execFile(kubectl, args, { env: environment, timeout }, (error, stdout, stderr) => {
    resolve({ code: typeof error?.code === "number" ? error.code : error ? -1 : 0, stdout, stderr });
  });
  child.stdin?.end(input);
  return promise;
}

async function output(kubectl: string, args: readonly string[], input = ""): Promise<string> {
  const { code, stdout, stderr } = await run(kubectl, args, input);
  assert.equal(code, 0, `${args.join(" ")}: ${stdout}${stderr}`);
  return stdout;
}

const words = (text: string) => text.split(" ");

function manifest(kind: string, name: string, spec: object, apiVersion = "apps/v1"): string {
  return JSON.stringify({ apiVersion, kind, metadata: { name }, spec });
}

function template(app: string, container: object = { image: "nginx" }, spec: object = {}): object {
  return {
    selector: { matchLabels: { app } },
    template: { metadata: { labels: { app } }, spec: { containers: [{ name: "c", ...container }], ...spec } },
  };
}

for (const { suite, path: kubectl } of installedKubectls()) {
  const version = `kubectl of ${suite}`;
  const name = (text: string) => `${text}-${suite}`;

  test(`${version}: a pod runs, can be waited for, executes commands and returns their exit codes`, async () => {
    const pod = name("runs");
    await output(kubectl, ["run", pod, "--image=nginx", "--restart=Never"]);
    await output(kubectl, ["wait", "--for=condition=Ready", `pod/${pod}`, "--timeout=60s"]);
    assert.equal(
      await output(kubectl, ["exec", pod, "--", "sh", "-c", "echo $HOSTNAME; echo x > /tmp/f; cat /tmp/f"]),
      `${pod}\nx\n`,
    );
    assert.equal((await run(kubectl, ["exec", pod, "--", "sh", "-c", "exit 7"])).code, 7);
    assert.equal(await output(kubectl, ["exec", "-i", pod, "--", "cat"], "input"), "input");
    assert.equal((await run(kubectl, ["exec", pod, "--", "nonsense"])).code, 255);
    await output(kubectl, ["delete", "pod", pod, "--timeout=60s"]);
  });

  test(`${version}: top shows the usage of pods and nodes`, async () => {
    const pod = name("used");
    await output(kubectl, ["run", pod, "--image=nginx"]);
    await output(kubectl, ["wait", "--for=condition=Ready", `pod/${pod}`, "--timeout=60s"]);
    assert.match(await output(kubectl, ["top", "pod", pod]), new RegExp(`${pod} +\\d+m +\\d+Mi`));
    assert.match(await output(kubectl, ["top", "nodes"]), /node-0 +\d+m +\d+% +\d+Mi +\d+%/);
  });

  test(`${version}: following logs ends with the container`, async () => {
    const pod = name("counts");
    const lines = "for i in 1 2 3 4 5 6 7 8; do echo line $i; done";
    const script = `${lines}; while ! [ -e /tmp/followed ]; do sleep 0.1; done; echo end`;
    await output(kubectl, ["run", pod, "--image=busybox", "--restart=Never", "--", "sh", "-c", script]);
    await output(kubectl, ["wait", "--for=condition=Ready", `pod/${pod}`, "--timeout=60s"]);
    const child = spawn(kubectl, ["logs", "-f", "--tail=5", pod], { env: environment });
    const closed = once(child, "close");
    let text = "";
    for await (const line of createInterface({ input: child.stdout })) {
      text += `${line}\n`;
      // The container ends when this file exists. The file is created only after kubectl has received these lines of the log.
      if (line === "line 8") await output(kubectl, ["exec", pod, "--", "touch", "/tmp/followed"]);
    }
    assert.deepEqual(await closed, [0, null]);
    assert.equal(text, "line 4\nline 5\nline 6\nline 7\nline 8\nend\n");
    assert.equal(await output(kubectl, ["logs", "--tail=1", pod]), "end\n");
    assert.match(
      await output(kubectl, ["logs", "--timestamps", "--tail=1", pod]),
      /^\d{4}-\d\d-\d\dT[\d:.]{18}Z end\n$/,
    );
    assert.equal(await output(kubectl, words(`get pod ${pod} -o jsonpath={.status.phase}`)), "Succeeded");
  });

  test(`${version}: files are copied in and out`, async () => {
    const pod = name("copies");
    await output(kubectl, ["run", pod, "--image=busybox", "--restart=Never", "--", "sleep", "3600"]);
    await output(kubectl, ["wait", "--for=condition=Ready", `pod/${pod}`, "--timeout=60s"]);
    const source = join(directory, name("source"));
    await writeFile(source, "content\n".repeat(10_000));
    await output(kubectl, ["cp", source, `${pod}:/tmp/copied`]);
    assert.match(await output(kubectl, ["exec", pod, "--", "wc", "-l", "/tmp/copied"]), /^10000 /);
    await output(kubectl, ["cp", `${pod}:/tmp/copied`, `${source}.back`]);
    assert.equal(await readFile(`${source}.back`, "utf8"), await readFile(source, "utf8"));
  });

  test(`${version}: a rollout can be started, undone and restarted`, async () => {
    const deployment = name("rolls");
    await output(kubectl, ["create", "deployment", deployment, "--image=nginx:1"]);
    await output(kubectl, ["scale", "deployment", deployment, "--replicas=4"]);
    const rolled = ["rollout", "status", `deployment/${deployment}`, "--timeout=20s"];
    assert.match(await output(kubectl, rolled), /successfully rolled out/);
    const container = "nginx";
    await output(kubectl, ["set", "image", `deployment/${deployment}`, `${container}=nginx:2`]);
    assert.match(await output(kubectl, rolled), /successfully rolled out/);
    assert.match(await output(kubectl, ["rollout", "history", `deployment/${deployment}`]), /\n1 .*\n2 /);
    await output(kubectl, ["rollout", "undo", `deployment/${deployment}`]);
    assert.match(await output(kubectl, rolled), /successfully rolled out/);
    const image = [
      "get",
      "deployment",
      deployment,
      "-o",
      "jsonpath={..image} {.metadata.annotations.deployment\\.kubernetes\\.io/revision}",
    ];
    assert.equal(await output(kubectl, image), "nginx:1 3");
    await output(kubectl, ["rollout", "restart", `deployment/${deployment}`]);
    assert.match(await output(kubectl, rolled), /successfully rolled out/);
    assert.match(await output(kubectl, ["get", "deployment", deployment]), / 4\/4 +4 +4 /);
    await output(kubectl, ["delete", "deployment", deployment]);
  });

  test(`${version}: a pod is run, talked to and removed`, async () => {
    const ran = await run(
      kubectl,
      ["run", name("talks"), "--rm", "-i", "--restart=Never", "--image=busybox", "--", "sh"],
      "echo hello $((6*7))\nexit 0\n",
    );
    assert.match(ran.stdout, /hello 42/, ran.stderr);
    assert.match(ran.stdout + ran.stderr, /deleted/);
  });
}

test("an exec into a crashing pod is rejected, and the crash is reported with its log", async () => {
  await output(current, ["run", "crashes", "--image=busybox", "--", "sh", "-c", "echo last words; exit 3"]);
  const status = [
    "get",
    "pod",
    "crashes",
    "-o",
    "jsonpath={.status.containerStatuses[0].state.waiting.reason} {.status.containerStatuses[0].lastState.terminated.exitCode}",
  ];
  for (let tries = 0; tries < 50 && (await output(current, status)) !== "CrashLoopBackOff 3"; tries++)
    await new Promise((resolve) => setTimeout(resolve, 100));
  assert.equal(await output(current, ["logs", "--previous", "crashes"]), "last words\n");
  assert.match(await output(current, ["describe", "pod", "crashes"]), /BackOff/);
  await output(current, ["delete", "pod", "crashes"]);
});

test("ports of a pod and of a service are forwarded to the listening server", async () => {
  const spec = { containers: [{ name: "c", image: "echo", ports: [{ containerPort: 7 }] }] };
  await output(
    current,
    ["create", "-f", "-"],
    JSON.stringify({
      apiVersion: "v1",
      kind: "Pod",
      metadata: { name: "listens", labels: { app: "listens" } },
      spec,
    }),
  );
  await output(current, ["expose", "pod", "listens", "--port=70", "--target-port=7"]);
  await output(current, ["wait", "--for=condition=Ready", "pod/listens", "--timeout=60s"]);
  for (const [target, port] of [
    ["pod/listens", 7],
    ["service/listens", 70],
  ] as const) {
    const child = spawn(current, ["port-forward", target, `:${port}`], { env: environment });
    try {
      let local = 0;
      for await (const line of createInterface(child.stdout)) {
        local = Number(/127.0.0.1:(\d+)/.exec(line)?.[1]);
        if (local) break;
      }
      const socket = connect(local, "127.0.0.1");
      socket.end("hello, echo");
      let heard = "";
      for await (const chunk of socket) heard += String(chunk);
      assert.equal(heard, "hello, echo");
    } finally {
      child.kill();
    }
  }
  assert.match(
    // Newer kubectl versions preserve the path in the kubeconfig's server URL. Older versions drop this path.
    await output(current, ["get", "--raw", "/api/v1/namespaces/default/services/listens:70/proxy/x"]),
    /listens answers GET \/x/,
  );
});

test("a drain respects a budget and resumes when the budget permits", async () => {
  await output(
    current,
    ["create", "-f", "-"],
    manifest("Deployment", "kept", { replicas: 2, ...template("kept") }),
  );
  await output(current, ["rollout", "status", "deployment/kept", "--timeout=20s"]);
  const budget = { minAvailable: 2, selector: { matchLabels: { app: "kept" } } };
  await output(current, ["create", "-f", "-"], manifest("PodDisruptionBudget", "kept", budget, "policy/v1"));
  await new Promise((resolve) => setTimeout(resolve, 200));
  assert.match(await output(current, ["get", "pdb", "kept"]), /kept +2 +N\/A +0 /);
  const drain = ["drain", "node-0", "--force", "--ignore-daemonsets", "--delete-emptydir-data"];
  const refused = await run(current, [...drain, "--timeout=2s"]);
  assert.match(refused.stderr, /Cannot evict pod as it would violate the pod's disruption budget/);
  const draining = run(current, [...drain, "--timeout=25s"]);
  await new Promise((resolve) => setTimeout(resolve, 300));
  await output(current, ["scale", "deployment", "kept", "--replicas=4"]);
  const drained = await draining;
  assert.equal(drained.code, 0, drained.stderr);
  assert.match(drained.stdout, /node\/node-0 drained/);
  await output(current, ["uncordon", "node-0"]);
  await output(current, ["delete", "deployment,pdb", "kept"]);
});

test("a watch shows a pod on its way to running", async () => {
  const child = spawn(current, ["get", "pods", "-w", "--field-selector=metadata.name=seen"], {
    env: environment,
  });
  const rows: string[] = [];
  const reading = (async () => {
    for await (const line of createInterface(child.stdout)) {
      rows.push(line.replace(/ +/g, " "));
      if (/seen 1\/1 Running/.test(rows.at(-1) ?? "")) return;
    }
  })();
  await new Promise((resolve) => setTimeout(resolve, 500));
  await output(current, ["run", "seen", "--image=nginx"]);
  await reading;
  child.kill();
  const states = rows
    .filter((row) => row.startsWith("seen"))
    .map((row) => row.split(" ").slice(1, 3).join(" "));
  assert.deepEqual([...new Set(states)], ["0/1 Pending", "0/1 ContainerCreating", "1/1 Running"]);
});
