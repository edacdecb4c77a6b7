/** Tests routes for objects and logs of a cluster. The cluster grants exactly the permissions of the portal's roles. */
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import type { LogOptions } from "@keelson/apiserver";
import { type KubeObject, resources } from "@keelson/kube";
import { portalRoutes } from "@keelson/portal-api";
import type { TSchema } from "typebox";
import { Value } from "typebox/value";
import { EventStream } from "../testing/event-stream.ts";
import { type GuardedCluster, startGuardedCluster } from "../testing/guarded-cluster.ts";
import { storeCluster } from "../testing/store-cluster.ts";
import { type Person, startTestPortal, type TestPortal } from "../testing/test-portal.ts";

const signal = AbortSignal.timeout(900_000);
const apiGroup = "rbac.authorization.k8s.io";
let at: TestPortal;
let cluster: GuardedCluster;
let reader: Person;
let administrator: Person;
let data: string;

const line = (text: string) => Buffer.from(`${text}\n`);

async function* logOf({ tailLines, follow }: LogOptions) {
  const count = Math.min(tailLines ?? 20_000, 20_000);
  yield Buffer.concat(
    Array.from({ length: count }, (_, index) => line(`\u001b[31m${20_000 - count + index}`)),
  );
  if (follow) yield line("<script>followed</script>");
}

const object = (kind: string, name: string, namespace?: string, more: object = {}): KubeObject => ({
  apiVersion: "v1",
  kind,
  metadata: { name, ...(namespace === undefined ? {} : { namespace }) },
  ...more,
});
const spec = {
  nodeName: "node",
  containers: [{ name: "main", image: "i", env: [{ name: "TOKEN", value: "hunter2" }] }],
};

before(async () => {
  [at, cluster] = await Promise.all([startTestPortal(), startGuardedCluster(undefined, logOf)]);
  const { kube, kubeconfigs } = cluster;
  const id = await storeCluster(at.database, kubeconfigs);
  const [, , subscription, , group, , , , name] = id.split("/");
  data = `/api/${subscription}/${group}/${name}`;
  [reader, administrator] = await Promise.all([at.signedIn("reader"), at.signedIn("administrator")]);
  const sre = { name: "system:aro-sre" };
  const rules = [{ apiGroups: ["*"], resources: ["*"], verbs: ["get", "list", "watch"] }];
  const apiVersion = `${apiGroup}/v1`;
  await kube.create(
    resources.clusterRoles,
    { apiVersion, kind: "ClusterRole", metadata: sre, rules },
    signal,
  );
  const subjects = [{ apiGroup, kind: "User", name: sre.name }];
  const roleRef = { apiGroup, kind: "ClusterRole", name: sre.name };
  const binding = { apiVersion, kind: "ClusterRoleBinding", metadata: sre, roleRef, subjects };
  await kube.create(resources.clusterRoleBindings, binding, signal);
  await kube.create(resources.namespaces, object("Namespace", "customer"), signal);
  await startPod(object("Pod", "shop", "customer", { spec }));
  await startPod(object("Pod", "etcd-0", "openshift-monitoring", { spec }));
  await kube.create(resources.pods, object("Pod", "waiting", "customer", { spec }), signal);
  const configMap = object("ConfigMap", "config", "openshift-monitoring", { data: { a: "<b>\u001b" } });
  await kube.create(resources.configMaps, configMap, signal);
  for (const [namespace, at] of [
    ["customer", "2026-01-01T00:00:02Z"],
    ["openshift-monitoring", "2026-01-01T00:00:01Z"],
    ["openshift-monitoring", "2026-01-01T00:00:03Z"],
  ] as const) {
    const involvedObject = { kind: "Pod", name: "etcd-0", namespace };
    const event = { reason: "BackOff", message: "restarting", type: "Warning", count: 3, lastTimestamp: at };
    const name = `e-${at.slice(-3, -1)}`;
    await kube.create(
      resources.events,
      object("Event", name, namespace, { involvedObject, ...event }),
      signal,
    );
  }
});
/** Creates a pod with a running container. */
async function startPod(pod: KubeObject): Promise<void> {
  const created = await cluster.kube.create(resources.pods, pod, signal);
  const running = { startedAt: "2026-01-01T00:00:00Z" };
  const containerStatuses = [
    { name: "main", ready: true, restartCount: 2, image: "i", imageID: "", state: { running } },
  ];
  const status = { phase: "Running", containerStatuses };
  await cluster.kube.replaceStatus(resources.pods, { ...created, status }, signal);
}

after(async () => {
  await at?.[Symbol.asyncDispose]();
  await cluster?.[Symbol.asyncDispose]();
});

const get = (person: Person, path: string) => person.browser.send(at.portal.url, data + path);

async function read(person: Person, path: string, schema: TSchema) {
  const { status, text } = await get(person, path);
  assert.equal(status, 200, text);
  const value = JSON.parse(text);
  assert.deepEqual([...Value.Errors(schema, value)], []);
  return value;
}

async function refused(person: Person, path: string, status: number): Promise<void> {
  const response = await get(person, path);
  assert.equal(response.status, status, `${path} ${response.text}`);
}

const names = (list: readonly { readonly name: string }[]) => list.map(({ name }) => name).toSorted();

test("pods and events are those of the platform, and with elevation those of all namespaces", async () => {
  const pods = await read(reader, "/pods", portalRoutes.pods.response);
  assert.deepEqual(names(pods.pods), ["etcd-0", "prometheus-k8s-0"]);
  assert.equal(pods.total, 2);
  const all = await read(administrator, "/pods", portalRoutes.pods.response);
  assert.deepEqual(names(all.pods), ["etcd-0", "prometheus-k8s-0", "shop", "waiting"]);
  const shop = all.pods.find(({ name }: { name: string }) => name === "shop");
  assert.deepEqual([shop.ready, shop.restarts, shop.containers[0].state], ["1/1", 2, "Running"]);
  const events = await read(reader, "/events", portalRoutes.clusterEvents.response);
  assert.deepEqual(
    events.events.map((event: { lastSeen: string; count: number }) => [
      event.lastSeen.slice(17, 19),
      event.count,
    ]),
    [
      ["03", 3],
      ["01", 3],
    ],
  );
  assert.equal((await read(administrator, "/events", portalRoutes.clusterEvents.response)).total, 3);
});

test("a log has its last lines without control characters, and is marked as truncated", async () => {
  const path = "/pods/openshift-monitoring/etcd-0/main/log";
  const log = await read(reader, `${path}?lines=3`, portalRoutes.containerLog.response);
  assert.deepEqual(log, { lines: ["␛[31m19997", "␛[31m19998", "␛[31m19999"], truncated: true });
  const most = await read(reader, `${path}?lines=10000`, portalRoutes.containerLog.response);
  assert.equal(most.lines.length, 10_000);
  for (const lines of ["0", "10001", "-1", "x"]) await refused(reader, `${path}?lines=${lines}`, 400);
});

test("a log is downloaded as a text that a browser does not show", async () => {
  const { status, headers, text } = await get(reader, "/pods/openshift-monitoring/etcd-0/main/log-file");
  assert.equal(status, 200);
  assert.equal(headers["content-type"], "text/plain; charset=utf-8");
  assert.equal(headers["content-disposition"], 'attachment; filename="etcd-0-main.log"');
  assert.match(`${headers["content-security-policy"]}`, /sandbox/);
  assert.equal(text.split("\n").length, 10_001);
  assert.ok(!text.includes("\u001b"));
});

test("a followed log arrives as JSON strings until it ends", async () => {
  const cookie = [...reader.browser.cookies].map((pair) => pair.join("=")).join("; ");
  const path = "/pods/openshift-monitoring/etcd-0/main/log-stream?lines=1";
  const stream = await EventStream.open(at.portal.url, { cookie }, at.caPem, data + path);
  assert.deepEqual((await stream.until("lines")).data, ["␛[31m19999"]);
  assert.deepEqual((await stream.until("lines")).data, ["<script>followed</script>"]);
  assert.match((await stream.until("end")).data.reason, /has ended/);
});

test("logs of customers' namespaces need elevation, and names are names", async () => {
  await refused(reader, "/pods/customer/shop/main/log", 403);
  await refused(reader, "/pods/customer/shop/main/log-stream", 403);
  await refused(administrator, "/pods/customer/shop/main/log", 200);
  await refused(administrator, "/pods/customer/none/main/log", 404);
  await refused(administrator, "/pods/customer/waiting/main/log", 409);
  await refused(administrator, "/pods/customer/a_b/main/log", 400);
});

test("an object is read without confidential values, in platform namespaces or with elevation", async () => {
  const query = "/object?kind=pod&namespace=openshift-monitoring&name=etcd-0";
  const { object: pod } = await read(reader, query, portalRoutes.object.response);
  assert.equal(pod.kind, "Pod");
  assert.equal(pod.metadata.managedFields, undefined);
  assert.ok(!JSON.stringify(pod).includes("hunter2"));
  await refused(reader, "/object?kind=pod&namespace=customer&name=shop", 403);
  await refused(administrator, "/object?kind=pod&namespace=customer&name=shop", 200);
  await refused(reader, "/object?kind=pod&namespace=openshift-monitoring&name=none", 404);
  await refused(reader, "/object?kind=nosuch&name=none", 404);
  await refused(reader, "/object?kind=a/b&name=none", 400);
  await refused(reader, "/object?kind=pod&namespace=openshift-monitoring", 400);
});

test("Secrets are neither listed nor shown", async () => {
  for (const person of [reader, administrator])
    for (const query of [
      "/objects?kind=secret",
      "/objects?kind=secrets&namespace=openshift-monitoring",
      "/object?kind=Secret&namespace=openshift-monitoring&name=a",
    ])
      await refused(person, query, 403);
});

test("objects of a kind are listed from visible namespaces", async () => {
  const list = await read(reader, "/objects?kind=pods", portalRoutes.objects.response);
  assert.deepEqual([list.kind, list.total, names(list.objects)], ["Pod", 2, ["etcd-0", "prometheus-k8s-0"]]);
  const nodes = await read(reader, "/objects?kind=node", portalRoutes.objects.response);
  assert.deepEqual(names(nodes.objects), ["node"]);
  await refused(reader, "/objects?kind=namespace", 403);
  await refused(administrator, "/objects?kind=namespace", 200);
  await read(reader, "/custom-kinds", portalRoutes.customKinds.response);
});

test("each read is in the audit with the names of its objects, also a refused one", async () => {
  await refused(reader, "/pods/customer/shop/main/log", 403);
  const last = at.lines.findLast(({ logKind }) => logKind === "audit");
  assert.deepEqual([last?.caller, last?.result], ["reader@keelson.local", "Fail"]);
  assert.deepEqual(last?.request, {
    verb: "get",
    resource: "pods/log",
    namespace: "customer",
    name: "shop",
    container: "main",
  });
});
