/** Tests discovery, protocol buffers and validation errors with each installed kubectl. */
import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { promisify } from "node:util";
import { adminKubeconfig, installedKubectls } from "../testing/index.ts";
import { TestServer } from "../testing/test-server.ts";

const run = promisify(execFile);
const newer = [
  "cronjob often --image=example.com/job:1 --schedule=@hourly",
  "poddisruptionbudget b --selector=app=web --min-available=50%",
];
const binaries = installedKubectls().map(({ path }) => path);
let server: TestServer;
let directory: string;

before(async () => {
  server = await TestServer.start();
  directory = await mkdtemp(join(tmpdir(), "keelson-kubectl-"));
  const kubeconfig = adminKubeconfig(server.cluster.url, server.authority, server.admin);
  await writeFile(join(directory, "kubeconfig"), kubeconfig, { mode: 0o600 });
});
after(async () => {
  await server[Symbol.asyncDispose]();
  await rm(directory, { recursive: true });
});

for (const [index, binary] of binaries.entries()) {
  const suite = binary.split("/").at(-4) ?? "";
  const kubectl = (...args: readonly string[]) =>
    run(binary, [
      "--kubeconfig",
      join(directory, "kubeconfig"),
      "--cache-dir",
      join(directory, `cache-${suite}`),
      ...args,
    ]);
  const apply = async (object: object) => {
    const path = join(directory, "object.json");
    await writeFile(path, JSON.stringify(object));
    return kubectl("apply", "-f", path);
  };

  test(`kubectl of ${suite} discovers the API with few requests`, { timeout: 900_000 }, async () => {
    const { stdout, stderr } = await kubectl("get", "ns", "-v=6");
    assert.match(stdout, /default\s+Active/);
    const requests = stderr.match(/(?:GET https|verb="GET")/g) ?? [];
    assert.ok(suite === "bookworm" || requests.length <= 3, stderr);
  });

  test(`kubectl of ${suite} creates built-in objects in its encoding`, {
    timeout: 900_000,
  }, async () => {
    const ns = `n${index}`;
    await kubectl("create", "namespace", ns);
    const commands = [
      "configmap c --from-literal=a=b",
      "secret generic s --from-literal=a=b",
      "serviceaccount robot",
      "deployment web --image=example.com/web:1 --replicas=0",
      "service clusterip web --tcp=80:8080",
      "role reader --verb=get --resource=pods",
      "rolebinding reader --role=reader --serviceaccount=default:robot",
      "job once --image=example.com/job:1",
      // The oldest kubectl supports these kinds only in versions that Kubernetes has removed.
      ...(suite === "bookworm" ? [] : newer),
      "quota q --hard=pods=3",
      `priorityclass pc${index} --value=5`,
    ];
    for (const command of commands) {
      await kubectl("-n", ns, "create", ...command.split(" "));
    }
    const shown = await kubectl(
      "-n",
      ns,
      "get",
      "deployment,job",
      "-o=jsonpath={.items[*].spec.replicas} {.items[*].spec.backoffLimit}",
    );
    assert.equal(shown.stdout, "0 6");
    assert.match(
      (await kubectl("-n", ns, "describe", "deployment", "web")).stdout,
      /25% max unavailable, 25% max surge/,
    );
    const kinds = suite === "bookworm" ? "quota" : "cronjob,pdb,quota";
    assert.match((await kubectl("-n", ns, "get", kinds, "-o=wide")).stdout, /pods: 0\/3|\bq\b/);
  });

  test(`kubectl of ${suite} prints validation errors`, { timeout: 900_000 }, async () => {
    const deployment = {
      apiVersion: "apps/v1",
      kind: "Deployment",
      metadata: { name: `web-${suite}`, namespace: "default" },
      spec: {
        selector: { matchLabels: { app: "a" } },
        template: { metadata: { labels: { app: "b" } }, spec: { containers: [{ name: "c", image: "i" }] } },
      },
    };
    await assert.rejects(
      apply(deployment),
      /The Deployment "web-\w+" is invalid: spec.template.metadata.labels: Invalid value: .*: `selector` does not match template `labels`/,
    );
    const right = { ...deployment, spec: { ...deployment.spec, selector: { matchLabels: { app: "b" } } } };
    assert.match((await apply(right)).stdout, /deployment.apps\/web-\w+ (created|unchanged)/);
    assert.match((await apply(right)).stdout, /deployment.apps\/web-\w+ unchanged/);
    const scaled = await kubectl("scale", "deployment", `web-${suite}`, "--replicas=3");
    assert.match(scaled.stdout, /deployment.apps\/web-\w+ scaled/);
    const health = await kubectl("get", "--raw", "/readyz?verbose");
    assert.match(health.stdout, /\[\+\]etcd ok\n[\s\S]*readyz check passed/);
  });
}
