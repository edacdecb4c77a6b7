import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { fleetPages } from "../navigation/fleet-pages.ts";
import { tabNames } from "../navigation/tabs.ts";
import { detailViews, routedViews } from "./page-views.ts";

const directory = join(import.meta.dirname, "..");
const components = readdirSync(directory, { recursive: true, encoding: "utf8" })
  .filter((file) => file.endsWith(".tsx"))
  .map((file) => readFileSync(join(directory, file), "utf8"));
/** Returns the first group of all matches in the components. */
const found = (pattern: RegExp): readonly string[] => [
  ...new Set(components.flatMap((text) => [...text.matchAll(pattern)].map(([, group = ""]) => group))),
];
const views = [...routedViews, ...detailViews];

test("every page of the router has a view for the accessibility test", () => {
  assert.equal(routedViews.length, fleetPages.length + tabNames.length);
  const opened = new Set(routedViews.map(({ path }) => path.split("/").at(-1)));
  for (const name of tabNames) assert.ok(opened.has(name.toLowerCase()), name);
});

test("every dialog has a view for the accessibility test", () => {
  const dialogs = found(/<Dialog id="(\w+)"/g);
  assert.ok(dialogs.length >= 5, `${dialogs}`);
  for (const id of dialogs)
    assert.ok(
      views.some(({ name }) => name.includes(id)),
      id,
    );
});

test("every query parameter that selects a detail of a page has a view for the accessibility test", () => {
  const parameters = found(/search\.get\("(\w+)"\)/g);
  assert.ok(parameters.length >= 7, `${parameters}`);
  for (const name of parameters)
    assert.ok(
      views.some(({ path }) => new RegExp(`[?&]${name}=`).test(path)),
      name,
    );
});

test("the names of views are unique", () => {
  assert.equal(new Set(views.map(({ name }) => name)).size, views.length);
});
