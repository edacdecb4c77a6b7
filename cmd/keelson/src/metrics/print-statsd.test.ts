import assert from "node:assert/strict";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { Statsd, type StatsdAddress, silentLogger, systemClock } from "@keelson/base";
import { freePorts } from "@keelson/base/testing";
import { printStatsd } from "./print-statsd.ts";

/** Returns the first line received at `address`. */
async function lineAt(address: StatsdAddress): Promise<string> {
  const { promise, resolve } = Promise.withResolvers<string>();
  await using _ = await printStatsd(address, resolve);
  await using statsd = new Statsd({
    ...{ address, account: "*", namespace: "", dimensions: {} },
    ...{ clock: systemClock, logger: silentLogger },
  });
  statsd.send({ metric: "m", value: 1, dimensions: { a: "b" } });
  return await promise;
}

const line = /^\{"Metric":"m","Account":"\*","Dims":\{"a":"b"\},"TS":"[^"]+"\}:1\|g\n$/;

test("lines of a stream socket, also where a listener that was killed left its file", async () => {
  const directory = await mkdtemp(join(tmpdir(), "statsd-"));
  try {
    const path = join(directory, "socket");
    await writeFile(path, "");
    assert.match(await lineAt({ kind: "unix", path }), line);
  } finally {
    await rm(directory, { recursive: true });
  }
});

test("lines of datagrams", async () => {
  const [port = 0] = await freePorts(1);
  assert.match(await lineAt({ kind: "udp", host: "127.0.0.1", port }), line);
});
