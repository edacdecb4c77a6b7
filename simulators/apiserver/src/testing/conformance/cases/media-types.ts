import assert from "node:assert/strict";
import { scalarStringAt } from "@keelson/apimachinery";
import { valueAt } from "@keelson/base";
import { decodeProtobuf, readFields, type WireField } from "@keelson/wire-formats";
import { parse } from "yaml";
import type { Api, Response } from "../api.ts";
import { absent, all, type ConformanceCase, exchange, matches } from "../case.ts";
import { configMap, configMaps, deployment, deployments, get, pod, pods, post, remove } from "../requests.ts";

const protobuf = { accept: "application/vnd.kubernetes.protobuf" };
const yaml = { accept: "application/yaml" };
const reviews = "/apis/authorization.k8s.io/v1/selfsubjectaccessreviews";
const as = (kind: string, version: string, media = "json") => ({
  accept: `application/${media};as=${kind};v=${version};g=meta.k8s.io`,
});

/**
 * Removes fields with an empty string, zero, false, null or an empty list. Protocol buffers cannot distinguish these values from
 * unset fields.
 */
function told(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(told);
  if (typeof value !== "object" || value === null) return value;
  const members = Object.entries(value).map(([name, each]): [string, unknown] => [name, told(each)]);
  const empty = (each: unknown) =>
    ["", 0, false, null].some((zero) => each === zero) || (Array.isArray(each) && each.length === 0);
  return Object.fromEntries(members.filter(([, each]) => !empty(each)));
}

function requireProtobuf(response: Response): Readonly<Record<string, unknown>> {
  assert.equal(response.headers["content-type"], protobuf.accept);
  return decodeProtobuf(response.bytes);
}

function bytesOf(value: WireField["value"] | undefined): Buffer {
  return value instanceof Uint8Array ? Buffer.from(value) : assert.fail("no bytes");
}

function textOf(value: WireField["value"] | undefined): string {
  return bytesOf(value).toString();
}

function fieldsOf(message: WireField["value"] | undefined): ReadonlyMap<number, WireField["value"]> {
  return new Map([...readFields(bytesOf(message))].map(({ number, value }) => [number, value]));
}

async function inBoth(api: Api, path: string): Promise<void> {
  const [json, message] = [await api.call(get(path)), await api.call(get(path, protobuf))];
  assert.equal(message.status, 200, message.text);
  assert.deepEqual(told(requireProtobuf(message)), told(json.body));
}

/** Conformance cases for media types of objects, lists, streams, failures and discovery. */
export const mediaTypeCases: readonly ConformanceCase[] = [
  exchange({
    name: "items of a typed list have no kind",
    given: [post(configMaps, configMap("a", { k: "v" }))],
    when: get(`${configMaps}?fieldSelector=metadata.name%3Da`),
    status: 200,
    body: {
      kind: "ConfigMapList",
      apiVersion: "v1",
      items: [{ apiVersion: absent, kind: absent, metadata: { name: "a" }, data: { k: "v" } }],
    },
  }),
  {
    name: "protocol buffers and JSON have equal content",
    async run(api) {
      await all(api, [
        post(configMaps, configMap("a", { k: "v", empty: "" }, { labels: { a: "b" } })),
        post(pods, pod("p")),
        post(deployments, deployment("d")),
      ]);
      for (const path of [`${configMaps}/a`, `${pods}/p`, `${deployments}/d`]) await inBoth(api, path);
      for (const path of [
        "/api/v1/namespaces/{ns}",
        "/apis/rbac.authorization.k8s.io/v1/clusterroles/admin",
      ]) {
        await inBoth(api, path);
      }
    },
  },
  {
    name: "a write returns protocol buffers on request",
    async run(api) {
      const made = await api.call({ ...post(configMaps, configMap("a", { k: "v" })), headers: protobuf });
      assert.equal(made.status, 201);
      matches(requireProtobuf(made), { kind: "ConfigMap", metadata: { name: "a" }, data: { k: "v" } });
      const gone = await api.call({ ...remove(`${configMaps}/a`), headers: protobuf });
      matches(requireProtobuf(gone), { kind: "Status", status: "Success", details: { name: "a" } });
    },
  },
  {
    name: "a list in protocol buffers has metadata and items",
    async run(api) {
      await all(api, [post(configMaps, configMap("a", { k: "v" })), post(configMaps, configMap("b"))]);
      const response = await api.call(get(`${configMaps}?limit=1`, protobuf));
      assert.equal(response.status, 200);
      const message = bytesOf(fieldsOf(response.bytes.subarray(4)).get(2));
      const fields = [...readFields(message)];
      assert.deepEqual(
        fields.map(({ number }) => number),
        [1, 2],
      );
      const [metadata, item] = fields.map(({ value }) => value);
      const known = fieldsOf(metadata);
      assert.match(textOf(known.get(2)), /^\d+$/);
      assert.ok(known.has(3), "there is more to come");
      assert.ok(textOf(item).includes(api.namespace));
    },
  },
  {
    name: "a watch in protocol buffers has length-delimited frames",
    async run(api) {
      await all(api, [post(configMaps, configMap("a", { k: "v" }))]);
      const path = `${configMaps}?watch=true&fieldSelector=metadata.name%3Da`;
      const { type, bytes } = await api.firstBytes(get(path, protobuf), 100);
      assert.equal(type, "application/vnd.kubernetes.protobuf;stream=watch");
      const event = fieldsOf(bytes.subarray(4, 4 + bytes.readUInt32BE(0)));
      assert.equal(textOf(event.get(1)), "ADDED");
      matches(decodeProtobuf(bytesOf(fieldsOf(event.get(2)).get(1))), {
        kind: "ConfigMap",
        apiVersion: "v1",
        metadata: { name: "a" },
        data: { k: "v" },
      });
    },
  },
  {
    name: "partial metadata in protocol buffers, also of custom resources",
    async run(api) {
      await all(api, [post(configMaps, configMap("a", { k: "v" }))]);
      const accept = as("PartialObjectMetadata", "v1", "vnd.kubernetes.protobuf");
      const { bytes, headers } = await api.call(get(`${configMaps}/a`, accept));
      assert.equal(headers["content-type"], protobuf.accept);
      assert.ok(bytes.includes("PartialObjectMetadata"));
      assert.ok(bytes.includes(api.namespace));
    },
  },
  {
    name: "errors have the requested media type",
    async run(api) {
      const path = `${configMaps}/none`;
      const expected = { kind: "Status", apiVersion: "v1", reason: "NotFound", code: 404 };
      const message = await api.call(get(path, protobuf));
      assert.equal(message.status, 404);
      matches(requireProtobuf(message), { ...expected, details: { name: "none", kind: "configmaps" } });
      const text = await api.call(get(path, yaml));
      assert.match(String(text.headers["content-type"]), /^application\/yaml/);
      matches(parse(text.text), expected);
    },
  },
  {
    name: "reviews and deletions return YAML on request",
    async run(api) {
      await all(api, [post(configMaps, configMap("a"))]);
      const body = { spec: { resourceAttributes: { verb: "get", resource: "pods" } } };
      const review = await api.call({ ...post(reviews, body), headers: yaml });
      matches(parse(review.text), { kind: "SelfSubjectAccessReview", status: { allowed: true } });
      const gone = await api.call({ ...remove(`${configMaps}/a`), headers: yaml });
      matches(parse(gone.text), { kind: "Status", status: "Success", details: { name: "a" } });
    },
  },
  {
    name: "ambiguous strings of YAML 1.1 are quoted",
    async run(api) {
      const data = { a: "yes", b: "12:30:45", c: "0o7", d: "2020-01-01", e: "null", f: "1e3", g: "~" };
      await all(api, [post(configMaps, configMap("a", data))]);
      const { text } = await api.call(get(`${configMaps}/a`, yaml));
      assert.deepEqual(valueAt(parse(text, { version: "1.1" }), "data"), data);
      assert.match(text, /^ {2}a: "yes"$/m);
      assert.match(text, /creationTimestamp: "\d/);
    },
  },
  {
    name: "discovery returns YAML on request",
    async run(api) {
      for (const [path, expected] of [
        ["/api", { kind: "APIVersions", versions: ["v1"] }],
        ["/apis", { kind: "APIGroupList", apiVersion: "v1" }],
        ["/apis/apps", { kind: "APIGroup", name: "apps" }],
        ["/apis/apps/v1", { kind: "APIResourceList", groupVersion: "apps/v1" }],
      ] as const) {
        const { text, headers } = await api.call(get(path, yaml));
        assert.match(String(headers["content-type"]), /^application\/yaml/);
        matches(parse(text), expected);
      }
      const accept = "application/yaml;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList";
      const { text } = await api.call(get("/apis", { accept }));
      matches(parse(text), { kind: "APIGroupDiscoveryList", apiVersion: "apidiscovery.k8s.io/v2" });
    },
  },
  exchange({
    name: "tables and partial metadata are also available in the old version",
    given: [post(configMaps, configMap("a"))],
    when: get(`${configMaps}/a`, as("Table", "v1beta1")),
    status: 200,
    body: {
      kind: "Table",
      apiVersion: "meta.k8s.io/v1beta1",
      rows: [{ object: { kind: "PartialObjectMetadata", apiVersion: "meta.k8s.io/v1beta1" } }],
    },
  }),
  {
    name: "list forms of single objects and object forms of lists are rejected",
    async run(api) {
      await all(api, [post(configMaps, configMap("a"))]);
      for (const [path, kind, message] of [
        [
          configMaps,
          "PartialObjectMetadata",
          "you requested PartialObjectMetadata, but the requested object is a list (*core.ConfigMapList)",
        ],
        [
          `${configMaps}/a`,
          "PartialObjectMetadataList",
          "you requested PartialObjectMetadataList, but the requested object is not a list (*core.ConfigMap)",
        ],
      ] as const) {
        const response = await api.call(get(path, as(kind, "v1")));
        assert.equal(response.status, 406);
        assert.equal(scalarStringAt(response.body, "message"), message);
      }
    },
  },
  {
    name: "a request with an unacceptable response form has no effect",
    async run(api) {
      const refused = await api.call({
        ...post(configMaps, configMap("a")),
        headers: { accept: "text/html" },
      });
      assert.equal(refused.status, 406);
      assert.equal((await api.call(get(`${configMaps}/a`))).status, 404);
    },
  },
  exchange({
    name: "a watch is not available as YAML",
    when: get(`${configMaps}?watch=true`, yaml),
    status: 406,
  }),
  exchange({
    name: "a table is not available as a protocol buffer message",
    when: get(configMaps, as("Table", "v1", "vnd.kubernetes.protobuf")),
    status: 406,
  }),
  {
    name: "an invalid includeObject only affects tables",
    async run(api) {
      assert.equal((await api.call(get(`${configMaps}?includeObject=x`))).status, 200);
      const table = await api.call(get(`${configMaps}?includeObject=x`, as("Table", "v1")));
      assert.equal(table.status, 400);
      assert.equal(
        scalarStringAt(table.body, "message"),
        "Unable to convert to Table as requested: includeObject: Invalid value: \"x\": must be 'Metadata', 'Object', 'None', or empty",
      );
    },
  },
];
