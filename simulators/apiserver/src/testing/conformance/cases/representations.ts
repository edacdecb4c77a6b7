import assert from "node:assert/strict";
import { scalarStringAt } from "@keelson/apimachinery";
import { listAt } from "@keelson/base";
import { absent, all, type ConformanceCase, exchange, matches } from "../case.ts";
import { configMap, configMaps, get, pod, pods, post } from "../requests.ts";

const as = (kind: string) => ({ accept: `application/json;as=${kind};v=v1;g=meta.k8s.io` });

/** Conformance cases for tables, partial metadata, YAML, discovery and OpenAPI documents. */
export const representationCases: readonly ConformanceCase[] = [
  exchange({
    name: "a table has columns, rows and partial objects",
    given: [post(configMaps, configMap("a", { k: "v" }))],
    when: get(`${configMaps}?fieldSelector=metadata.name%3Da`, as("Table")),
    status: 200,
    body: {
      kind: "Table",
      apiVersion: "meta.k8s.io/v1",
      metadata: { resourceVersion: /^\d+$/ },
      columnDefinitions: [
        { name: "Name", type: "string", format: "name", priority: 0 },
        { name: "Data", type: "string", priority: 0 },
        { name: "Age", type: "string", priority: 0 },
      ],
      rows: [
        {
          cells: ["a", 1, /s$/],
          object: { kind: "PartialObjectMetadata", apiVersion: "meta.k8s.io/v1", metadata: { name: "a" } },
        },
      ],
    },
  }),
  exchange({
    name: "table rows have no objects on request",
    given: [post(configMaps, configMap("a"))],
    when: get(`${configMaps}/a?includeObject=None`, as("Table")),
    status: 200,
    body: { rows: [{ cells: ["a", 0, /s$/] }] },
  }),
  {
    name: "the columns of pods",
    async run(api) {
      await all(api, [post(pods, pod("p"))]);
      const { body } = await api.call(get(pods, as("Table")));
      assert.deepEqual(
        listAt(body, "columnDefinitions").map((column) => scalarStringAt(column, "name")),
        ["Name", "Ready", "Status", "Restarts", "Age", "IP", "Node", "Nominated Node", "Readiness Gates"],
      );
      matches(listAt(body, "rows")[0], {
        cells: ["p", "0/1", "Pending", "0", /./, "<none>", "<none>", "<none>", "<none>"],
      });
    },
  },
  exchange({
    name: "partial metadata is metadata only",
    given: [post(configMaps, configMap("a", { k: "v" }))],
    when: get(`${configMaps}/a`, as("PartialObjectMetadata")),
    status: 200,
    body: {
      kind: "PartialObjectMetadata",
      apiVersion: "meta.k8s.io/v1",
      metadata: { name: "a" },
      data: absent,
    },
  }),
  exchange({
    name: "a list of partial metadata",
    given: [post(configMaps, configMap("a"))],
    when: get(`${configMaps}?fieldSelector=metadata.name%3Da`, as("PartialObjectMetadataList")),
    status: 200,
    body: { kind: "PartialObjectMetadataList", items: [{ metadata: { name: "a" } }] },
  }),
  {
    name: "YAML is accepted and returned",
    async run(api) {
      const body = "metadata:\n  name: a\ndata:\n  k: v\n";
      const made = await api.call({
        ...post(configMaps, body),
        headers: { "content-type": "application/yaml" },
      });
      assert.equal(made.status, 201, made.text);
      const { text, headers } = await api.call(get(`${configMaps}/a`, { accept: "application/yaml" }));
      assert.match(String(headers["content-type"]), /^application\/yaml/);
      assert.match(text, /^ {2}k: v$/m);
    },
  },
  exchange({
    name: "legacy discovery of the core group",
    when: get("/api"),
    status: 200,
    body: { kind: "APIVersions", versions: ["v1"] },
  }),
  {
    name: "legacy discovery lists resources and subresources",
    async run(api) {
      const { body } = await api.call(get("/apis/apps/v1"));
      matches(body, { kind: "APIResourceList", groupVersion: "apps/v1" });
      const byName = new Map(listAt(body, "resources").map((each) => [scalarStringAt(each, "name"), each]));
      matches(byName.get("deployments"), {
        singularName: "deployment",
        namespaced: true,
        kind: "Deployment",
        shortNames: ["deploy"],
        categories: ["all"],
        verbs: ["create", "delete", "deletecollection", "get", "list", "patch", "update", "watch"],
      });
      matches(byName.get("deployments/scale"), { group: "autoscaling", version: "v1", kind: "Scale" });
    },
  },
  {
    name: "aggregated discovery is one document with a hash",
    async run(api) {
      const accept = "application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList";
      const response = await api.call(get("/apis", { accept }));
      matches(response.body, { kind: "APIGroupDiscoveryList", apiVersion: "apidiscovery.k8s.io/v2" });
      assert.match(
        String(response.headers["content-type"]),
        /g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList/,
      );
      const etag = String(response.headers.etag);
      assert.match(etag, /^"[0-9A-F]{128}"$/i);
      const again = await api.call(get("/apis", { accept, "if-none-match": etag }));
      assert.equal(again.status, 304);
    },
  },
  {
    name: "the OpenAPI v3 index links a document by its hash",
    async run(api) {
      const { body } = await api.call(get("/openapi/v3"));
      const path = scalarStringAt(body, "paths", "apis/apps/v1", "serverRelativeURL");
      assert.match(path, /openapi\/v3\/apis\/apps\/v1\?hash=[0-9A-F]+$/i);
      const document = await api.call(get(path.slice(path.indexOf("/openapi"))));
      matches(document.body, { openapi: /^3\./, components: { schemas: {} } });
    },
  },
  exchange({ name: "the server is ready", when: get("/readyz"), status: 200 }),
  exchange({
    name: "the version of the server",
    when: get("/version"),
    status: 200,
    body: { major: "1", minor: /^\d+/, gitVersion: /^v1\./, platform: /\// },
  }),
  exchange({
    name: "an unknown path is 404",
    when: get("/nonsense"),
    status: 404,
  }),
];
