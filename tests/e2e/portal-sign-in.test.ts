/** What administrators do in the portal of `keelson up`, as their browsers do it. */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { after, before, test } from "node:test";
import { Browser } from "@keelson/portal/testing";
import { statisticsTypes } from "@keelson/portal-api";
import { type Endpoints, readEndpoints } from "./support/endpoints.ts";
import { eventually } from "./support/eventually.ts";
import { Program, StateDirectory } from "./support/program.ts";

const state = new StateDirectory();
let program: Program;
let endpoints: Endpoints;
let browser: Browser;
let resource: string;
let data: string;

before(async () => {
  program = Program.start("up", "--state", state.path, "--ports", "auto", "--operators", "shared");
  await program.says(/endpoints/);
  endpoints = readEndpoints(state.file("endpoints.json"));
  browser = new Browser(readFileSync(endpoints.caFile, "utf8"));
  const { subscriptionId } = endpoints;
  resource = `/subscriptions/${subscriptionId}/resourcegroups/demo/providers/microsoft.redhatopenshift/openshiftclusters/demo`;
  data = `/api/${subscriptionId}/demo/demo`;
});
after(async () => {
  await program[Symbol.asyncDispose]();
  state[Symbol.dispose]();
});

const get = (path: string) => browser.send(endpoints.portal, path);
async function json(path: string) {
  const { status, text } = await get(path);
  assert.equal(status, 200, `${path} ${text}`);
  return JSON.parse(text);
}

test("a person signs in, and sees the cluster from the database and from inside", async () => {
  const back = await browser.signIn(endpoints.portal, "reader@keelson.local", resource);
  assert.deepEqual([back.status, back.headers.location], [307, resource]);
  assert.equal((await get(resource)).status, 200);
  const [cluster] = await json("/api/clusters");
  assert.deepEqual([cluster.name, cluster.provisioningState], ["demo", "Succeeded"]);
  const { operations } = await json(`${data}/operations`);
  assert.equal(operations[0].kind, "Creating");
  assert.ok(operations[0].steps.length > 40);
  // Its operator gives the SREs' user its rights once the cluster stands.
  await eventually(async () => assert.ok((await json(`${data}/nodes`)).nodes.length > 3));
  assert.ok((await json(`${data}/machines`)).machines.length > 3);
  assert.ok((await json(`${data}/machine-sets`)).machines.length > 0);
  assert.ok((await json(`${data}/clusteroperators`)).operators.length > 1);
});

test("statistics of every type, and Prometheus itself", async () => {
  for (const type of Object.values(statisticsTypes).flat()) {
    const query = () => `${data}/statistics/${type}?duration=1h&endtime=${new Date().toISOString()}`;
    await eventually(async () => assert.ok((await json(query())).length > 0, type));
  }
  const up = await json(`${resource}/prometheus/api/v1/query?query=up`);
  assert.equal(up.status, "success");
  assert.equal((await get(`${resource}/prometheus/-/ready`)).status, 200);
});

test("a kubeconfig of the portal reads the cluster, and nothing secret without elevation", async () => {
  const { csrf } = await json("/api/info");
  const post = (headers: Record<string, string>) =>
    browser.send(endpoints.portal, `${resource}/kubeconfig/new`, { method: "POST", headers });
  assert.equal((await post({})).status, 403);
  const answer = await post({ "x-csrf-token": csrf });
  assert.equal(answer.headers["content-disposition"], 'attachment; filename="demo.kubeconfig"');
  const config = JSON.parse(answer.text);
  const { pathname } = new URL(config.clusters[0].cluster.server);
  const headers = { authorization: `Bearer ${config.users[0].user.token}` };
  const ask = (path: string) => browser.send(endpoints.portal, `${pathname}${path}`, { headers });
  assert.equal((await ask("/api/v1/nodes")).status, 200);
  assert.equal((await ask("/api/v1/secrets")).status, 403);
});
