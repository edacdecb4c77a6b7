import assert from "node:assert/strict";
import { test } from "node:test";
import type { RecordSet, RecordType } from "@azure/arm-dns";
import { azureErrorCode, isNotFound, isPreconditionFailed } from "@keelson/azure";
import { location, startTestAzure } from "../testing/test-azure.ts";

const abortSignal = AbortSignal.timeout(900_000);

async function withZone() {
  const azure = await startTestAzure();
  const { dns, resources } = azure.clients;
  await resources.resourceGroups.createOrUpdate("g", { location }, { abortSignal });
  await dns.zones.createOrUpdate("g", "eastus.aroapp.io", { location: "global" }, { abortSignal });
  return { azure, dns };
}

const zone = ["g", "eastus.aroapp.io"] as const;

test("record sets are created once, changed under their etag, and deleted", async () => {
  const { azure, dns } = await withZone();
  await using _ = azure;
  const api = (ip: string) => ({ ttl: 300, aRecords: [{ ipv4Address: ip }], metadata: { resourceId: "/x" } });
  const made = await dns.recordSets.createOrUpdate(...zone, "api.demo", "A", api("20.0.0.1"), {
    ifNoneMatch: "*",
    abortSignal,
  });
  assert.equal(made.fqdn, "api.demo.eastus.aroapp.io.");
  assert.deepEqual(made.metadata, { resourceId: "/x" });
  assert.equal(made.ttl, 300);
  await assert.rejects(
    dns.recordSets.createOrUpdate(...zone, "api.demo", "A", api("20.0.0.2"), {
      ifNoneMatch: "*",
      abortSignal,
    }),
    isPreconditionFailed,
  );
  const changed = await dns.recordSets.createOrUpdate(...zone, "api.demo", "A", api("20.0.0.2"), {
    ifMatch: made.etag ?? "",
    abortSignal,
  });
  assert.notEqual(changed.etag, made.etag);
  await assert.rejects(
    dns.recordSets.createOrUpdate(...zone, "api.demo", "A", api("20.0.0.3"), {
      ifMatch: made.etag ?? "",
      abortSignal,
    }),
    isPreconditionFailed,
  );
  const read = await dns.recordSets.get(...zone, "API.demo", "A", { abortSignal });
  assert.deepEqual(read.aRecords, [{ ipv4Address: "20.0.0.2" }]);
  await assert.rejects(
    dns.recordSets.delete(...zone, "api.demo", "A", { ifMatch: made.etag ?? "", abortSignal }),
    isPreconditionFailed,
  );
  await dns.recordSets.delete(...zone, "api.demo", "A", { abortSignal });
  await dns.recordSets.delete(...zone, "api.demo", "A", { abortSignal });
  await assert.rejects(dns.recordSets.get(...zone, "api.demo", "A", { abortSignal }), isNotFound);
});

test("a zone lists all its sets or those of one type, and is deleted with them", async () => {
  const { azure, dns } = await withZone();
  await using _ = azure;
  await dns.recordSets.createOrUpdate(...zone, "*.apps.demo", "A", {
    ttl: 300,
    aRecords: [{ ipv4Address: "20.0.0.1" }],
  });
  await dns.recordSets.createOrUpdate(...zone, "www", "CNAME", {
    ttl: 60,
    cnameRecord: { cname: "example.com" },
  });
  await dns.recordSets.createOrUpdate(...zone, "@", "TXT", { ttl: 60, txtRecords: [{ value: ["v=1"] }] });
  const names = async (sets: AsyncIterable<{ name?: string }>) =>
    (await Array.fromAsync(sets)).map(({ name }) => name).sort();
  assert.deepEqual(await names(dns.recordSets.listByDnsZone(...zone)), ["*.apps.demo", "@", "@", "@", "www"]);
  const inOrder = (await Array.fromAsync(dns.recordSets.listByDnsZone(...zone))).map(({ name }) => name);
  assert.deepEqual(inOrder, ["@", "@", "@", "*.apps.demo", "www"], "the top of the zone comes first");
  assert.deepEqual(await names(dns.recordSets.listAllByDnsZone(...zone)), [
    "*.apps.demo",
    "@",
    "@",
    "@",
    "www",
  ]);
  assert.deepEqual(await names(dns.recordSets.listByType(...zone, "CNAME")), ["www"]);
  const read = await dns.zones.get(...zone);
  assert.equal(read.numberOfRecordSets, 5);
  assert.equal(read.nameServers?.length, 4);
  await assert.rejects(
    dns.recordSets.delete(...zone, "@", "SOA"),
    (error) => azureErrorCode(error) === "BadRequest",
  );
  await dns.zones.beginDeleteAndWait(...zone, { abortSignal });
  await dns.zones.createOrUpdate(...zone, { location: "global" });
  assert.deepEqual(await names(dns.recordSets.listByDnsZone(...zone)), ["@", "@"]);
});

const bad: readonly { name: string; set: readonly [string, RecordType, RecordSet] }[] = [
  { name: "an invalid address", set: ["x", "A", { ttl: 1, aRecords: [{ ipv4Address: "300.1.1.1" }] }] },
  { name: "a TTL of zero", set: ["x", "A", { ttl: 0, aRecords: [] }] },
  { name: "an alias of nothing", set: ["x", "CNAME", { ttl: 1 }] },
  {
    name: "an alias with a different set of its name",
    set: ["taken", "CNAME", { ttl: 1, cnameRecord: { cname: "a.b" } }],
  },
];

test("an invalid record set is rejected with its error", async (t) => {
  const { azure, dns } = await withZone();
  await using _ = azure;
  await dns.recordSets.createOrUpdate(...zone, "taken", "A", {
    ttl: 1,
    aRecords: [{ ipv4Address: "1.2.3.4" }],
  });
  for (const { name, set } of bad) {
    await t.test(name, async () => {
      const [label, kind, body] = set;
      await assert.rejects(
        dns.recordSets.createOrUpdate(...zone, label, kind, body),
        (error) => azureErrorCode(error) === "BadRequest",
      );
    });
  }
  await assert.rejects(
    dns.recordSets.createOrUpdate("g", "absent.example.com", "x", "A", { ttl: 1, aRecords: [] }),
    (error) => azureErrorCode(error) === "ParentResourceNotFound",
  );
});
