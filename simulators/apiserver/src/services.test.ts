import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { scalarStringAt } from "@keelson/apimachinery";
import { listAt } from "@keelson/base";
import { freePlace } from "@keelson/kinds";
import fc from "fast-check";
import { TestServer } from "./testing/test-server.ts";

const directory = mkdtempSync(join(tmpdir(), "services-"));
after(() => rmSync(directory, { recursive: true }));

const services = { group: "", version: "v1", resource: "services" };
const service = (name: string, spec: object = {}) => ({
  apiVersion: "v1",
  kind: "Service",
  metadata: { name, namespace: "default" },
  spec: { ports: [{ port: 80 }], ...spec },
});
const portOf = (made: unknown) => scalarStringAt(listAt(made, "spec", "ports")[0], "nodePort");

test("concurrently created services never share an address or node port", async () => {
  await using server = await TestServer.start();
  const { client } = server.cluster;
  const names = Array.from({ length: 300 }, (_, at) => `s-${at}`);
  const made = await Promise.all(
    names.map((name) => client.create(services, service(name, { type: "NodePort" }))),
  );
  assert.equal(new Set(made.map((each) => scalarStringAt(each, "spec", "clusterIP"))).size, names.length);
  assert.equal(new Set(made.map(portOf)).size, names.length);
});

test("only one of several services that request the same address or node port gets it", async () => {
  await using server = await TestServer.start();
  const { client } = server.cluster;
  for (const spec of [
    { clusterIP: "172.30.7.7" },
    { type: "NodePort", ports: [{ port: 80, nodePort: 30_077 }] },
  ]) {
    const names = ["a", "b", "c"].map((name) => `${name}-${Object.keys(spec).length}`);
    const outcomes = await Promise.allSettled(
      names.map((name) => client.create(services, service(name, spec))),
    );
    assert.deepEqual(outcomes.map(({ status }) => status).sort(), ["fulfilled", "rejected", "rejected"]);
  }
  const plain = await client.create(services, service("plain"));
  const wanted = service("plain", { type: "NodePort", ports: [{ port: 80, nodePort: 30_077 }] });
  await assert.rejects(
    client.update(services, { ...plain, ...wanted }),
    /provided port is already allocated/,
  );
});

test("an update without node ports keeps the node port that two protocols share", async () => {
  await using server = await TestServer.start();
  const { client } = server.cluster;
  const ports = (asked: { readonly nodePort?: number } = {}) =>
    ["UDP", "TCP"].map((protocol) => ({ name: protocol.toLowerCase(), port: 53, protocol, ...asked }));
  const made = await client.create(
    services,
    service("dns", { type: "NodePort", ports: ports({ nodePort: 30_079 }) }),
  );
  const { metadata } = made;
  const wanted = { ...service("dns", { type: "NodePort", ports: ports() }), metadata };
  const updated = await client.update(services, wanted);
  assert.deepEqual(listAt(updated, "spec", "ports"), listAt(made, "spec", "ports"));
});

test("services keep their addresses and ports after a restart", async () => {
  const file = join(directory, "restart.db");
  const spec = { type: "NodePort", clusterIP: "172.30.7.8", ports: [{ port: 80, nodePort: 30_078 }] };
  const first = await TestServer.start(file);
  await first.cluster.client.create(services, service("kept", spec));
  await first.cluster.client.create(services, service("gone", { clusterIP: "172.30.7.9" }));
  await first.cluster.client.delete(services, { namespace: "default", name: "gone" });
  await first[Symbol.asyncDispose]();
  await using second = await TestServer.start(file, first.authority);
  const { client } = second.cluster;
  await assert.rejects(
    client.create(services, service("a", { clusterIP: "172.30.7.8" })),
    /already allocated/,
  );
  await assert.rejects(
    client.create(services, service("a", { ...spec, clusterIP: "" })),
    /already allocated/,
  );
  await client.create(services, service("a", { clusterIP: "172.30.7.9" }));
});

test("allocation finds any free index, and uses the part for explicit requests last", () => {
  fc.assert(
    fc.property(fc.integer({ min: 2, max: 60 }), fc.nat(), (count, some) => {
      const last = 1 + (some % (count - 1));
      const taken = new Set<number>();
      const take = (place: number) => !taken.has(place) && taken.add(place).size > 0;
      const found = Array.from({ length: count }, () => freePlace(count, last, take));
      assert.ok(found.slice(0, count - last).every((place) => place !== undefined && place >= last));
      assert.deepEqual(
        [...taken].sort((a, b) => a - b),
        Array.from({ length: count }, (_, at) => at),
      );
      assert.equal(freePlace(count, last, take), undefined);
    }),
  );
});
