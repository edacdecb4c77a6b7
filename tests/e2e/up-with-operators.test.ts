/** Tests `keelson up` with operators: administration in the portal and the operators of a cluster. */

import assert from "node:assert/strict";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { after, before, describe, test } from "node:test";
import { listAt, stringAt } from "@keelson/base";
import { connectKube, findCondition, type KubeClient, type KubeObject, resources } from "@keelson/kube";
import { Browser } from "@keelson/portal/testing";
import { statisticsTypes } from "@keelson/portal-api";
import ssh2 from "ssh2";
import { ArmClient } from "./support/arm-client.ts";
import { type Endpoints, readEndpoints } from "./support/endpoints.ts";
import { eventually } from "./support/eventually.ts";
import { Program, StateDirectory } from "./support/program.ts";

const namespace = "openshift-azure-operator";
const checks = [
  "InternetReachableFromMaster",
  "InternetReachableFromWorker",
  "MachineValid",
  "ServicePrincipalValid",
];

describe("up with operators", () => {
  const state = new StateDirectory();
  const signal = AbortSignal.timeout(900_000);
  let program: Program;
  let kube: KubeClient;
  let endpoints: Endpoints;
  let browser: Browser;
  let resource: string;
  let data: string;
  before(async () => {
    program = Program.start("up", "--state", state.path, "--ports", "auto", "--operators", "shared");
    await program.says(/endpoints/);
    const kubeconfig = readFileSync(state.file("demo.kubeconfig"), "utf8");
    kube = connectKube({ kubeconfig, userAgent: "e2e", fieldManager: "e2e" });
    endpoints = readEndpoints(state.file("endpoints.json"));
    browser = new Browser(readFileSync(endpoints.caFile, "utf8"));
    const { subscriptionId } = endpoints;
    resource = `/subscriptions/${subscriptionId}/resourcegroups/demo/providers/microsoft.redhatopenshift/openshiftclusters/demo`;
    data = `/api/${subscriptionId}/demo/demo`;
  });
  after(async () => {
    await kube[Symbol.asyncDispose]();
    await program[Symbol.asyncDispose]();
    state[Symbol.dispose]();
  });

  describe("the operators", { timeout: 900_000 }, () => {
    const cluster = () => kube.get(resources.aroClusters, { name: "cluster" }, signal);
    const masters = async () => {
      const selection = { namespace, labelSelector: "app=aro-operator-master" };
      return (await kube.list(resources.pods, selection, signal)).items;
    };

    test("acceptance 1: all checks are True, and the status names the operator's build", async () => {
      const { stdout } = await Program.run("version", "-o", "json");
      await eventually(async () => {
        const { status } = await cluster();
        const conditions = listAt({ status }, "status", "conditions");
        const statusOf = (type: string) =>
          stringAt(
            conditions.find((each) => stringAt(each, "type") === type),
            "status",
          );
        assert.deepEqual(
          checks.map((type) => [type, statusOf(type)]),
          checks.map((type) => [type, "True"]),
        );
        assert.ok(stdout.includes(stringAt({ status }, "status", "operatorVersion") ?? "?"), stdout);
      });
    });

    test("what it keeps comes back when it is deleted", async () => {
      const key = { name: "system:aro-sre" };
      const before = await eventually(() => kube.get(resources.clusterRoles, key, signal));
      await kube.delete(resources.clusterRoles, key, signal);
      await eventually(async () => {
        const { metadata } = await kube.get(resources.clusterRoles, key, signal);
        assert.notEqual(metadata.uid, before.metadata.uid);
      });
    });

    test("a pod that is deleted takes its operator with it, and the next one leads", async () => {
      const lease = { namespace, name: "aro-operator-master" };
      const holder = async () =>
        stringAt(await kube.get(resources.leases, lease, signal), "spec", "holderIdentity") ?? "";
      const [pod] = await masters();
      assert.ok(pod);
      await eventually(async () => assert.ok((await holder()).startsWith(pod.metadata.name)));
      await kube.delete(resources.pods, { namespace, name: pod.metadata.name }, signal);
      await eventually(async () => {
        const [next] = await masters();
        assert.ok(next && next.metadata.uid !== pod.metadata.uid);
        assert.ok((await holder()).startsWith(next.metadata.name), await holder());
      });
    });

    test("the samples operator of the release keeps samples, and the cluster version operator what it runs as", async () => {
      const configs = {
        group: "samples.operator.openshift.io",
        version: "v1",
        plural: "configs",
        kind: "Config",
        namespaced: false,
      } as const;
      await eventually(() =>
        kube.mergePatch(configs, { name: "cluster" }, { spec: { managementState: "Managed" } }, signal),
      );
      await eventually(async () => {
        const operator = await kube.get(resources.clusterOperators, { name: "openshift-samples" }, signal);
        const available = findCondition(operator, "Available");
        assert.match(stringAt(available, "message") ?? "", /^Samples installation successful at /);
      });
      const role = { namespace: "openshift", name: "cluster-samples-operator" };
      const before = await kube.get(resources.roles, role, signal);
      await kube.delete(resources.roles, role, signal);
      await eventually(async () => {
        const { metadata } = await kube.get(resources.roles, role, signal);
        assert.notEqual(metadata.uid, before.metadata.uid);
      });
    });
  });

  // pods-on-host.long-test.ts tests further hostile pods, with operators in separate processes.
  test("a pod of a tenant that names the operators' image is simulated, and an Event reports it", async () => {
    const tenant = { namespace: "tenant", name: "hostile" };
    const namespaceObject = { apiVersion: "v1", kind: "Namespace", metadata: { name: tenant.namespace } };
    await kube.create(resources.namespaces, namespaceObject, signal);
    const container = { name: "c", image: "keelson", command: ["keelson"], args: ["operator", "worker"] };
    const spec = { restartPolicy: "Never", containers: [container] };
    const pod = { apiVersion: "v1", kind: "Pod", metadata: tenant, spec };
    await kube.create(resources.pods, pod as KubeObject, signal);
    await eventually(async () => {
      const { status } = await kube.get(resources.pods, tenant, signal);
      assert.equal(stringAt(status, "phase"), "Running", JSON.stringify(status));
      const { items } = await kube.list(resources.events, { namespace: tenant.namespace }, signal);
      const messages = items.map((event) => `${stringAt(event, "reason")}: ${stringAt(event, "message")}`);
      const refusal = /^ProcessNotAllowed: .* is simulated .*: Pod tenant\/hostile is not on the allow list/;
      assert.ok(
        messages.some((message) => refusal.test(message)),
        messages.join("\n"),
      );
    });
  });

  test("customers read the health of the cluster, and what administrators did", async () => {
    await using arm = new ArmClient(state.file("endpoints.json"), endpoints.arm);
    await using rp = new ArmClient(state.file("endpoints.json"));
    const headers = { authorization: `Bearer ${await arm.token()}` };
    const get = async (path: string) => {
      const { status, body } = await arm.call("GET", path, undefined, headers);
      assert.equal(status, 200, JSON.stringify(body));
      return body;
    };
    const health = `${resource}/providers/Microsoft.ResourceHealth/availabilityStatuses`;
    await eventually(async () => {
      const { properties } = await get(`${health}/current?api-version=2024-02-01`);
      assert.equal(properties.availabilityState, "Available", JSON.stringify(properties));
    });
    const approved = await rp.call("POST", `/admin${resource}/approvecsr`);
    assert.equal(approved.status, 200, JSON.stringify(approved.body));
    const log = `/subscriptions/${endpoints.subscriptionId}/providers/Microsoft.Insights/eventtypes/management/values`;
    const filter = encodeURIComponent(`resourceUri eq '${resource}'`);
    const { value } = await get(`${log}?api-version=2015-04-01&$filter=${filter}`);
    const titles = value.map(({ properties }: { properties: { title?: string } }) => properties.title);
    assert.ok(titles.includes("approve certificate requests"), JSON.stringify(value));
  });

  test("a token of the Azure CLI has the role of its person at the admin API, and a request without a token has all rights", async () => {
    const person = new Browser(readFileSync(endpoints.caFile, "utf8"));
    const tenant = `/${endpoints.tenantId}/oauth2/v2.0`;
    const signIn = {
      client_id: "04b07795-8ddb-461a-bbee-02f9e1bf7b46",
      redirect_uri: "http://localhost:8400/",
      scope: "api://keelson-admin/.default",
    };
    const query = new URLSearchParams({ ...signIn, response_type: "code" });
    const back = await person.choose(
      new URL(`${tenant}/authorize?${query}`, endpoints.login),
      "operator@keelson.local",
    );
    const code = back.searchParams.get("code") ?? "";
    const form = new URLSearchParams({ ...signIn, grant_type: "authorization_code", code });
    const issued = await person.send(endpoints.login, `${tenant}/token`, {
      method: "POST",
      headers: { "content-type": "application/x-www-form-urlencoded" },
      body: form.toString(),
    });
    const authorization = `Bearer ${JSON.parse(issued.text).access_token}`;
    const status = async (method: string, path: string, headers: Record<string, string>) =>
      (await person.send(endpoints.rp, `/admin${resource}/${path}`, { method, headers })).status;
    // The elevated action runs only for the caller without a token. 400 is the response to its missing parameter.
    for (const [headers, statuses] of [
      [{ authorization }, [200, 403]],
      [{ authorization: "Bearer " }, [403, 403]],
      [{}, [200, 400]],
    ] as const)
      assert.deepEqual(
        [
          await status("GET", "kubernetesobjects?kind=Node", headers),
          await status("POST", "resize", headers),
        ],
        statuses,
        JSON.stringify(Object.keys(headers)),
      );
  });

  describe("the portal", () => {
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
      // After the installation, the ARO operator still has to grant permissions to the SRE user.
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
      const response = await post({ "x-csrf-token": csrf });
      assert.equal(response.headers["content-disposition"], 'attachment; filename="demo.kubeconfig"');
      const config = JSON.parse(response.text);
      const { pathname } = new URL(config.clusters[0].cluster.server);
      const headers = { authorization: `Bearer ${config.users[0].user.token}` };
      const ask = (path: string) => browser.send(endpoints.portal, `${pathname}${path}`, { headers });
      assert.equal((await ask("/api/v1/nodes")).status, 200);
      assert.equal((await ask("/api/v1/secrets")).status, 403);
    });

    test("actions run at the admin API with the token of the signed-in person", async () => {
      const operator = new Browser(readFileSync(endpoints.caFile, "utf8"));
      await operator.signIn(endpoints.portal, "operator@keelson.local");
      const { csrf } = JSON.parse((await operator.send(endpoints.portal, "/api/info")).text);
      const post = async (path: string, body: object) => {
        const { status, text } = await operator.send(endpoints.portal, `${data}/${path}`, {
          method: "POST",
          headers: { "x-csrf-token": csrf, "content-type": "application/json" },
          body: JSON.stringify(body),
        });
        return { status, value: JSON.parse(text) };
      };
      const usage = await post("admin-reads", { action: "GET top/nodes", query: {} });
      assert.deepEqual([usage.status, usage.value.state], [200, "Succeeded"], JSON.stringify(usage.value));
      const upgrade = await post("admin-reads", { action: "GET upgrade", query: {} });
      const { version, history, checks } = JSON.parse(upgrade.value.content);
      assert.deepEqual([history[0].version, history[0].state], [version, "Completed"]);
      assert.deepEqual(checks, [], "without a channel no version is offered");
      const refused = await post("action-requests", { action: "POST resize", query: {} });
      assert.equal(refused.status, 403, JSON.stringify(refused.value));
      const run = async (body: object, cluster?: string) => {
        const { status, value } = await post("action-requests", body);
        assert.equal(status, 200, JSON.stringify(value));
        const { token } = value.confirmation;
        const path = `action-requests/${value.id}`;
        const responses = await Promise.all([1, 2].map(() => post(`${path}/run`, { token, cluster })));
        for (const response of responses) assert.equal(response.status, 200, JSON.stringify(response.value));
        return eventually(async () => {
          const ended = JSON.parse((await operator.send(endpoints.portal, `${data}/${path}`)).text);
          assert.equal(ended.state, "Ended", JSON.stringify(ended));
          return ended;
        });
      };
      const approved = await run({ action: "POST approvecsr", query: {} });
      assert.equal(approved.outcome.state, "Succeeded", JSON.stringify(approved.outcome));
      const { nodes } = await json(`${data}/nodes`);
      const [vmName = ""] = nodes
        .map(({ name }: { name: string }) => name)
        .filter((name: string) => /worker/.test(name));
      const restarted = await run({ action: "POST redeployvm", query: { vmName } }, "demo");
      assert.equal(restarted.outcome.state, "Succeeded", JSON.stringify(restarted.outcome));
      const { actions } = await json(`${data}/actions`);
      const byPortal = actions.filter(
        (each: { correlationId?: string }) => each.correlationId === restarted.id,
      );
      assert.deepEqual(
        byPortal.map(({ action, caller }: { action: string; caller: string }) => [action, caller]),
        [["redeployvm", "operator@keelson.local"]],
      );
    });

    test("the end of all sign-ins of a person ends the person's kubeconfig, watch and shell on a master", async () => {
      const person = new Browser(readFileSync(endpoints.caFile, "utf8"));
      await person.signIn(endpoints.portal, "administrator@keelson.local");
      const { csrf } = JSON.parse((await person.send(endpoints.portal, "/api/info")).text);
      const post = (path: string, body: object) =>
        person.send(endpoints.portal, path, {
          method: "POST",
          headers: { "x-csrf-token": csrf, "content-type": "application/json" },
          body: JSON.stringify(body),
        });
      const config = JSON.parse((await post(`${resource}/kubeconfig/new`, {})).text);
      const { pathname } = new URL(config.clusters[0].cluster.server);
      const headers = { authorization: `Bearer ${config.users[0].user.token}` };
      const ask = (path: string) => person.send(endpoints.portal, `${pathname}${path}`, { headers });
      assert.equal((await ask("/api/v1/secrets")).status, 200);
      const watch = assert.rejects(ask("/api/v1/nodes?watch=true"));
      const { password } = JSON.parse((await post(`${resource}/ssh/new`, { master: 0 })).text);
      const { portal } = JSON.parse(readFileSync(state.file("service.json"), "utf8"));
      const client = new ssh2.Client();
      const closed = once(client, "close");
      const ready = once(client, "ready");
      client.on("error", () => undefined);
      client.connect({ host: "localhost", port: portal.ssh.port, username: "administrator", password });
      await ready;
      client.shell({}, () => undefined);
      const { sessions } = JSON.parse((await person.send(endpoints.portal, "/api/sessions")).text);
      assert.equal(sessions.length, 2);
      assert.equal((await post("/api/sign-outs", {})).status, 204);
      assert.equal((await ask("/api/v1/secrets")).status, 403);
      await Promise.all([watch, closed]);
    });
  });
});
