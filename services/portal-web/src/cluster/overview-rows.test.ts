import assert from "node:assert/strict";
import { test } from "node:test";
import type { ClusterDetail } from "@keelson/portal-api";
import { exampleDetail } from "../testing/example-detail.ts";
import { overviewGroups } from "./overview-rows.ts";

const rowsOf = (detail: ClusterDetail) => overviewGroups(detail).flatMap(({ rows }) => rows);

/** Row names in the order of the list in the Azure/ARO-RP portal. */
const originalNames = [
  "ApiServer Visibility",
  "ApiServer URL",
  "Architecture Version",
  "Console Link",
  "Created At",
  "Created By",
  "Failed Provisioning State",
  "Infra Id",
  "Last Admin Update Error",
  "Last Modified At",
  "Last Modified By",
  "Last Provisioning State",
  "Location",
  "Name",
  "Provisioning State",
  "Resource Id",
  "Version",
  "Installation Status",
];

test("every row of an unknown cluster shows that, also with a portal of an earlier version", () => {
  const names = Object.entries(exampleDetail).filter(([, value]) => typeof value === "string");
  const nothing = Object.fromEntries(names.map(([name]) => [name, ""]));
  const { health, exceededLimits } = exampleDetail;
  const earlier: Partial<ClusterDetail> = { ...nothing, exceededLimits: exceededLimits && "", health };
  for (const { name, value, copy } of rowsOf(earlier as ClusterDetail)) {
    assert.equal(value, "–", name);
    assert.equal(copy, undefined, name);
  }
});

test("the original's 18 rows have its indexes, and each row is of something else", () => {
  const rows = rowsOf(exampleDetail);
  for (const [index, name] of originalNames.entries())
    assert.equal(rows.find((row) => row.index === index)?.name, name);
  assert.equal(new Set(rows.map(({ name }) => name)).size, rows.length);
});

test("only an HTTPS console that can be reached is a link: the URL comes from a cluster", () => {
  const consoleRow = (changes: Partial<ClusterDetail>) =>
    rowsOf({ ...exampleDetail, ...changes }).find(({ name }) => name === "Console Link");
  const consoleUrl = "https://console.example";
  assert.equal(consoleRow({ consoleUrl })?.href, consoleUrl);
  assert.equal(consoleRow({ consoleUrl: "javascript:alert(1)" })?.href, undefined);
  assert.equal(consoleRow({ consoleUrl, consoleReachable: false })?.href, undefined);
});
