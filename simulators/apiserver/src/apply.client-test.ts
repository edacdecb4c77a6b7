import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { scalarStringAt } from "@keelson/apimachinery";
import { listAt } from "@keelson/base";
import { adminKubeconfig } from "./testing/index.ts";
import { TestServer, widgets } from "./testing/test-server.ts";

/** kubectl binary. `KUBECTL` overrides the binary in `PATH`. */
const kubectl = process.env.KUBECTL ?? "kubectl";
const directory = mkdtempSync(join(tmpdir(), "kubectl-apply-"));
const environment = { PATH: process.env.PATH, HOME: directory, KUBECONFIG: join(directory, "kubeconfig") };
let server: TestServer;
let minor = 0;

before(async () => {
  server = await TestServer.start();
  writeFileSync(environment.KUBECONFIG, adminKubeconfig(server.cluster.url, server.authority, server.admin));
  const version: unknown = JSON.parse((await run("version", "--client", "-o", "json")).output);
  minor = Number.parseInt(scalarStringAt(version, "clientVersion", "minor"), 10);
});
after(async () => {
  await server[Symbol.asyncDispose]();
  rmSync(directory, { recursive: true });
});

function run(...words: readonly string[]): Promise<{ readonly code: number; readonly output: string }> {
  const { promise, resolve } = Promise.withResolvers<{ code: number; output: string }>();
  execFile(kubectl, words, { env: environment, timeout: 900_000 }, (error, stdout, stderr) => {
    resolve({ code: typeof error?.code === "number" ? error.code : error ? -1 : 0, output: stdout + stderr });
  });
  return promise;
}

function manifest(name: string, text: string): string {
  const path = join(directory, name);
  writeFileSync(path, text);
  return path;
}

const deployment = (image: string, replicas = 1) => `
apiVersion: apps/v1
kind: Deployment
metadata:
  name: web
spec:
  replicas: ${replicas}
  selector:
    matchLabels: {app: web}
  template:
    metadata:
      labels: {app: web}
    spec:
      containers:
      - name: main
        image: ${image}
        ports:
        - containerPort: 80
`;

async function managersOf(...what: readonly string[]): Promise<readonly string[]> {
  const flags = minor > 20 ? ["--show-managed-fields"] : [];
  const { output } = await run("get", ...what, "-o", "json", ...flags);
  const object: unknown = JSON.parse(output);
  return listAt(object, "metadata", "managedFields")
    .map((each) => `${scalarStringAt(each, "manager")} ${scalarStringAt(each, "operation")}`)
    .sort();
}

test("client-side apply creates, is idempotent, then updates", async () => {
  const file = manifest("cm.yaml", "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: cm}\ndata: {a: '1'}\n");
  assert.equal((await run("apply", "-f", file)).output.trim(), "configmap/cm created");
  assert.equal((await run("apply", "-f", file)).output.trim(), "configmap/cm unchanged");
  manifest("cm.yaml", "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: cm}\ndata: {a: '2'}\n");
  assert.equal((await run("apply", "-f", file)).output.trim(), "configmap/cm configured");
});

test("a server-side apply conflict between two managers is resolved by force", async () => {
  const one = manifest("one.yaml", deployment("one"));
  const apply = (file: string, ...flags: readonly string[]) =>
    run("apply", "--server-side", "-f", file, ...flags);
  const first = await apply(one);
  assert.equal(first.output.trim(), "deployment.apps/web serverside-applied");
  assert.equal((await run("diff", "--server-side", "-f", one)).code, 0);
  const two = manifest("two.yaml", deployment("two", 2));
  const shown = await run("diff", "--server-side", "--force-conflicts", "--field-manager=other", "-f", two);
  if (minor > 20) {
    assert.equal(shown.code, 1, shown.output);
    assert.match(shown.output, /^\+.*image: two$/m);
  }
  const refused = await apply(two, "--field-manager=other");
  assert.equal(refused.code, 1);
  assert.match(
    refused.output,
    /Apply failed with 2 conflicts: conflicts with "kubectl":\n- \.spec\.replicas\n- \.spec\.template\.spec\.containers\[name="main"\]\.image/,
  );
  const forced = await apply(two, "--field-manager=other", "--force-conflicts");
  assert.equal(forced.output.trim(), "deployment.apps/web serverside-applied");
  assert.deepEqual(await managersOf("deployment", "web"), ["kubectl Apply", "other Apply"]);
  const image = await run("get", "deployment", "web", "-o", "jsonpath={..image}");
  assert.equal(image.output, "two");
  const back = await apply(one);
  assert.match(back.output, /conflicts with "other"/);
});

test("a repeated apply of a changed manifest removes dropped fields", async () => {
  const text = (data: string) => `apiVersion: v1\nkind: ConfigMap\nmetadata: {name: again}\ndata: ${data}\n`;
  const file = manifest("again.yaml", text("{a: '1', b: '1'}"));
  await run("apply", "--server-side", "-f", file);
  manifest("again.yaml", text("{a: '2'}"));
  const dry = await run("apply", "--server-side", "--dry-run=server", "-f", file);
  assert.match(dry.output, /serverside-applied \(server dry run\)/);
  assert.equal((await run("get", "cm", "again", "-o", "jsonpath={.data.b}")).output, "1");
  await run("apply", "--server-side", "-f", file);
  assert.equal((await run("get", "cm", "again", "-o", "jsonpath={.data}")).output, '{"a":"2"}');
});

test("client-side apply migrates to server-side apply without conflicts", async () => {
  const text = (data: string) => `apiVersion: v1\nkind: ConfigMap\nmetadata: {name: moved}\ndata: ${data}\n`;
  const file = manifest("moved.yaml", text("{a: '1', b: '1'}"));
  await run("apply", "-f", file);
  assert.deepEqual(await managersOf("cm", "moved"), ["kubectl-client-side-apply Update"]);
  manifest("moved.yaml", text("{a: '2'}"));
  const moved = await run("apply", "--server-side", "-f", file);
  assert.equal(moved.code, 0, moved.output);
  assert.match(await managersOf("cm", "moved").then((names) => names.join()), /kubectl Apply/);
  const data = await run("get", "cm", "moved", "-o", "jsonpath={.data}");
  // Clients before 1.26 do not migrate field ownership from the old manager.
  assert.equal(data.output, minor >= 26 ? '{"a":"2"}' : '{"a":"2","b":"1"}');
});

test("server-side apply works for custom resources and rejects unknown fields", async () => {
  await run("apply", "-f", manifest("crd.json", JSON.stringify(widgets)));
  await run("wait", "--for=condition=Established", "crd/widgets.example.com");
  const text = (spec: string) =>
    `apiVersion: example.com/v1\nkind: Widget\nmetadata: {name: w}\nspec: ${spec}\n`;
  const file = manifest("widget.yaml", text("{size: 2}"));
  const applied = await run("apply", "--server-side", "-f", file, "--validate=false");
  assert.equal(applied.output.trim(), "widget.example.com/w serverside-applied");
  manifest("widget.yaml", text("{size: 2, sise: 3}"));
  const refused = await run("apply", "--server-side", "-f", file, "--validate=false");
  assert.match(
    refused.output,
    /failed to create typed patch object .*: \.spec\.sise: field not declared in schema/,
  );
  manifest("widget.yaml", text("{size: 99}"));
  assert.match(
    (await run("apply", "--server-side", "-f", file)).output,
    /should be less than or equal to 10/,
  );
});
