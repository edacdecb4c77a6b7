import type { Api, Request } from "../api.ts";
import { absent, all, type ConformanceCase, matches } from "../case.ts";
import { configMap, configMaps, deployment, deployments, get, mergePatch, post } from "../requests.ts";
import { install, thing, things } from "./definitions.ts";

const item = {
  type: "object",
  properties: {
    loose: { type: "string", nullable: true },
    strict: { type: "string", default: "set" },
    both: { type: "string", nullable: true, default: "set" },
  },
};
const schema = {
  properties: {
    list: { type: "array", items: item },
    free: { type: "object", "x-kubernetes-preserve-unknown-fields": true },
  },
};

interface Nulls {
  readonly name: string;
  /** `spec` of the object before the patch. */
  readonly before: object;
  readonly patch?: object;
  readonly after: object;
}

const inFree = [{ a: null, b: [{ c: null }] }, null, [null, { d: null }]];
const custom: readonly Nulls[] = [
  {
    name: "a null in a list item remains if it is nullable and otherwise becomes the default",
    before: { list: [{ loose: null, strict: null, both: null }] },
    after: { list: [{ loose: null, strict: "set", both: null }] },
  },
  {
    name: "a merge patch removes nulls in list items",
    before: { list: [{ loose: null }] },
    patch: { list: [{ loose: null, strict: null, both: null }] },
    after: { list: [{ loose: absent, strict: "set", both: "set" }] },
  },
  {
    name: "a merge patch removes nulls at any depth, but not null items",
    before: { free: { l: 1, other: null } },
    patch: { free: { l: inFree } },
    after: { free: { l: [{ a: absent, b: [{ c: absent }] }, null, [null, { d: absent }]], other: null } },
  },
  {
    name: "a merge patch with a list that replaces an object keeps its nulls",
    before: { free: { l: { a: 1 } } },
    patch: { free: { l: inFree } },
    after: { free: { l: inFree } },
  },
];

const rules = "/apis/rbac.authorization.k8s.io/v1/namespaces/{ns}/roles";
const secrets = "/api/v1/namespaces/{ns}/secrets";

/** Returns a case that creates a built-in object, optionally patches it, and compares the result. */
const builtIn = (
  name: string,
  collection: string,
  object: { readonly metadata: { readonly name: string }; readonly [member: string]: unknown },
  patch: object | undefined,
  after: object,
): ConformanceCase => ({
  name,
  run: (api) => reads(api, `${collection}/${object.metadata.name}`, post(collection, object), patch, after),
});

async function reads(
  api: Api,
  path: string,
  create: Request,
  patch: object | undefined,
  after: object,
): Promise<void> {
  await all(api, [create, ...(patch ? [mergePatch(path, patch)] : [])]);
  matches((await api.call(get(path))).body, after);
}

/** Conformance cases for null values in built-in and custom kinds. */
export const nullCases: readonly ConformanceCase[] = [
  ...custom.map(
    ({ name, before, patch, after }): ConformanceCase => ({
      name,
      async run(api) {
        await install(api, schema);
        await reads(api, `${things}/t`, post(things, thing(before)), patch && { spec: patch }, {
          spec: after,
        });
      },
    }),
  ),
  builtIn(
    "a null in a map of strings is an empty string",
    configMaps,
    configMap("a", { k: null }, { labels: { l: null } }),
    undefined,
    { data: { k: "" }, metadata: { labels: { l: "" } } },
  ),
  builtIn(
    "a null in a map of bytes is an empty string",
    secrets,
    { metadata: { name: "a" }, data: { k: null } },
    undefined,
    { data: { k: "" } },
  ),
  builtIn(
    "a null in a list is the zero value of its items",
    rules,
    { metadata: { name: "a" }, rules: [{ apiGroups: [null], resources: ["pods"], verbs: ["get"] }] },
    undefined,
    { rules: [{ apiGroups: [""], resources: ["pods"], verbs: ["get"] }] },
  ),
  builtIn(
    "a merge patch removes nulls in lists of a built-in object",
    deployments,
    deployment("d"),
    {
      spec: {
        template: { spec: { containers: [{ name: "main", image: "i", env: [{ name: "A", value: null }] }] } },
      },
    },
    { spec: { template: { spec: { containers: [{ image: "i", env: [{ name: "A", value: absent }] }] } } } },
  ),
  {
    name: "a null container is an empty container",
    async run(api) {
      await all(api, [post(deployments, deployment("d"))]);
      const response = await api.call(
        mergePatch(`${deployments}/d`, { spec: { template: { spec: { containers: [null] } } } }),
      );
      const field = "spec.template.spec.containers[0]";
      matches(response.body, {
        code: 422,
        details: { causes: [{ field: `${field}.name` }, { field: `${field}.image` }] },
      });
    },
  },
];
