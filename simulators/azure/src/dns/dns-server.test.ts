import assert from "node:assert/strict";
import { createSocket } from "node:dgram";
import { Resolver } from "node:dns/promises";
import { once } from "node:events";
import { connect } from "node:net";
import { after, before, test } from "node:test";
import { type Answer, decode, encode, streamEncode } from "dns-packet";
import fc from "fast-check";
import { location, startTestAzure, type TestAzure } from "../testing/test-azure.ts";

let azure: TestAzure;
let resolver: Resolver;
const zone = "eastus.example.com";

before(async () => {
  azure = await startTestAzure({ dns: { host: "127.0.0.1", port: 0 } });
  resolver = new Resolver({ timeout: 5_000, tries: 2 });
  resolver.setServers([`127.0.0.1:${azure.dnsPort}`]);
  const { dns, resources } = azure.clients;
  await resources.resourceGroups.createOrUpdate("g", { location });
  await dns.zones.createOrUpdate("g", zone, { location: "global" });
  const a = (...addresses: string[]) => ({
    ttl: 300,
    aRecords: addresses.map((ipv4Address) => ({ ipv4Address })),
  });
  const sets = dns.recordSets;
  await sets.createOrUpdate("g", zone, "api.demo", "A", a("192.0.2.1"));
  await sets.createOrUpdate("g", zone, "*.apps.demo", "A", a("192.0.2.2"));
  await sets.createOrUpdate("g", zone, "api.demo", "AAAA", {
    ttl: 60,
    aaaaRecords: [{ ipv6Address: "2001:db8::1" }],
  });
  await sets.createOrUpdate("g", zone, "www", "CNAME", {
    ttl: 60,
    cnameRecord: { cname: `api.demo.${zone}` },
  });
  await sets.createOrUpdate("g", zone, "out", "CNAME", {
    ttl: 60,
    cnameRecord: { cname: "elsewhere.test." },
  });
  await sets.createOrUpdate("g", zone, "loop", "CNAME", { ttl: 60, cnameRecord: { cname: `loop.${zone}` } });
  await sets.createOrUpdate("g", zone, "text", "TXT", {
    ttl: 60,
    txtRecords: [{ value: ["one ", "two"] }, { value: ["x"] }],
  });
  await sets.createOrUpdate("g", zone, "@", "MX", {
    ttl: 60,
    mxRecords: [{ preference: 5, exchange: `mail.${zone}` }],
  });
  await sets.createOrUpdate("g", zone, "_etcd._tcp", "SRV", {
    ttl: 60,
    srvRecords: [{ priority: 1, weight: 2, port: 2380, target: `api.demo.${zone}` }],
  });
  await sets.createOrUpdate("g", zone, "@", "CAA", {
    ttl: 60,
    caaRecords: [{ flags: 0, tag: "issue", value: "ca.test" }],
  });
  await sets.createOrUpdate("g", zone, "sub", "NS", { ttl: 60, nsRecords: [{ nsdname: `ns.sub.${zone}` }] });
  await sets.createOrUpdate("g", zone, "ns.sub", "A", a("192.0.2.53"));
  const many = Array.from({ length: 80 }, (_, index) => `192.0.2.${100 + index}`);
  await sets.createOrUpdate("g", zone, "many", "A", a(...many));
});
after(() => azure[Symbol.asyncDispose]());

/**
 * Sends a UDP message, immediately followed by a second query. Returns the response to the message, or `undefined` if the server
 * responds only to the second query.
 */
async function send(bytes: Buffer): Promise<Buffer | undefined> {
  const socket = createSocket("udp4");
  const marker = encode({ type: "query", id: 65_535, questions: [{ type: "SOA", name: zone }] });
  try {
    const answers: Buffer[] = [];
    socket.on("message", (message) => answers.push(message));
    for (const each of [bytes, marker]) socket.send(each, azure.dnsPort ?? 0, "127.0.0.1");
    while (!answers.some((each) => each.readUInt16BE(0) === 65_535)) await once(socket, "message");
    return answers.find((each) => each.readUInt16BE(0) !== 65_535);
  } finally {
    socket.close();
  }
}

function codeOf(answer: Buffer | undefined): string {
  assert.ok(answer);
  return ["NOERROR", "FORMERR", "SERVFAIL", "NXDOMAIN", "NOTIMP", "REFUSED"][answer.readUInt8(3) & 15] ?? "";
}

async function ask(name: string, type: "A" | "CNAME" = "A", additionals: Answer[] = []) {
  const answer = await send(
    encode({ type: "query", id: 7, flags: 0x0100, questions: [{ type, name }], additionals }),
  );
  assert.ok(answer);
  return { bytes: answer.length, code: codeOf(answer), ...decode(answer) };
}

test("the resolver of Node finds every type of record", async () => {
  assert.deepEqual(await resolver.resolve4(`api.demo.${zone}`, { ttl: true }), [
    { address: "192.0.2.1", ttl: 300 },
  ]);
  assert.deepEqual(await resolver.resolve6(`api.demo.${zone}`), ["2001:db8::1"]);
  assert.deepEqual(await resolver.resolve4(`WWW.${zone.toUpperCase()}`), ["192.0.2.1"]);
  assert.deepEqual(await resolver.resolveCname(`www.${zone}`), [`api.demo.${zone}`]);
  assert.deepEqual((await resolver.resolveTxt(`text.${zone}`)).sort(), [["one ", "two"], ["x"]]);
  const [mx] = await resolver.resolveMx(zone);
  assert.deepEqual([mx?.priority, mx?.exchange], [5, `mail.${zone}`]);
  const [srv] = await resolver.resolveSrv(`_etcd._tcp.${zone}`);
  assert.deepEqual([srv?.priority, srv?.weight, srv?.port, srv?.name], [1, 2, 2380, `api.demo.${zone}`]);
  const [caa] = await resolver.resolveCaa(zone);
  assert.deepEqual([caa?.critical, caa?.issue], [0, "ca.test"]);
  assert.equal((await resolver.resolveNs(zone)).length, 4);
  const soa = await resolver.resolveSoa(zone);
  assert.deepEqual([soa.hostmaster, soa.minttl], ["azuredns-hostmaster.microsoft.com", 300]);
  assert.equal((await resolver.resolve4(`many.${zone}`)).length, 80, "a long response comes over TCP");
});

test("wildcards resolve names that do not exist, only below their own name", async () => {
  assert.deepEqual(await resolver.resolve4(`console.apps.demo.${zone}`), ["192.0.2.2"]);
  assert.deepEqual(await resolver.resolve4(`a.b.apps.demo.${zone}`), ["192.0.2.2"]);
  await assert.rejects(resolver.resolve4(`apps.demo.${zone}`), { code: "ENODATA" });
  await assert.rejects(resolver.resolve6(`console.apps.demo.${zone}`), { code: "ENODATA" });
  await assert.rejects(resolver.resolve4(`other.demo.${zone}`), { code: "ENOTFOUND" });
});

test("missing names are denied with the zone's SOA, and the case of a query is preserved", async () => {
  const absent = await ask(`nothing.${zone}`);
  assert.deepEqual([absent.code, absent.flag_aa, absent.flag_ra], ["NXDOMAIN", true, false]);
  assert.deepEqual(
    absent.authorities?.map(({ type, ...each }) => [type, "ttl" in each ? each.ttl : 0]),
    [["SOA", 300]],
  );
  const empty = await ask(`Demo.${zone}`);
  assert.deepEqual([empty.code, empty.answers?.length, empty.authorities?.[0]?.type], ["NOERROR", 0, "SOA"]);
  assert.equal(empty.questions?.[0]?.name, `Demo.${zone}`);
});

test("an alias is resolved within the local zones, with a limit", async () => {
  const out = await ask(`out.${zone}`);
  assert.deepEqual(
    out.answers?.map(({ type }) => type),
    ["CNAME"],
  );
  assert.equal(out.code, "NOERROR");
  assert.ok(((await ask(`loop.${zone}`)).answers?.length ?? 0) < 20);
  assert.deepEqual((await ask(`www.${zone}`, "CNAME")).answers?.length, 1);
  assert.equal((await resolver.resolveAny(`api.demo.${zone}`)).length, 2);
});

test("names below a delegation are referred, and names outside all zones are refused", async () => {
  const referred = await ask(`host.sub.${zone}`);
  assert.deepEqual([referred.flag_aa, referred.answers?.length], [false, 0]);
  assert.equal(referred.authorities?.[0]?.type, "NS");
  assert.deepEqual(
    referred.additionals?.map((each) => ("data" in each ? each.data : "")),
    ["192.0.2.53"],
  );
  assert.equal((await ask("example.org")).code, "REFUSED");
});

test("a response that is too long for the client is truncated", async () => {
  const cut = await ask(`many.${zone}`);
  assert.deepEqual([cut.flag_tc, cut.answers?.length], [true, 0]);
  assert.ok(cut.bytes <= 512);
  const options = {
    type: "OPT",
    name: ".",
    udpPayloadSize: 4_096,
    extendedRcode: 0,
    ednsVersion: 0,
    flags: 0,
    flag_do: false,
    options: [],
  } as const;
  const still = await ask(`many.${zone}`, "A", [{ ...options, options: [] }]);
  assert.equal(still.flag_tc, true, "1,232 bytes are the most by UDP");
  assert.equal(still.additionals?.[0]?.type, "OPT");
});

test("changes through ARM are visible immediately", async () => {
  const name = `new.${zone}`;
  await assert.rejects(resolver.resolve4(name), { code: "ENOTFOUND" });
  const { recordSets, zones } = azure.clients.dns;
  const body = (ipv4Address: string) => ({ ttl: 1, aRecords: [{ ipv4Address }] });
  await recordSets.createOrUpdate("g", zone, "new", "A", body("192.0.2.7"));
  assert.deepEqual(await resolver.resolve4(name), ["192.0.2.7"]);
  await recordSets.delete("g", zone, "new", "A");
  await assert.rejects(resolver.resolve4(name), { code: "ENOTFOUND" });
  await zones.createOrUpdate("g", `deep.${zone}`, { location: "global" });
  await recordSets.createOrUpdate("g", `deep.${zone}`, "@", "A", body("192.0.2.8"));
  assert.deepEqual(
    await resolver.resolve4(`deep.${zone}`),
    ["192.0.2.8"],
    "the zone with the longest name is used",
  );
});

test("queries on one connection are answered in order", async () => {
  const socket = connect(azure.dnsPort ?? 0, "127.0.0.1");
  const query = (id: number) =>
    streamEncode({ type: "query", id, questions: [{ type: "A", name: `api.demo.${zone}` }] });
  const both = Buffer.concat([query(1), query(2)]);
  socket.write(both.subarray(0, 5));
  socket.write(both.subarray(5));
  let received = Buffer.alloc(0);
  const ids: number[] = [];
  while (ids.length < 2) {
    const [chunk] = await once(socket, "data");
    received = Buffer.concat([received, chunk]);
    while (received.length >= 2 && received.length >= 2 + received.readUInt16BE(0)) {
      ids.push(received.readUInt16BE(2));
      received = received.subarray(2 + received.readUInt16BE(0));
    }
  }
  socket.destroy();
  assert.deepEqual(ids, [1, 2]);
});

test("malformed messages are rejected or dropped, and do not affect other clients", async () => {
  const update = Buffer.alloc(12);
  update.writeUInt8(5 << 3, 2);
  assert.equal(codeOf(await send(update)), "NOTIMP");
  const twoQuestions = encode({
    type: "query",
    id: 9,
    questions: [
      { type: "A", name: zone },
      { type: "A", name: zone },
    ],
  });
  assert.equal(codeOf(await send(twoQuestions)), "FORMERR");
  const response = encode({ type: "response", id: 3, questions: [{ type: "A", name: zone }] });
  assert.equal(await send(response), undefined, "responses get no response");
  const anything = fc.uint8Array({ minLength: 0, maxLength: 64 });
  await fc.assert(
    fc.asyncProperty(anything, async (bytes) => {
      if (bytes[0] === 255 && bytes[1] === 255) return;
      await send(Buffer.from(bytes));
    }),
    { numRuns: 100 },
  );
});

test("hosts of container registries resolve to the local machine after the registry exists", async () => {
  for (const host of ["images1.azurecr.io", "images1.eastus.data.azurecr.io"])
    await assert.rejects(resolver.resolve4(host), { code: "EREFUSED" });
  const { registries } = azure.clients.registries;
  await registries.create("g", "images1", { location, sku: { name: "Premium" } });
  for (const host of ["images1.azurecr.io", "images1.eastus.data.azurecr.io"])
    assert.deepEqual(await resolver.resolve4(host), ["127.0.0.1"]);
  await assert.rejects(resolver.resolve4("others1.azurecr.io"), { code: "EREFUSED" });
});

test("names of clusters' API servers have the cluster's address, if one is set and their record exists", async () => {
  await using local = await startTestAzure({
    dns: {
      host: "127.0.0.1",
      port: 0,
      clusterAddress: (domain) => (domain === `demo.${zone}` ? "127.0.0.2" : "127.0.0.1"),
    },
  });
  const { dns, resources } = local.clients;
  await resources.resourceGroups.createOrUpdate("g", { location });
  await dns.zones.createOrUpdate("g", zone, { location: "global" });
  const record = (ipv4Address: string) => ({ ttl: 300, aRecords: [{ ipv4Address }] });
  await dns.recordSets.createOrUpdate("g", zone, "api.demo", "A", record("192.0.2.1"));
  await dns.recordSets.createOrUpdate("g", zone, "api.other", "A", record("192.0.2.2"));
  await dns.recordSets.createOrUpdate("g", zone, "www.demo", "A", record("192.0.2.3"));
  const names = new Resolver({ timeout: 5_000, tries: 2 });
  names.setServers([`127.0.0.1:${local.dnsPort}`]);
  assert.deepEqual(await names.resolve4(`api.demo.${zone}`), ["127.0.0.2"]);
  assert.deepEqual(await names.resolve4(`api-int.demo.${zone}`), ["127.0.0.2"]);
  assert.deepEqual(await names.resolve4(`api-int.other.${zone}`), ["127.0.0.1"]);
  assert.deepEqual(await names.resolve4(`www.demo.${zone}`), ["192.0.2.3"]);
  await assert.rejects(names.resolve6(`api.demo.${zone}`), { code: "ENODATA" });
  await assert.rejects(names.resolve4(`api-int.missing.${zone}`), { code: "ENOTFOUND" });
});
