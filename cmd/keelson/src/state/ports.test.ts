import assert from "node:assert/strict";
import { createSocket } from "node:dgram";
import { mkdtempSync, rmSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { isCoded } from "@keelson/base";
import { choosePorts, worldPortNames } from "./ports.ts";

async function inDirectory(use: (directory: string) => Promise<void>): Promise<void> {
  const directory = mkdtempSync(join(tmpdir(), "keelson-ports-"));
  try {
    await use(directory);
  } finally {
    rmSync(directory, { recursive: true });
  }
}

const auto = { auto: true, asked: {} };

test("auto takes different free ports and the state remembers them", () =>
  inDirectory(async (directory) => {
    const first = await choosePorts(directory, auto);
    assert.equal(new Set(Object.values(first)).size, 10);
    assert.deepEqual(await choosePorts(directory, auto), first);
    assert.deepEqual(await choosePorts(directory, { auto: false, asked: {} }), first);
  }));

test("a port that was asked for wins over the remembered one", () =>
  inDirectory(async (directory) => {
    const first = await choosePorts(directory, auto);
    const spare = (await choosePorts(mkdtempSync(join(directory, "other-")), auto)).rp;
    const second = await choosePorts(directory, { auto: true, asked: { metrics: spare } });
    assert.deepEqual(second, { ...first, metrics: spare });
  }));

test("one port cannot serve two purposes", () =>
  inDirectory(async (directory) => {
    const { rp } = await choosePorts(mkdtempSync(join(directory, "other-")), auto);
    await assert.rejects(choosePorts(directory, { auto: true, asked: { rp, azure: rp } }), (error) =>
      isCoded(error, "PortTaken"),
    );
  }));

test("a remembered port that is taken is an error, since kubeconfigs name it", () =>
  inDirectory(async (directory) => {
    const { clusters } = await choosePorts(directory, auto);
    const other = createServer();
    await new Promise<void>((resolve) => other.listen(clusters, "127.0.0.1", resolve));
    try {
      await assert.rejects(choosePorts(directory, auto), (error) => {
        assert.ok(isCoded(error, "PortTaken"));
        assert.match(error.message, new RegExp(`port ${clusters}, .*--clusters-port N$`));
        return true;
      });
    } finally {
      other.close();
    }
  }));

test("a port that only UDP has taken is taken", () =>
  inDirectory(async (directory) => {
    const socket = createSocket("udp4");
    await new Promise<void>((resolve) => socket.bind(0, "127.0.0.1", resolve));
    try {
      const dns = socket.address().port;
      await assert.rejects(choosePorts(directory, { auto: true, asked: { dns } }), (error) =>
        isCoded(error, "PortTaken"),
      );
    } finally {
      socket.close();
    }
  }));

test("a world restarts beside a resource provider that listens on its port", () =>
  inDirectory(async (directory) => {
    const first = await choosePorts(directory, auto, worldPortNames);
    const provider = createServer();
    await new Promise<void>((resolve) => provider.listen(first.rp, "127.0.0.1", resolve));
    try {
      assert.deepEqual(await choosePorts(directory, auto, worldPortNames), first);
      await assert.rejects(choosePorts(directory, auto), (error) => isCoded(error, "PortTaken"));
    } finally {
      provider.close();
    }
  }));
