/** Tests elevations and approvals. The portal calls an admin API that verifies access tokens. */
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { listSessions, type SessionTerms } from "@keelson/portal-sessions";
import { openSessionOn } from "../testing/open-session-on.ts";
import { storeCluster } from "../testing/store-cluster.ts";
import { type Person, startTestPortal, type TestPortal } from "../testing/test-portal.ts";

let at: TestPortal;
let administrator: Person;
let operator: Person;
let clusterKey: string;
let data: string;

before(async () => {
  at = await startTestPortal({
    withAdminApi: true,
    rules: {
      requireReason: true,
      governance: {
        elevation: { maxMinutes: 30 },
        approval: { validMinutes: 60 },
        freezes: [],
      },
    },
  });
  clusterKey = await storeCluster(at.database, {}, "demo");
  const [, , subscription, , group, , , , name] = clusterKey.split("/");
  data = `/api/${subscription}/${group}/${name}`;
  [administrator, operator] = await Promise.all([at.signedIn("administrator"), at.signedIn("operator")]);
});
after(() => at?.[Symbol.asyncDispose]());

async function send({ browser, csrf }: Person, method: string, path: string, body?: unknown) {
  const headers = { "x-csrf-token": csrf, "content-type": "application/json" };
  const sent = body === undefined ? {} : { body: JSON.stringify(body) };
  const { status, text } = await browser.send(at.portal.url, path, { method, headers, ...sent });
  return { status, value: text === "" ? undefined : JSON.parse(text) };
}

const roleOf = async (person: Person) => (await send(person, "GET", "/api/info")).value.role;
const elevation = { reason: "incident 7", minutes: 30 };
const stopVm = { action: "POST stopvm", query: { vmName: "demo-master-0" }, reason: "incident 7" };

test("an elevated person is operator until the role is activated, and after its end", async () => {
  assert.equal(await roleOf(administrator), "operator");
  assert.equal((await send(administrator, "GET", `${data}/recordings`)).status, 403);
  const { value } = await send(administrator, "GET", "/api/action-forms");
  assert.deepEqual(value.elevation, { maxMinutes: 30, eligible: true });
  const activated = await send(administrator, "POST", "/api/elevation", elevation);
  assert.equal(activated.status, 200);
  assert.equal(await roleOf(administrator), "elevated");
  const info = (await send(administrator, "GET", "/api/info")).value;
  assert.deepEqual([info.mayElevate, info.elevatedUntil], [true, activated.value.until]);
  assert.equal((await send(administrator, "GET", `${data}/recordings`)).status, 200);
  const line = at.lines.findLast(({ operation }) => operation === "POST /api/elevation");
  assert.deepEqual([line?.because, line?.until, line?.status], ["incident 7", activated.value.until, 200]);
  assert.equal((await send(administrator, "DELETE", "/api/elevation")).status, 204);
  assert.equal(await roleOf(administrator), "operator");
});

test("a role is activated only by people whose groups allow it, with a reason, and not for longer than configured", async () => {
  assert.equal((await send(operator, "POST", "/api/elevation", elevation)).status, 403);
  for (const body of [
    { ...elevation, minutes: 31 },
    { ...elevation, reason: " " },
    { minutes: 5 },
    { ...elevation, minutes: 0 },
  ])
    assert.equal(
      (await send(administrator, "POST", "/api/elevation", body)).status,
      400,
      JSON.stringify(body),
    );
  const { browser } = administrator;
  const headers = { "content-type": "application/json" };
  const forged = await browser.send(at.portal.url, "/api/elevation", {
    ...{ method: "POST", headers, body: JSON.stringify(elevation) },
  });
  assert.equal(forged.status, 403);
  assert.equal(await roleOf(administrator), "operator");
});

test("a kubeconfig with all rights ends with the activated role", async () => {
  await send(administrator, "POST", "/api/elevation", { ...elevation, minutes: 5 });
  const [, , subscription, group, name] = data.split("/");
  const resource = `/subscriptions/${subscription}/resourcegroups/${group}/providers/microsoft.redhatopenshift/openshiftclusters/${name}`;
  assert.equal((await send(administrator, "POST", `${resource}/kubeconfig/new`)).status, 200);
  const { sessions } = (await send(administrator, "GET", `${data}/sessions`)).value;
  const [{ createdAt, expiresAt }] = sessions;
  assert.ok(Date.parse(expiresAt) - Date.parse(createdAt) <= 300_000, `${createdAt} ${expiresAt}`);
  await send(administrator, "DELETE", "/api/elevation");
});

test("an early end of the activated role ends kubeconfigs with all rights on all portals", async () => {
  const [, , subscription, group, name] = data.split("/");
  const resource = `/subscriptions/${subscription}/resourcegroups/${group}/providers/microsoft.redhatopenshift/openshiftclusters/${name}`;
  const newKubeconfig = () => send(administrator, "POST", `${resource}/kubeconfig/new`);
  assert.equal((await newKubeconfig()).status, 200);
  await send(administrator, "POST", "/api/elevation", elevation);
  assert.equal((await newKubeconfig()).status, 200);
  const elevated = async () => {
    const { sessions } = (await send(administrator, "GET", "/api/sessions")).value;
    return sessions.map((each: { elevated: boolean }) => each.elevated).sort();
  };
  assert.deepEqual(await elevated(), [false, true]);
  assert.equal((await send(administrator, "DELETE", "/api/elevation")).status, 204);
  assert.deepEqual(await elevated(), [false]);
  const line = at.lines.findLast(({ operation }) => operation === "DELETE /api/elevation");
  assert.equal(line?.endedSessions, 1);
});

test("an early end of the activated role also ends sessions of the admin API under the subject", async () => {
  await send(administrator, "POST", "/api/elevation", elevation);
  const activated = at.lines.findLast(({ operation }) => operation === "POST /api/elevation");
  const username = `${activated?.subject}`;
  assert.match(username, /^[^/]+\/[^/]+$/);
  const kinds: readonly Omit<SessionTerms["portal"], "username">[] = [
    { kubeconfig: { elevated: true } },
    { kubeconfig: { elevated: false } },
    { ssh: { master: 1 } },
  ];
  for (const kind of kinds) await openSessionOn(at.database, clusterKey, { portal: { username, ...kind } });
  assert.equal((await send(administrator, "DELETE", "/api/elevation")).status, 204);
  const left = await listSessions(at.database, { person: username }, AbortSignal.timeout(900_000));
  assert.deepEqual(
    left.map(({ document }) => document.portal.kubeconfig),
    [{ elevated: false }],
  );
  const line = at.lines.findLast(({ operation }) => operation === "DELETE /api/elevation");
  assert.equal(line?.endedSessions, 2);
});

test("a destructive action runs after the approval of a second person", async () => {
  const prepared = await send(operator, "POST", `${data}/action-requests`, stopVm);
  assert.deepEqual([prepared.status, prepared.value.state], [200, "AwaitingApproval"]);
  assert.equal(prepared.value.confirmation, undefined);
  const path = `${data}/action-requests/${prepared.value.id}`;
  const decide = (person: Person) => send(person, "POST", `${path}/decision`, { approve: true });
  assert.equal((await send(operator, "POST", `${path}/confirmation`)).status, 409);
  assert.equal((await decide(operator)).status, 403);
  assert.equal((await decide(administrator)).status, 403, "its role is not activated");
  await send(administrator, "POST", "/api/elevation", elevation);
  const approved = await decide(administrator);
  assert.deepEqual([approved.status, approved.value.state], [200, "Ready"]);
  assert.equal((await decide(administrator)).status, 409);
  assert.equal((await send(administrator, "POST", `${path}/confirmation`)).status, 403);
  const { value } = await send(operator, "POST", `${path}/confirmation`);
  const body = { token: value.confirmation.token, cluster: "demo" };
  const ended = await send(operator, "POST", `${path}/run`, body);
  assert.deepEqual(
    [ended.status, ended.value.outcome.state],
    [200, "Succeeded"],
    JSON.stringify(ended.value),
  );
  assert.deepEqual(
    at.adminApi.calls.map(({ method, rights }) => [method, rights]),
    [["POST", "operator"]],
  );
});

test("the body of a request is shown to its person and to those who decide", async () => {
  const job = { apiVersion: "batch/v1", kind: "Job", metadata: { namespace: "openshift-etcd", name: "x" } };
  const containers = [{ name: "c", image: "i", command: ["true"] }];
  const spec = { template: { spec: { containers, restartPolicy: "Never" } } };
  const body = { action: "POST runjob", query: {}, body: { ...job, spec }, reason: "incident 7" };
  const { status, value } = await send(administrator, "POST", `${data}/action-requests`, body);
  assert.equal(status, 200, JSON.stringify(value));
  const bodyFor = async (person: Person) =>
    (await send(person, "GET", `${data}/action-requests/${value.id}`)).value.body;
  assert.match(await bodyFor(administrator), /"image": "i"/);
  assert.equal(await bodyFor(operator), undefined);
});

test("a person cannot approve the own request, and a rejected request does not run", async () => {
  const own = await send(administrator, "POST", `${data}/action-requests`, stopVm);
  const decide = (id: string, approve: boolean) =>
    send(administrator, "POST", `${data}/action-requests/${id}/decision`, { approve });
  assert.equal((await decide(own.value.id, true)).status, 403);
  const { value } = await send(operator, "POST", `${data}/action-requests`, stopVm);
  assert.equal((await decide(value.id, false)).value.state, "Rejected");
  assert.equal(
    (await send(operator, "POST", `${data}/action-requests/${value.id}/confirmation`)).status,
    409,
  );
});

test("an action that needs all rights needs a reason where the configuration requires reasons", async () => {
  const resize = { action: "POST resize", query: { vmName: "a", vmSize: "Standard_D8s_v3" } };
  assert.equal((await send(administrator, "POST", `${data}/action-requests`, resize)).status, 400);
  const withReason = { ...resize, reason: "incident 7" };
  assert.equal((await send(administrator, "POST", `${data}/action-requests`, withReason)).status, 200);
});
