import assert from "node:assert/strict";
import { test } from "node:test";
import type { JsonObject } from "@keelson/base";
import type { ResourceRecord } from "../arm/resource.ts";
import { serialConsoleLog } from "./serial-console.ts";

const boots = ["2026-11-23T03:10:00.000Z", "2026-11-23T04:10:00Z"];
const machine = (imageReference: JsonObject, hidden: JsonObject = {}): ResourceRecord => {
  const name = "demo-x7k2p-master-0";
  return {
    id: `/subscriptions/s/vm/${name}`,
    name,
    type: "Microsoft.Compute/virtualMachines",
    etag: "1",
    createdAt: "2026-11-23T03:00:00Z",
    changedAt: "2026-11-23T03:00:00Z",
    body: { properties: { storageProfile: { imageReference } } },
    hidden,
  };
};
const log = (imageReference: JsonObject) => serialConsoleLog(machine(imageReference), boots);

test("machines of OpenShift's image print the output of RHCOS for each boot", () => {
  const text = log({ publisher: "azureopenshift", offer: "aro4", sku: "aro_419", version: "419.6.20250523" });
  assert.equal(text.match(/^Red Hat Enterprise Linux CoreOS 419\.96\.20250523-0$/gm)?.length, 2);
  assert.equal(
    text.match(/^ {2}Part of OpenShift 4\.19, RHCOS is a Kubernetes-native operating system$/gm)?.length,
    2,
  );
  assert.deepEqual(text.match(/^Ignition: ran on .*$/gm), [
    "Ignition: ran on 2026/11/23 03:10:00 UTC (this boot)",
    "Ignition: ran on 2026/11/23 04:10:00 UTC",
  ]);
  assert.equal(text.match(/^demo-x7k2p-master-0 login: $/gm)?.length, 2);
  assert.equal(new Set(text.match(/SHA256:\S+/g)).size, 1);
});

test("other machines print no output of RHCOS", () => {
  const text = log({ publisher: "Canonical", offer: "ubuntu", sku: "server", version: "latest" });
  assert.doesNotMatch(text, /CoreOS|Ignition/);
  assert.match(text, /login:/);
});

test("a machine that cannot boot shows the reason and no login prompt in its last boot", () => {
  const image = { publisher: "azureopenshift", offer: "aro4", sku: "aro_419", version: "419.6.20250523" };
  const [, last = ""] = serialConsoleLog(machine(image, { bootProblem: "no such host" }), boots).split(
    /(?=^\[ {4}0\.000000\] Linux version .*04:10:00Z)/m,
  );
  assert.match(last, /ignition\[764\]: failed to fetch config: no such host\n/);
  assert.match(last, /Emergency Mode/);
  assert.doesNotMatch(last, /login:/);
});
