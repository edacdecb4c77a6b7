import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { numberAt, silentLogger, stringAt } from "@keelson/base";
import { ManualClock } from "@keelson/base/testing";
import { type KubeClient, type KubeObject, resources } from "@keelson/kube";
import { apiServers, type TestApiServer } from "../testing/test-api-server.ts";
import { EventRecorder } from "./event-recorder.ts";

const signal = AbortSignal.timeout(900_000);

for (const { name, start } of apiServers) {
  let server: TestApiServer;
  let api: KubeClient;
  before(async () => {
    server = await start();
    api = server.connect();
  });
  after(async () => {
    await api[Symbol.asyncDispose]();
    await server[Symbol.asyncDispose]();
  });

  const configMap = (object: string) =>
    api.create(
      resources.configMaps,
      { apiVersion: "v1", kind: "ConfigMap", metadata: { namespace: "default", name: object } },
      signal,
    );
  const recorder = (clock = new ManualClock(new Date())) =>
    new EventRecorder({ api, component: "test", instance: "test-1", clock, logger: silentLogger });
  const eventsAbout = async ({ metadata: { uid } }: KubeObject) => {
    const fieldSelector = `involvedObject.uid=${uid}`;
    return (await api.list(resources.events, { namespace: "default", fieldSelector }, signal)).items;
  };

  test(`${name}: an event that repeats counts up, also after a restart`, async () => {
    const about = await configMap("repeated");
    for (let restarts = 0; restarts < 2; restarts++) {
      await using events = recorder();
      for (let times = 0; times < 2; times++)
        events.record(about, { type: "Normal", reason: "Repaired", message: "no" });
    }
    const [event, ...others] = await eventsAbout(about);
    assert.equal(others.length, 0);
    assert.equal(numberAt(event, "count"), 4);
    assert.deepEqual(
      [stringAt(event, "reason"), stringAt(event, "type"), stringAt(event, "reportingComponent")],
      ["Repaired", "Normal", "test"],
    );
  });

  test(`${name}: messages that differ every time are combined, and an object has a budget`, async () => {
    const about = await configMap("flood");
    const clock = new ManualClock(new Date());
    await using events = recorder(clock);
    for (let at = 0; at < 100; at++)
      events.record(about, { type: "Normal", reason: "Changed", message: `${at}` });
    await events.flush();
    assert.equal((await eventsAbout(about)).length, 11);
    const combined = (await eventsAbout(about)).filter((each) =>
      stringAt(each, "message")?.startsWith("(combined from similar events)"),
    );
    assert.deepEqual(
      combined.map((event) => [stringAt(event, "message"), numberAt(event, "count")]),
      [["(combined from similar events): 24", 15]],
    );
    await clock.advance(300_000);
    events.record(about, { type: "Normal", reason: "Later", message: "again" });
    events.record(about, { type: "Normal", reason: "Later", message: "too soon" });
    await events.flush();
    assert.equal((await eventsAbout(about)).length, 12);
  });

  test(`${name}: a failure that lasts is written ever more rarely, and counted in full`, async () => {
    const about = await configMap("failing");
    const clock = new ManualClock(new Date());
    await using events = recorder(clock);
    const counts: number[] = [];
    for (let second = 0; second < 3_600; second++) {
      events.record(about, { type: "Warning", reason: "RepairFailed", message: "no" });
      await events.flush();
      const [event] = second % 20 === 19 ? await eventsAbout(about) : [];
      const count = event && numberAt(event, "count");
      if (count !== undefined && count !== counts.at(-1)) counts.push(count);
      await clock.advance(1_000);
    }
    assert.deepEqual(counts.slice(0, 7), [11, 31, 71, 151, 311, 631, 991]);
    assert.equal(counts.length, 7 + Math.floor((3_599 - 990) / 360));
    assert.equal((await eventsAbout(about)).length, 1);
  });

  test(`${name}: distinct messages are not combined: sixty in a burst, then one a second`, async () => {
    const about = await configMap("distinct");
    const clock = new ManualClock(new Date());
    await using events = recorder(clock);
    const record = (at: number) =>
      events.record(about, { type: "Normal", reason: "Created", message: `${at}`, isDistinct: true });
    for (let at = 0; at < 100; at++) record(at);
    await clock.advance(2_000);
    for (let at = 100; at < 105; at++) record(at);
    await events.flush();
    const messages = (await eventsAbout(about)).map((each) => Number(stringAt(each, "message")));
    assert.deepEqual(
      messages.toSorted((a, b) => a - b),
      [...Array(60).keys(), 100, 101],
    );
  });

  test(`${name}: events about what has no namespace are in default, and long messages are cut`, async () => {
    const about = await api.get(resources.namespaces, { name: "kube-system" }, signal);
    await using events = recorder();
    events.record(about, { type: "Normal", reason: "Long", message: "x".repeat(5_000) });
    await events.flush();
    const [event] = await eventsAbout(about);
    assert.equal(stringAt(event, "metadata", "namespace"), "default");
    assert.ok((stringAt(event, "message") ?? "").length <= 1_024);
  });

  test(`${name}: an object has Events even if its name is not a DNS subdomain`, async () => {
    const metadata = { name: "system:Of:Test" };
    const role = { apiVersion: "rbac.authorization.k8s.io/v1", kind: "ClusterRole", metadata, rules: [] };
    const about = await api.create(resources.clusterRoles, role, signal);
    await using events = recorder();
    events.record(about, { type: "Normal", reason: "Repaired", message: "it differed" });
    await events.flush();
    const [event] = await eventsAbout(about);
    assert.match(event?.metadata.name ?? "", /^system-of-test\.[0-9a-f]{16}$/);
  });
}

test("an unresponsive server only loses the Events", async () => {
  const clock = new ManualClock();
  const failing = async () => {
    throw new Error("away");
  };
  const api = { create: failing, find: failing, mergePatch: failing };
  await using events = new EventRecorder({ api, component: "t", instance: "t", clock, logger: silentLogger });
  const about = { apiVersion: "v1", kind: "ConfigMap", metadata: { namespace: "default", name: "a" } };
  events.record(about, { type: "Normal", reason: "Lost", message: "lost" });
  await events.flush();
});
