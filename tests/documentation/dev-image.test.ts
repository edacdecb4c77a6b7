/** Compares the documented ports of the image keelson-dev with the program and the Containerfile. */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { test } from "node:test";
import { defaultPorts, portNames } from "../../cmd/keelson/src/state/ports.ts";

const root = resolve(import.meta.dirname, "../..");
const page = readFileSync(join(root, "docs/dev-image.md"), "utf8");
const ascending = (a: number, b: number) => a - b;

test("the documented ports of keelson-dev are those of `keelson up`, and the image exposes all of them", () => {
  const rows = [...page.matchAll(/^\| (\d+) \| `--(\w+)-port` \|/gm)];
  const documented = Object.fromEntries(rows.map(([, port, name = ""]) => [name, Number(port)]));
  assert.deepEqual(documented, defaultPorts);
  const containerfile = readFileSync(join(root, "deploy/Containerfile"), "utf8");
  const exposed = /^EXPOSE (.*)$/m.exec(containerfile)?.[1]?.split(" ").map(Number) ?? [];
  assert.deepEqual(
    exposed.toSorted(ascending),
    portNames.map((name) => defaultPorts[name]).toSorted(ascending),
  );
});

test("the documented `docker run` publishes all ports with the same numbers, on the loopback address", () => {
  const published = [...page.matchAll(/--publish (\d\S+)/g)].flatMap(([, value = ""]) => {
    const [address, host = "", container] = value.split(":");
    assert.equal(address, "127.0.0.1");
    assert.equal(host, container);
    const [first = 0, last = first] = host.split("-").map(Number);
    return Array.from({ length: last - first + 1 }, (_, at) => first + at);
  });
  assert.deepEqual(published.toSorted(ascending), Object.values(defaultPorts).toSorted(ascending));
});
