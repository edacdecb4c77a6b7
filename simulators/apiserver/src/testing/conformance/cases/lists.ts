import assert from "node:assert/strict";
import { scalarStringAt } from "@keelson/apimachinery";
import { listAt, valueAt } from "@keelson/base";
import type { Api } from "../api.ts";
import { absent, all, type ConformanceCase, exchange, matches } from "../case.ts";
import { configMap, get, mergePatch, post, remove } from "../requests.ts";

// The cases use Secrets, because no controller creates Secrets in a new namespace.
const secrets = "/api/v1/namespaces/{ns}/secrets";
const secret = (name: string, labels: Readonly<Record<string, string>> = {}) =>
  post(secrets, { ...configMap(name, {}, { labels }), kind: "Secret" });
const letters = ["a", "b", "c", "d", "e"];
const five = letters.map((name) => secret(name));
const names = (body: unknown) =>
  listAt(body, "items").map((item) => scalarStringAt(item, "metadata", "name"));
const revisionOf = (body: unknown) => scalarStringAt(body, "metadata", "resourceVersion");
const told = (frame: unknown) =>
  `${scalarStringAt(frame, "type")} ${scalarStringAt(frame, "object", "metadata", "name")}`;

async function list(api: Api, query: string) {
  const { status, body } = await api.call(get(`${secrets}?${query}`));
  assert.equal(status, 200, JSON.stringify(body));
  return body;
}

const options = (message: string) => ({
  reason: "Invalid",
  message: `ListOptions.meta.k8s.io "" is invalid: ${message}`,
  details: { group: "meta.k8s.io", kind: "ListOptions" },
});

/** Conformance cases for lists, watches and the revisions that connect them. */
export const listCases: readonly ConformanceCase[] = [
  exchange({
    name: "an empty list has a revision and an empty array",
    when: get(secrets),
    status: 200,
    body: { kind: "SecretList", apiVersion: "v1", metadata: { resourceVersion: /^[1-9]\d*$/ }, items: [] },
  }),
  {
    name: "the pages of a list have one revision and decreasing remaining counts",
    async run(api) {
      await all(api, five);
      const pages: unknown[] = [];
      for (let next = ""; ; ) {
        const page = await list(api, `limit=2${next ? `&continue=${encodeURIComponent(next)}` : ""}`);
        pages.push(page);
        next = scalarStringAt(page, "metadata", "continue");
        if (!next) break;
        await all(api, [mergePatch(`${secrets}/e`, { metadata: { labels: { at: String(pages.length) } } })]);
      }
      assert.deepEqual(pages.map(names), [["a", "b"], ["c", "d"], ["e"]]);
      assert.equal(new Set(pages.map(revisionOf)).size, 1);
      assert.deepEqual(
        pages.map((page) => valueAt(page, "metadata", "remainingItemCount")),
        [3, 1, undefined],
      );
    },
  },
  {
    name: "a page with a selector has no remaining count",
    async run(api) {
      await all(
        api,
        letters.map((name) => secret(name, { l: "y" })),
      );
      matches(await list(api, "limit=2&labelSelector=l%3Dy"), {
        metadata: { continue: /./, remainingItemCount: absent },
      });
    },
  },
  {
    name: "the limit is ignored for revision 0",
    async run(api) {
      await all(api, five);
      assert.equal(names(await list(api, "limit=2&resourceVersion=0")).length, 5);
    },
  },
  {
    name: "a list at an exact revision returns that state",
    async run(api) {
      await all(api, five);
      const before = await list(api, "");
      await all(api, [remove(`${secrets}/a`)]);
      const revision = revisionOf(before);
      assert.equal(
        names(await list(api, `resourceVersion=${revision}&resourceVersionMatch=Exact`)).length,
        5,
      );
      const newer = await list(api, `resourceVersion=${revision}&resourceVersionMatch=NotOlderThan`);
      assert.equal(names(newer).length, 4);
    },
  },
  exchange({
    name: "a list not older than a future revision is 504",
    when: get(`${secrets}?resourceVersion=900000000&resourceVersionMatch=NotOlderThan`),
    status: 504,
    body: {
      reason: "Timeout",
      message: /^Timeout: Too large resource version: 900000000, current: \d+$/,
      details: {
        causes: [{ reason: "ResourceVersionTooLarge", message: "Too large resource version" }],
        retryAfterSeconds: 1,
      },
    },
  }),
  exchange({
    name: "a match without a revision is 422",
    when: get(`${secrets}?resourceVersionMatch=Exact`),
    status: 422,
    body: options(
      "resourceVersionMatch: Forbidden: resourceVersionMatch is forbidden unless resourceVersion is provided",
    ),
  }),
  exchange({
    name: "an exact match of revision 0 is 422",
    when: get(`${secrets}?resourceVersionMatch=Exact&resourceVersion=0`),
    status: 422,
    body: options(
      'resourceVersionMatch: Forbidden: resourceVersionMatch "exact" is forbidden for resourceVersion "0"',
    ),
  }),
  exchange({
    name: "initial events without a match are 422",
    when: get(`${secrets}?watch=true&sendInitialEvents=true`),
    status: 422,
    body: options(
      "resourceVersionMatch: Forbidden: sendInitialEvents requires setting resourceVersionMatch to NotOlderThan",
    ),
  }),
  exchange({
    name: "an invalid continue token is 400",
    when: get(`${secrets}?continue=AAAA`),
    status: 400,
    body: { reason: "BadRequest", message: /^invalid continue token: continue key is not valid: / },
  }),
  {
    name: "a continue token with a revision is 400",
    async run(api) {
      await all(api, five);
      const token = encodeURIComponent(scalarStringAt(await list(api, "limit=2"), "metadata", "continue"));
      const { status, body } = await api.call(get(`${secrets}?continue=${token}&resourceVersion=5`));
      assert.equal(status, 400);
      matches(body, { message: "specifying resource version is not allowed when using continue" });
    },
  },
  exchange({
    name: "a revision that is not a number is 400",
    when: get(`${secrets}?resourceVersion=abc`),
    status: 400,
    body: { reason: "BadRequest", message: /strconv.ParseUint: parsing "abc": invalid syntax/ },
  }),
  {
    name: "lists support label selectors",
    async run(api) {
      await all(api, [secret("a", { x: "1" }), secret("b", { x: "2" }), secret("c")]);
      const selected = async (selector: string) =>
        names(await list(api, `labelSelector=${encodeURIComponent(selector)}`)).join("");
      for (const [selector, expected] of [
        ["x=1", "a"],
        ["x==1", "a"],
        ["x!=1", "bc"],
        ["x in (1,2)", "ab"],
        ["x notin (1)", "bc"],
        ["x", "ab"],
        ["!x", "c"],
        ["x>1", "b"],
        ["x,x!=2", "a"],
      ] as const)
        assert.equal(await selected(selector), expected, selector);
    },
  },
  {
    name: "a field selector selects an object by name",
    async run(api) {
      await all(api, five);
      assert.deepEqual(names(await list(api, "fieldSelector=metadata.name%3Dc")), ["c"]);
    },
  },
  {
    name: "a watch reports the changes after its revision, deletions with their own revisions",
    async run(api) {
      const from = revisionOf(await list(api, ""));
      await all(api, [secret("a"), mergePatch(`${secrets}/a`, { metadata: { labels: { l: "1" } } })]);
      await all(api, [remove(`${secrets}/a`)]);
      const frames = await api.watch(`${secrets}?watch=1&resourceVersion=${from}`, 3);
      assert.deepEqual(frames.map(told), ["ADDED a", "MODIFIED a", "DELETED a"]);
      const revisions = frames.map((frame) =>
        Number(scalarStringAt(frame, "object", "metadata", "resourceVersion")),
      );
      assert.deepEqual(
        revisions.toSorted((one, two) => one - two),
        revisions,
      );
      assert.equal(new Set(revisions).size, 3);
    },
  },
  {
    name: "objects enter and leave the selector of a watch",
    async run(api) {
      const from = revisionOf(await list(api, ""));
      const label = (on: string) => mergePatch(`${secrets}/a`, { metadata: { labels: { on } } });
      await all(api, [secret("a", { on: "no" }), label("yes"), label("no")]);
      const frames = await api.watch(`${secrets}?watch=1&resourceVersion=${from}&labelSelector=on%3Dyes`, 2);
      assert.deepEqual(frames.map(told), ["ADDED a", "DELETED a"]);
    },
  },
  {
    name: "a watch without a revision begins with the existing objects",
    async run(api) {
      await all(api, [secret("a")]);
      const frames = await api.watch(`${secrets}?watch=1`, 2, () => all(api, [secret("b")]));
      assert.deepEqual(frames.map(told), ["ADDED a", "ADDED b"]);
    },
  },
  {
    name: "a streaming list ends with an annotated bookmark",
    async run(api) {
      await all(api, [secret("a"), secret("b")]);
      const query =
        "watch=1&sendInitialEvents=true&resourceVersionMatch=NotOlderThan&allowWatchBookmarks=true";
      const frames = await api.watch(`${secrets}?${query}`, 3);
      assert.deepEqual(frames.slice(0, 2).map(told).sort(), ["ADDED a", "ADDED b"]);
      matches(frames[2], {
        type: "BOOKMARK",
        object: {
          kind: "Secret",
          apiVersion: "v1",
          metadata: { resourceVersion: /^\d+$/, annotations: { "k8s.io/initial-events-end": "true" } },
        },
      });
    },
  },
  {
    name: "a watch ends after its timeout",
    async run(api) {
      const began = performance.now();
      assert.deepEqual(await api.watch(`${secrets}?watch=1&timeoutSeconds=1`, 5), []);
      const after = performance.now() - began;
      assert.ok(after > 900 && after < 4_000, String(after));
    },
  },
];
