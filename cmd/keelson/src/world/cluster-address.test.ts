import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { clusterAddressOf } from "./cluster-address.ts";

test("clusters share 127.0.0.1 by default", () => {
  assert.equal(clusterAddressOf("demo.eastus.keelson.localhost", false), "127.0.0.1");
});

test("a cluster's own address depends on its domain alone, without case, and is outside 127.0.0.0/16", () => {
  fc.assert(
    fc.property(fc.domain(), (domain) => {
      const address = clusterAddressOf(domain, true);
      assert.match(address, /^127\.[1-9]\d{0,2}\.\d{1,3}\.[1-9]\d{0,2}$/);
      assert.ok(address.split(".").every((part) => Number(part) <= 254 || part === "255"));
      assert.equal(clusterAddressOf(domain.toUpperCase(), true), address);
    }),
  );
});
