import assert from "node:assert/strict";
import { createSocket } from "node:dgram";
import { mkdtempSync, rmSync } from "node:fs";
import { createServer, type Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, test } from "node:test";
import { systemClock } from "./clock.ts";
import { silentLogger } from "./log.ts";
import { Statsd, statsdAddress, statsdLine, taggedLine } from "./statsd.ts";

const epoch = new Date(0);
const fixed = { account: "*", namespace: "*", dimensions: {} };

describe("a line", () => {
  const cases = [
    {
      name: "a whole number is a gauge",
      sample: { metric: "m", value: 42, dimensions: { k: "v" } },
      line: '{"Metric":"m","Account":"*","Namespace":"*","Dims":{"k":"v"},"TS":"1970-01-01T00:00:00.000"}:42|g\n',
    },
    {
      name: "a fraction has six decimals",
      sample: { metric: "m", value: 0.5, dimensions: {} },
      line: '{"Metric":"m","Account":"*","Namespace":"*","Dims":{},"TS":"1970-01-01T00:00:00.000"}:0.500000|f\n',
    },
    {
      name: "dimensions are sorted and escaped",
      sample: { metric: "m", value: 1, dimensions: { b: "<&>", a: '"' } },
      line: '{"Metric":"m","Account":"*","Namespace":"*","Dims":{"a":"\\"","b":"\\u003c\\u0026\\u003e"},"TS":"1970-01-01T00:00:00.000"}:1|g\n',
    },
  ];
  for (const { name, sample, line } of cases) {
    test(name, () => assert.equal(statsdLine(sample, epoch, fixed), line));
  }

  test("fixed dimensions win; an empty account and namespace are left out", () => {
    const options = { account: "", namespace: "", dimensions: { location: "eastus" } };
    const sample = { metric: "m", value: 1, dimensions: { location: "x", verb: "GET" } };
    assert.equal(
      statsdLine(sample, epoch, options),
      '{"Metric":"m","Dims":{"location":"eastus","verb":"GET"},"TS":"1970-01-01T00:00:00.000"}:1|g\n',
    );
  });
});

describe("a line with tags", () => {
  const line = (value: number, dimensions: Readonly<Record<string, string>>, more = {}) =>
    taggedLine({ metric: "pod.count", value, dimensions }, { dimensions: more });
  test("is a gauge with sorted tags", () =>
    assert.equal(
      line(42, { b: "/subscriptions/s", a: "x:y" }, { location: "eastus" }),
      "pod.count:42|g|#a:x:y,b:/subscriptions/s,location:eastus\n",
    ));
  test("has decimals for a fraction, and no tags without dimensions", () =>
    assert.equal(line(0.5, {}), "pod.count:0.500000|g\n"));
  test("sets a negative value, because statsd adds signed values", () =>
    assert.equal(line(-3, { k: "v" }), "pod.count:0|g|#k:v\npod.count:-3|g|#k:v\n"));
  test("contains no separator of a customer's name", () =>
    assert.equal(line(1, { k: "a,b|c#d\ne:1|c" }), "pod.count:1|g|#k:a_b_c_d_e:1_c\n"));
});

test("the format is chosen by the options", async () => {
  const receiver = createSocket("udp4");
  await new Promise<void>((resolve) => receiver.bind(0, "127.0.0.1", resolve));
  const first = new Promise<string>((resolve) =>
    receiver.once("message", (bytes) => resolve(bytes.toString())),
  );
  const address = { kind: "udp", host: "127.0.0.1", port: receiver.address().port } as const;
  await using statsd = new Statsd({ ...options, address, format: "tags" });
  statsd.send({ metric: "m", value: 1, dimensions: { k: "v" } });
  assert.equal(await first, "m:1|g|#k:v\n");
  receiver.close();
});

test("addresses are of two forms", () => {
  assert.deepEqual(statsdAddress("unix:/var/etw/mdm_statsd.socket"), {
    kind: "unix",
    path: "/var/etw/mdm_statsd.socket",
  });
  assert.deepEqual(statsdAddress("udp:127.0.0.1:9000"), { kind: "udp", host: "127.0.0.1", port: 9000 });
  assert.deepEqual(statsdAddress("udp:[::1]:9000"), { kind: "udp", host: "::1", port: 9000 });
  for (const text of ["", "unix:", "tcp:a:1", "udp:a", "udp:a:0", "udp:a:70000", "x"])
    assert.throws(() => statsdAddress(text), { code: "InvalidStatsdAddress" }, text);
});

const options = { ...fixed, clock: systemClock, logger: silentLogger };
const sample = (value: number) => ({ metric: "m", value, dimensions: {} });
const values = (text: string) => [...text.matchAll(/:(\d+)\|g/g)].map(([, value]) => Number(value));

test("lines are sent to a socket in order, and resume after the listener was unavailable", async () => {
  const directory = mkdtempSync(join(tmpdir(), "keelson-statsd-"));
  const path = join(directory, "socket");
  let received = "";
  let arrived: () => void = () => undefined;
  const peers = new Set<Socket>();
  const until = async (count: number) => {
    while (values(received).length < count)
      await new Promise<void>((resolve) => {
        arrived = resolve;
      });
  };
  const listen = () =>
    new Promise<ReturnType<typeof createServer>>((resolve) => {
      const server = createServer((peer) => {
        peers.add(peer);
        peer.on("error", () => undefined);
        peer.on("data", (bytes) => {
          received += bytes;
          arrived();
        });
      });
      server.listen(path, () => resolve(server));
    });
  const statsd = new Statsd({ ...options, address: { kind: "unix", path } });
  try {
    statsd.send(sample(1));
    const server = await listen();
    await until(1);
    for (const value of [2, 3, 4]) statsd.send(sample(value));
    await until(4);
    assert.deepEqual(values(received), [1, 2, 3, 4]);
    const closed = new Promise((resolve) => server.close(resolve));
    for (const peer of peers) peer.destroy();
    await closed;
    received = "";
    const again = await listen();
    let value = 5;
    // Lines that are sent while no listener runs are lost, as with UDP. Lines that are sent after the restart of the listener
    // must arrive.
    const beat = setInterval(() => statsd.send(sample(value++)), 20);
    await until(2);
    clearInterval(beat);
    await statsd[Symbol.asyncDispose]();
    for (const peer of peers) peer.destroy();
    await new Promise((resolve) => again.close(resolve));
    assert.deepEqual(
      values(received),
      values(received).toSorted((a, b) => a - b),
    );
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
});

test("a datagram holds one line", async () => {
  const receiver = createSocket("udp4");
  await new Promise<void>((resolve) => receiver.bind(0, "127.0.0.1", resolve));
  const datagrams: string[] = [];
  const both = new Promise<void>((resolve) => {
    receiver.on("message", (bytes) => {
      if (datagrams.push(bytes.toString()) === 2) resolve();
    });
  });
  const { port } = receiver.address();
  await using statsd = new Statsd({ ...options, address: { kind: "udp", host: "127.0.0.1", port } });
  statsd.send(sample(1));
  statsd.send(sample(2));
  await both;
  receiver.close();
  assert.deepEqual(
    datagrams.map((each) => values(each)[0]),
    [1, 2],
  );
});

test("without a listener nothing waits: what does not fit is dropped and counted", async () => {
  const statsd = new Statsd({ ...options, address: { kind: "unix", path: "/nowhere/socket" } });
  for (let i = 0; i < 1_100; i++) statsd.send(sample(i));
  assert.equal(statsd.dropped, 1_100 - 1_024);
  await statsd[Symbol.asyncDispose]();
});
