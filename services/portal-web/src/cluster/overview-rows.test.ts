import assert from "node:assert/strict";
import { test } from "node:test";
import { exampleDetail } from "../testing/example-detail.ts";
import { overviewRows } from "./overview-rows.ts";

test("every row of a cluster of which nothing is known says so", () => {
  const nothing = Object.fromEntries(Object.keys(exampleDetail).map((name) => [name, ""]));
  for (const { name, value } of overviewRows({ ...exampleDetail, ...nothing }))
    assert.equal(value, "–", name);
});

test("the first 18 rows are the original's, and each is of something else", () => {
  const names = overviewRows(exampleDetail).map(({ name }) => name);
  assert.equal(names[0], "ApiServer Visibility");
  assert.equal(names[17], "Installation Status");
  assert.equal(new Set(names).size, names.length);
});

test("only an HTTPS console is a link: the URL comes from a cluster", () => {
  const consoleRow = (consoleUrl: string) =>
    overviewRows({ ...exampleDetail, consoleUrl }).find(({ name }) => name === "Console Link");
  assert.equal(consoleRow("https://console.example")?.href, "https://console.example");
  assert.equal(consoleRow("javascript:alert(1)")?.href, undefined);
});
