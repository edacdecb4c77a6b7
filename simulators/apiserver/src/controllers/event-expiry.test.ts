import assert from "node:assert/strict";
import { test } from "node:test";
import { createCertificateAuthority, issueCertificate, silentLogger } from "@keelson/base";
import { ManualClock } from "@keelson/base/testing";
import { startApiServer } from "../start-api-server.ts";

const events = { group: "", version: "v1", resource: "events" };
const minuteMs = 60_000;

test("an event is kept for three hours after its last change, or for the TTL of the cluster", async () => {
  const clock = new ManualClock();
  const ca = await createCertificateAuthority("test", 2);
  const certificate = {
    commonName: "localhost",
    dnsNames: ["localhost"],
    usage: "server",
    validDays: 1,
  } as const;
  await using server = await startApiServer({
    host: "127.0.0.1",
    port: 0,
    tls: await issueCertificate(ca, certificate),
    storage: { kind: "memory" },
    logger: silentLogger,
    clock,
  });
  const cluster = await server.createCluster({ name: "demo", clientCertificateAuthorities: [] });
  const { client } = cluster;
  const create = (name: string) =>
    client.create(events, {
      apiVersion: "v1",
      kind: "Event",
      metadata: { name, namespace: "default" },
      involvedObject: { kind: "Pod", namespace: "default", name: "p" },
    });
  const names = async () => (await client.list(events)).items.map(({ metadata }) => metadata.name);
  await create("quiet");
  await create("busy");
  await clock.advance(120 * minuteMs);
  await client.mergePatch(events, { namespace: "default", name: "busy" }, { count: 2 });
  await clock.advance(59 * minuteMs);
  assert.deepEqual(await names(), ["busy", "quiet"]);
  await clock.advance(2 * minuteMs);
  assert.deepEqual(await names(), ["busy"]);
  await clock.advance(120 * minuteMs);
  assert.deepEqual(await names(), []);
  await create("shorter");
  await clock.advance(10 * minuteMs);
  cluster.setEventTtl(15 * minuteMs);
  await clock.advance(4 * minuteMs);
  assert.deepEqual(await names(), ["shorter"]);
  await clock.advance(2 * minuteMs);
  assert.deepEqual(await names(), []);
  await create("longer");
  cluster.setEventTtl(undefined);
  await clock.advance(179 * minuteMs);
  assert.deepEqual(await names(), ["longer"]);
});
