import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { scalarStringAt } from "@keelson/apimachinery";
import { type KeyPair, listAt, valueAt } from "@keelson/base";
import fc from "fast-check";
import { framesOf, TestServer } from "../testing/test-server.ts";

/** Only object name for which alice has permissions. */
const allowed = "ok";
const rbac = "rbac.authorization.k8s.io";
/** Names that a faulty selector parser would split into several terms. A role's name may contain these characters. */
const others = [
  "other",
  "o",
  "okay",
  "ok,",
  "ok=ok",
  "x,metadata.name=ok",
  "metadata.name=ok",
  "\\,metadata.name=ok",
];
const resources = {
  configmaps: "/api/v1/namespaces/default/configmaps",
  roles: `/apis/${rbac}/v1/namespaces/default/roles`,
};

let server: TestServer;
let alice: KeyPair;

before(async () => {
  server = await TestServer.start();
  alice = await server.user({ commonName: "alice" });
  const everything = { apiGroups: ["", rbac], resources: Object.keys(resources), verbs: ["*"] };
  const create = (path: string, body: object) => server.call("POST", path, { body });
  await create(`/apis/${rbac}/v1/clusterroles`, {
    metadata: { name: "named" },
    rules: [{ ...everything, resourceNames: [allowed] }],
  });
  await create(`/apis/${rbac}/v1/namespaces/default/rolebindings`, {
    metadata: { name: "alice" },
    roleRef: { apiGroup: rbac, kind: "ClusterRole", name: "named" },
    subjects: [{ apiGroup: rbac, kind: "User", name: "alice" }],
  });
  for (const name of others) await create(resources.roles, { metadata: { name } });
  for (const name of ["other", "o", "okay"]) await create(resources.configmaps, { metadata: { name } });
});
after(() => server[Symbol.asyncDispose]());

const value = fc.oneof(
  { weight: 3, arbitrary: fc.constant(allowed) },
  fc.constantFrom(
    "other",
    "x",
    "",
    "ok\\,",
    "x\\,metadata.name=ok",
    "x\\,metadata.name\\=ok",
    "ok\\=ok",
    "ok\\",
  ),
  fc.string({ unit: fc.constantFrom("o", "k", "\\", ",", "=", "!", " ", "\n", "%", "/"), maxLength: 6 }),
);
const term = fc
  .tuple(
    fc.oneof(
      { weight: 6, arbitrary: fc.constant("metadata.name") },
      fc.constantFrom("metadata.namespace", "metadata.Name", " metadata.name", "\\metadata.name", ""),
    ),
    fc.constantFrom("=", "==", "!=", "===", "!==", "=!", ""),
    value,
  )
  .map((parts) => parts.join(""));
const selector = fc.array(term, { maxLength: 3 }).map((terms) => terms.join(","));

/** Percent-encodes a string. `spelling` selects additional characters to encode. */
const encoded = (text: string, spelling: number) =>
  [...text]
    .map((character, at) => {
      const byte = character.charCodeAt(0).toString(16).padStart(2, "0");
      const needed = /[^A-Za-z0-9._~!=,-]/.test(character) || character === "%";
      return needed || (spelling >> (at % 16)) % 2 === 1 ? `%${byte}` : character;
    })
    .join("");

const requests = fc.record({
  resource: fc.constantFrom("configmaps" as const, "roles" as const),
  method: fc.constantFrom("GET", "GET", "DELETE"),
  path: fc.constantFrom(
    "{all}",
    "{all}/",
    "{all}//",
    "{all}/ok",
    "{all}/ok/",
    "{all}/other",
    "{all}//ok",
    "{all}/%6fk",
    "{all}/ok%2f",
    "{all}/ok%2fother",
    "{all}/ok/..",
    "{all}/ok/%2e%2e",
    "{all}/ok/../other",
    "{all}/ok%2C",
    "{all}/ok,metadata.name!=x",
    "{watch}",
    "{watch}/ok",
    "{watch}/other",
    "{watch}/ok%2f..%2fother",
    "{ALL}",
    "{slashes}",
    "{slashes}/ok",
    "{encoded}",
  ),
  selectors: fc.array(selector, { maxLength: 2 }),
  parameter: fc.constantFrom("fieldSelector", "fieldSelector", "field%53elector", "fieldselector"),
  watch: fc.constantFrom("", "", "watch=true", "watch=1", "watch=false", "watch=", "Watch=true"),
  more: fc.constantFrom(
    "",
    "",
    "namespace=kube-system",
    "name=ok",
    "limit=1",
    "resourceVersion=0",
    "limit=x",
  ),
  spelling: fc.integer({ min: 0, max: 0xffff }),
});

/** Selectors with escaped commas. A parser that splits at every comma misreads them. */
const examples = [
  "metadata.name!=x\\,metadata.name=ok",
  "metadata.name!=x\\\\\\,metadata.name=ok",
  "metadata.namespace!=x\\,metadata.name=ok",
].flatMap((each) =>
  (["configmaps", "roles"] as const).flatMap((resource) =>
    (
      [
        ["GET", ""],
        ["GET", "watch=1"],
        ["DELETE", ""],
      ] as const
    ).map(([method, watch]): [typeof requests extends fc.Arbitrary<infer T> ? T : never] => [
      {
        resource,
        method,
        path: "{all}",
        selectors: [each],
        parameter: "fieldSelector",
        watch,
        more: "",
        spelling: 0,
      },
    ]),
  ),
);

function pathOf(form: string, all: string): string {
  const [prefix, rest] = [all.replace(/\/namespaces\/.*/, ""), all.replace(/.*(?=\/namespaces\/)/, "")];
  return form
    .replace("{all}", all)
    .replace("{watch}", `${prefix}/watch${rest}`)
    .replace("{ALL}", `${prefix}${rest.toUpperCase()}`)
    .replace("{slashes}", `${prefix}${rest.replaceAll("/", "//")}`)
    .replace("{encoded}", `${prefix}/${rest.slice(1).replaceAll("/", "%2f")}`);
}

/** Returns the object names in a response: a single object, a list, or the initial events of a watch. */
async function namesShown(method: string, path: string): Promise<readonly string[]> {
  const response = await server.open(method, path, { user: alice });
  const names: string[] = [];
  for await (const frame of framesOf(response)) {
    if (scalarStringAt(frame, "type") === "BOOKMARK") break;
    const object = valueAt(frame, "type") === undefined ? frame : valueAt(frame, "object");
    if (scalarStringAt(object, "kind") === "Status") continue;
    const items = scalarStringAt(object, "kind").endsWith("List") ? listAt(object, "items") : [object];
    names.push(...items.map((item) => scalarStringAt(item, "metadata", "name")));
  }
  response.destroy();
  return names;
}

async function stored(resource: keyof typeof resources): Promise<readonly string[]> {
  const { items } = await server.cluster.client.list({
    group: resource === "roles" ? rbac : "",
    version: "v1",
    resource,
  });
  return items.map(({ metadata }) => metadata.name);
}

const fromTheStart = "sendInitialEvents=true&resourceVersionMatch=NotOlderThan&allowWatchBookmarks=true";

test("a permission for a name gives access to that name only, for all spellings of a request", async () => {
  let shown = 0;
  await fc.assert(
    fc.asyncProperty(
      requests,
      async ({ resource, method, path, selectors, parameter, watch, more, spelling }) => {
        const all = resources[resource];
        await server.call("POST", all, { body: { metadata: { name: allowed } } });
        const before = await stored(resource);
        const named = selectors.map((each) => `${parameter}=${encoded(each, spelling)}`);
        const watches = path.startsWith("{watch}") || (watch !== "" && watch !== "watch=false");
        const query = [...named, watch, more, watches ? fromTheStart : ""]
          .filter((each) => each !== "")
          .join("&");
        const url = `${pathOf(path, all)}?${query}`;
        const names = await namesShown(method, url);
        shown += names.length;
        for (const name of names) assert.equal(name, allowed, `${method} ${url}`);
        const after = await stored(resource);
        const gone = before.filter((name) => !after.includes(name) && name !== allowed);
        assert.deepEqual(gone, [], `${method} ${url}`);
      },
    ),
    { numRuns: 300, examples },
  );
  assert.ok(shown > 20, `the examples show something: ${shown}`);
});
