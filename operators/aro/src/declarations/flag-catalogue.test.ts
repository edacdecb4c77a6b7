import assert from "node:assert/strict";
import { test } from "node:test";
import { switchedOff, switchedOn } from "../runtime/flags.ts";
import type { RegisteredController } from "../runtime/registered-controller.ts";
import { flagCatalogue } from "./flag-catalogue.ts";

const documentation = { purpose: "Nothing.", improvement: "New." };
const controller = (name: string, more: Partial<RegisteredController>): RegisteredController => ({
  name,
  watches: [],
  permissions: [],
  documentation,
  reconcile: async () => ({}),
  ...more,
});

test("the catalogue has the flags of all controllers by name, and a shared flag once", () => {
  const shared = { "aro.b.enabled": switchedOn };
  const catalogue = flagCatalogue([
    controller("B", { flags: shared }),
    controller("A", { flag: "aro.b.enabled", flags: { "aro.a.enabled": switchedOff, ...shared } }),
  ]);
  assert.deepEqual(Object.entries(catalogue).slice(0, 2), [
    ["aro.a.enabled", switchedOff],
    ["aro.b.enabled", switchedOn],
  ]);
});

test("controllers cannot declare different values of one flag", () => {
  const declared = [
    controller("A", { flags: { "aro.a.enabled": switchedOn } }),
    controller("B", { flags: { "aro.a.enabled": switchedOff } }),
  ];
  assert.throws(() => flagCatalogue(declared), /B declares other values of aro\.a\.enabled/);
});

test("a controller declares the values of its switch", () => {
  assert.throws(
    () => flagCatalogue([controller("A", { flag: "aro.a.enabled" })]),
    /A does not declare its flag aro\.a\.enabled/,
  );
});
