/** Tests the requests and responses between unmodified `az` and the service, recorded by a proxy. */
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { ArmClient } from "../support/arm-client.ts";
import { Program } from "../support/program.ts";
import { type Az, type AzVersion, azVersions } from "./support/az.ts";
import type { AzWorld } from "./support/az-world.ts";
import { withBothReleases } from "./support/both-releases.ts";
import { recordedInAzure } from "./support/recorded-in-azure.ts";
import { type Exchange, Recorder } from "./support/recorder.ts";

/** Clusters for list tests. The number of clusters is the page size of lists plus one. */
const many = Array.from({ length: 11 }, (_, i) => `many${i}`);
/**
 * Maximum time between polls in milliseconds. Clients poll every second with `Retry-After` and every 30 seconds without it. The
 * limit includes delays of a busy machine.
 */
const soonMs = 10_000;
const networkContributor = "4d97b98b-1d4f-4787-a291-c67834d212e7";
const serviceAppId = "f1dd0a37-89c6-4e07-bcd1-ffd3d43d8875";

withBothReleases("between az and the service", ["--subnets-for", ...many], wireOf);

function wireOf(version: AzVersion, world: () => AzWorld): void {
  const isNewest = version === azVersions.newest;
  const group = `wire-${version}`;
  const inGroup = ["--resource-group", group];
  const ofCluster = [...inGroup, "--name", "one"];
  const subnets = ["--vnet", "net", "--master-subnet", "master", "--worker-subnet", "worker"];
  let recorder: Recorder;
  let az: Az;
  let network: string;

  before(async () => {
    const { arm, subscriptionId } = world().endpoints;
    recorder = await Recorder.start(world().state, arm);
    az = world().az(version, version, recorder.environment);
    network = `/subscriptions/${subscriptionId}/resourceGroups/${group}/providers/Microsoft.Network/virtualNetworks/net`;
    await az.signIn(world().endpoints);
    await az.text("group", "create", "--name", group, "--location", "eastus");
    await az.text(
      ...["network", "vnet", "create", ...inGroup, "--name", "net", "--address-prefixes", "10.0.0.0/16"],
      ...["--subnet-name", "master", "--subnet-prefixes", "10.0.0.0/23"],
    );
    await az.text(
      ...["network", "vnet", "subnet", "create", ...inGroup, "--vnet-name", "net"],
      ...["--name", "worker", "--address-prefixes", "10.0.2.0/23"],
    );
  });
  after(() => recorder[Symbol.asyncDispose]());

  const faults = async (...words: string[]) => {
    const { code, stderr } = await Program.run("sim", "faults", ...words, "--state", world().state.path);
    assert.equal(code, 0, stderr);
  };
  const scope = () => network.slice(0, network.indexOf("/providers/"));

  test("a cluster that fails: code, message and every detail are printed", async () => {
    const machines = ["type=Microsoft.Compute/virtualMachines", "verb=write"];
    const words = ["aro", "create", ...inGroup, "--name", "poor", ...subnets];
    // Limits the fault to this cluster, because the tests of the other release run at the same time.
    const managed = `poor-${version.replaceAll(".", "")}`;
    const only = `scope=/subscriptions/${world().endpoints.subscriptionId}/resourceGroups/${managed}`;
    await faults("set", "sku-not-available", ...machines, only);
    const { code, stderr } = await az.run(...words, "--cluster-resource-group", managed);
    assert.equal(code, 1);
    assert.match(stderr, /^ERROR: \(DeploymentFailed\) Deployment failed\.$/m);
    assert.match(
      stderr,
      /\(SkuNotAvailable\) The requested VM size for resource '.*' is currently not available/,
    );
    await az.text("aro", "delete", ...inGroup, "--name", "poor", "--yes");
  });

  test("a cluster's creation: its application, its roles, its table row", async () => {
    const { clientId, clientSecret, subscriptionId } = world().endpoints;
    const managed = `slow-${version.replaceAll(".", "")}`;
    await faults(
      ...["set", "operation-slow", "delayMs=12000", "type=Microsoft.Compute/virtualMachines", "verb=write"],
      ...["count=1", `scope=/subscriptions/${subscriptionId}/resourceGroups/${managed}`],
    );
    const given = ["--client-id", clientId, "--client-secret", clientSecret];
    const begun = recorder.exchanges.length;
    await az.text(
      ...["aro", "create", ...ofCluster, ...subnets, "--cluster-resource-group", managed, "--no-wait"],
      ...(isNewest ? given : []),
    );
    // While the cluster is being created, the newest release's API version returns no console. Therefore, `az` prints no table
    // row.
    const shown = await az.text("aro", "show", ...ofCluster, ...(isNewest ? [] : ["-o", "table"]));
    assert.match(
      shown,
      isNewest ? /"provisioningState": "Creating"/ : /^one\s+wire-\S+\s+eastus\s+Creating\s+3\s*$/m,
    );
    const made = recorder.exchanges.slice(begun);
    const applications = made.filter(
      ({ method, path }) => method === "POST" && path === "/v1.0/applications",
    );
    assert.equal(applications.length, isNewest ? 0 : 1);
    const [put] = recorder.all(/^PUT .*\/openShiftClusters\/one$/);
    assert.equal(put?.status, 201);
    assert.equal(put?.query.get("api-version"), isNewest ? "2025-07-25" : "2023-11-22");
    const roles = await az.json("role", "assignment", "list", "--scope", network);
    const contributors = roles
      .filter((each: { roleDefinitionId: string }) => each.roleDefinitionId.endsWith(networkContributor))
      .map((each: { principalId: string }) => each.principalId);
    const own = JSON.parse(put?.body ?? "{}").properties.servicePrincipalProfile.clientId;
    for (const appId of [serviceAppId, own]) {
      const { id } = await az.json("ad", "sp", "show", "--id", appId);
      assert.ok(contributors.includes(id), `${appId} is none of ${contributors}`);
    }
    for (;;) {
      const state = (await az.json("aro", "show", ...ofCluster)).provisioningState;
      if (state === "Succeeded") break;
      assert.equal(state, "Creating");
    }
  });

  test("a new secret: only it is sent, and it is never returned", async () => {
    await az.text("aro", "update", ...ofCluster, "--refresh-credentials");
    const [patch] = recorder.all(/^PATCH .*\/openShiftClusters\/one$/);
    const { properties, ...others } = JSON.parse(patch?.body ?? "{}");
    const { clientSecret } = properties.servicePrincipalProfile;
    assert.deepEqual(others, {});
    assert.deepEqual(properties, { servicePrincipalProfile: { clientSecret } });
    for (const each of recorder.all(/\/openShiftClusters/)) {
      assert.equal(each.text.includes(clientSecret), false, `${each.method} ${each.path}`);
    }
  });

  test("two temporary rejections are retried, and a challenge gets a new token once", async () => {
    const { clientId } = world().endpoints;
    const lists = /^GET https:.*\/wire-[\d.]+\/.*\/openShiftClusters$/;
    const count = () => recorder.all(lists).length;
    const list = ["aro", "list", ...inGroup];
    await faults(
      ...["set", "server-error", "status=503", "count=2", "verb=read", `clientId=${clientId}`],
      ...["type=Microsoft.RedHatOpenShift/openShiftClusters", `scope=${scope()}`],
    );
    const begun = count();
    assert.equal((await az.json(...list)).length, 1);
    assert.deepEqual(
      recorder
        .all(lists)
        .slice(begun)
        .map(({ status }) => status),
      [503, 503, 200],
    );

    const claims = Buffer.from(JSON.stringify({ access_token: { nbf: { essential: true, value: "1" } } }));
    const challenge = `Bearer authorization_uri="https://login.microsoftonline.com/common", error="insufficient_claims", claims="${claims.toString("base64")}"`;
    recorder.response(/^GET .*\/openShiftClusters\?/, {
      status: 401,
      headers: { "www-authenticate": challenge },
      body: { error: { code: "InvalidAuthenticationToken", message: "More claims are needed." } },
    });
    const challenged = count();
    const tokens = () => recorder.all(/^POST .*\/oauth2\/v2\.0\/token$/).length;
    const before = tokens();
    assert.equal((await az.json(...list)).length, 1);
    assert.deepEqual(
      recorder
        .all(lists)
        .slice(challenged)
        .map(({ status }) => status),
      [401, 200],
    );
    assert.equal(tokens(), before + 1);
  });

  test("credentials, and deletion to the end of its operation", async () => {
    await az.text("aro", "list-credentials", ...ofCluster);
    await az.text(
      "aro",
      "get-admin-kubeconfig",
      ...ofCluster,
      "--file",
      world().state.file(`wire-${version}`),
    );
    const begun = recorder.exchanges.length;
    await az.text("aro", "delete", ...ofCluster, "--yes");
    const all = recorder.exchanges.slice(begun);
    const deleted = all.findIndex(({ method }) => method === "DELETE");
    assert.ok(deleted >= 0);
    assert.ok(all.slice(deleted + 1).every(({ path }) => path.includes("/operationsstatus/")));
    assert.match(all.at(-1)?.text ?? "", /"Succeeded"/);
  });

  test("lists of more than a page are followed to their end", { skip: !isNewest }, async () => {
    await using client = new ArmClient(world().state.file("endpoints.json"));
    for (const name of many) await client.createCluster(name);
    const begun = recorder.exchanges.length;
    const listed = await az.json("aro", "list");
    const names = listed.map((each: { name: string }) => each.name);
    for (const name of many) assert.equal(names.filter((each: string) => each === name).length, 1);
    const pages = recorder.exchanges.slice(begun).filter(({ path }) => path.endsWith("/openShiftClusters"));
    assert.equal(pages.length, 2);
  });

  test("every client that must wait has received the duration", () => {
    const begins = recorder.exchanges.filter(
      ({ status, headers }) =>
        headers["azure-asyncoperation"] ?? (status === 202 ? headers.location : undefined),
    );
    assert.ok(begins.length >= 4, `${begins.length} operations`);
    const polls = recorder.exchanges.filter((each) => isPoll(each) && !isOver(each));
    assert.ok(polls.length >= 1);
    for (const { method, path, headers } of [...begins, ...polls]) {
      const seconds = Number(headers["retry-after"]);
      // `Retry-After` may be 0 for a virtual network because the network already exists at the first poll.
      const least = method === "PUT" && /\/Microsoft\.Network\/virtualNetworks\//i.test(path) ? 0 : 1;
      assert.ok(seconds >= least && seconds <= 5, `${method} ${path}: ${headers["retry-after"]}`);
    }
  });

  test("clients poll at the requested time, and soon notice the end", () => {
    const seen = new Map<string, number>();
    let noticed = 0;
    for (const exchange of recorder.exchanges) {
      const { path, headers, text, from, to } = exchange;
      const begun = String(headers["azure-asyncoperation"] ?? "");
      if (begun !== "") seen.set(new URL(begun).pathname.toLowerCase(), to);
      if (!isPoll(exchange)) continue;
      const before = seen.get(path.toLowerCase());
      const waited = from - (before ?? from);
      assert.ok(waited < soonMs, `${path} was polled again after ${waited} ms`);
      seen.set(path.toLowerCase(), to);
      const { endTime }: { readonly endTime?: string } = text === "" ? {} : JSON.parse(text);
      if (endTime === undefined) continue;
      const late = from - Date.parse(endTime);
      assert.ok(late < soonMs, `the end of ${path} was noticed ${late} ms later`);
      noticed += 1;
    }
    assert.ok(noticed >= 4, `${noticed} ends`);
  });

  test("the responses have the statuses and properties of Azure's", () => {
    const unseen = new Set(recordedInAzure);
    for (const { method, path, status, text } of recorder.exchanges) {
      const row = recordedInAzure.find(({ request }) =>
        request.test(`${method} ${path.replaceAll("//", "/")}`),
      );
      if (!row || status >= 400) continue;
      unseen.delete(row);
      assert.ok(row.statuses.includes(status), `${method} ${path}: ${status}`);
      const members = text === "" ? [] : Object.keys(JSON.parse(text));
      const missing = row.members.filter((each) => !members.includes(each));
      assert.deepEqual(missing, [], `${method} ${path} has ${members}`);
    }
    assert.deepEqual(
      [...unseen].map(({ request }) => request.source),
      [],
    );
  });
}

function isPoll({ method, path }: Exchange): boolean {
  return method === "GET" && /\/operation(s|sstatus|results|statuses)\/[^/]+$/i.test(path);
}

/** True if the response ends the polling. */
function isOver({ status, text }: Exchange): boolean {
  if (status === 202) return false;
  const response: { readonly status?: string } = text === "" ? {} : JSON.parse(text);
  return response.status === undefined || /^(Succeeded|Failed|Canceled)$/i.test(response.status);
}
