import assert from "node:assert/strict";
import { test } from "node:test";
import { silentLogger } from "@keelson/base";
import { ClusterAddresses } from "./cluster-addresses.ts";

/** Returns a fake API server that records the addresses it listens on. */
function fakeServer() {
  const open = new Set<string>();
  return {
    open,
    async listenAt(host: string) {
      if (host === "127.0.0.9") throw new Error("in use");
      assert.ok(!open.has(host));
      open.add(host);
      return { [Symbol.asyncDispose]: async () => void open.delete(host) };
    },
  };
}

test("each address is listened at while a cluster has it, also one that clusters share", async () => {
  const server = fakeServer();
  await using addresses = new ClusterAddresses(
    server,
    { addressOf: (domain) => (domain.startsWith("a") ? "127.0.0.2" : "127.0.0.3") },
    silentLogger,
  );
  for (const name of ["a1", "a2", "b1", "b1"]) addresses.add(name, name);
  await addresses.remove("none");
  assert.deepEqual([...server.open], ["127.0.0.2", "127.0.0.3"]);
  await addresses.remove("a1");
  assert.deepEqual([...server.open], ["127.0.0.2", "127.0.0.3"]);
  await addresses.remove("a2");
  assert.deepEqual([...server.open], ["127.0.0.3"]);
  await addresses[Symbol.asyncDispose]();
  assert.deepEqual([...server.open], []);
});

test("an address in use is logged, and the cluster runs without it", async () => {
  await using addresses = new ClusterAddresses(fakeServer(), { addressOf: () => "127.0.0.9" }, silentLogger);
  addresses.add("a", "a");
  await addresses.remove("a");
});
