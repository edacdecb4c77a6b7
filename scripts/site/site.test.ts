import assert from "node:assert/strict";
import { resolve } from "node:path";
import { test } from "node:test";
import { listApiDocuments, operationsOf, readDocument } from "@keelson/openapi";
import { anchorsOf, prose } from "./headings.ts";
import { linkPage } from "./links.ts";
import { type Page, pageUrl } from "./pages.ts";
import { sidebarGroups, siteSources } from "./site-sources.ts";

const root = resolve(import.meta.dirname, "../..");
const site = siteSources(root);
const pageAt = (path: string) => {
  const found = site.pages.find((page) => page.path === path);
  assert.ok(found, path);
  return found.text;
};

test("no link between documents of the repository is dead, anchors included", () => {
  assert.deepEqual(site.dead, []);
});

test("each document is one page, and the README is the first", () => {
  const paths = site.pages.map(({ path }) => path);
  assert.equal(new Set(paths).size, paths.length);
  for (const path of [
    "index.md",
    "docs/architecture.md",
    "libraries/workflow/index.md",
    "design/0003-cosmos.md",
  ])
    assert.ok(paths.includes(path), path);
  assert.match(pageAt("index.md"), /^# Keelson$/m);
});

test("each document of docs/ is in one group of the sidebar and in docs/README.md", () => {
  const index = pageAt("docs/index.md");
  for (const { path } of site.pages.filter((page) => page.path.startsWith("docs/"))) {
    assert.equal(sidebarGroups.filter(({ holds }) => holds.test(path)).length, 1, path);
    if (path !== "docs/index.md")
      assert.ok(index.includes(pageUrl(path)), `${path} is not in docs/README.md`);
  }
});

test("no page shows an HTML comment of its source", () => {
  const shown = site.pages.filter(({ source, text }) => source !== undefined && /^<!--/m.test(text));
  assert.deepEqual(
    shown.map(({ path }) => path),
    [],
  );
});

test("every operation and schema of every version has its place in the reference", () => {
  const documents = listApiDocuments();
  assert.ok(documents.length > 10);
  for (const { version, file } of documents) {
    const document = readDocument(file);
    const anchors = anchorsOf(pageAt(`reference/${version}.md`));
    for (const { operation } of operationsOf(document))
      assert.ok(anchors.has(operation.operationId.toLowerCase()), `${version} ${operation.operationId}`);
    for (const name of Object.keys(document.definitions))
      assert.ok(anchors.has(name.toLowerCase()), `${version} ${name}`);
  }
  const text = pageAt("reference/2025-07-25.md");
  assert.match(
    text,
    /^PUT \/subscriptions\/\{subscriptionId\}\/resourceGroups\/.*\/openShiftClusters\/\{resourceName\}$/m,
  );
  assert.match(text, /^\| `resourceName` \| path \| string \| required \|/m);
  assert.match(
    text,
    /^\| `workerProfilesStatus` \| list of \[WorkerProfile\]\(#workerprofile\) \| read-only \|/m,
  );
  assert.match(
    text,
    /^PUT \/subscriptions\/00000000-0000-0000-0000-000000000001\/.*\?api-version=2025-07-25$/m,
  );
});

test("the search has the newest stable version and the admin API alone", () => {
  const found = site.pages.filter(({ text }) => text.startsWith("---\nsearch: true")).map(({ path }) => path);
  assert.deepEqual(found.sort(), ["reference/2025-07-25.md", "reference/admin.md"]);
});

const page = (path: string, text: string): Page => ({ path, source: path, title: path, text });
const target = page("docs/deploy.md", "# Deploy\n\n## Before the first time\n");
const linksOf = (text: string) => linkPage(page("docs/one.md", text), [target], root);

for (const [name, text, wanted] of [
  ["a document", "[it](deploy.md)", "[it](/docs/deploy.html)"],
  ["a heading", "[it](deploy.md#before-the-first-time)", "[it](/docs/deploy.html#before-the-first-time)"],
  ["a text of two lines", "[it\nis](deploy.md)", "[it\nis](/docs/deploy.html)"],
  ["another site", "[it](https://example.org/a.md)", "[it](https://example.org/a.md)"],
  ["a file that is no document", "[it](../LICENSE)", "[it](/files/LICENSE.html)"],
  ["code", "`[it](deploy.md)`", "`[it](deploy.md)`"],
  ["a fenced block", "```md\n[it](absent.md)\n```\n", "```md\n[it](absent.md)\n```\n"],
  ["the documents of the API", "[it](../swagger)", "[it](/reference/)"],
] as const)
  test(`a link to ${name} leads there`, () => {
    const linked = linksOf(text);
    assert.equal(linked.text, wanted);
    assert.deepEqual(linked.dead, []);
  });

for (const link of ["absent.md", "deploy.md#absent", "#absent", "../../outside.md"])
  test(`a link to ${link} is dead`, () => {
    assert.deepEqual(linksOf(`[it](${link})`).dead, [`docs/one.md: ${link}`]);
  });

test("what is outside of fenced blocks is prose, whatever the fence holds", () => {
  const parts = [...prose("one\n````md\n```\n# no\n```\n````\ntwo\n")].map(({ part }) => part);
  assert.deepEqual(parts, ["one\n", "two\n"]);
  assert.deepEqual(
    [...anchorsOf("# A `b` (c)\n\n## A b c\n\n## What's [there](x.md)?\n")],
    ["a-b-c", "a-b-c-1", "whats-there"],
  );
});
