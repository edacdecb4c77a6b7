import { absent, type ConformanceCase, exchange } from "../case.ts";
import { configMap, configMaps, get, jsonPatch, mergePatch, pod, pods, post, put } from "../requests.ts";

const failure = (code: number, reason: string, message: string | RegExp, details: unknown = undefined) => ({
  kind: "Status",
  apiVersion: "v1",
  metadata: {},
  status: "Failure",
  message,
  reason,
  ...(details === undefined ? {} : { details }),
  code,
});

const largeContainer = { name: "a", image: "a", env: [{ name: "A", value: "x".repeat(1_600_000) }] };

/** Conformance cases for exact error responses. Clients branch on reason and code, and users read the message. */
export const failureCases: readonly ConformanceCase[] = [
  exchange({
    name: "a missing object is 404",
    when: get(`${configMaps}/none`),
    status: 404,
    body: failure(404, "NotFound", 'configmaps "none" not found', {
      name: "none",
      kind: "configmaps",
      group: absent,
    }),
  }),
  exchange({
    name: "a missing object of a group is 404 with its group",
    when: get("/apis/apps/v1/namespaces/{ns}/deployments/none"),
    status: 404,
    body: failure(404, "NotFound", 'deployments.apps "none" not found', {
      name: "none",
      group: "apps",
      kind: "deployments",
    }),
  }),
  exchange({
    name: "an unknown resource is 404",
    when: get("/apis/apps/v1/nonsense"),
    status: 404,
  }),
  exchange({
    name: "a name in use is 409",
    given: [post(configMaps, configMap("a"))],
    when: post(configMaps, configMap("a")),
    status: 409,
    body: failure(409, "AlreadyExists", 'configmaps "a" already exists', { name: "a", kind: "configmaps" }),
  }),
  exchange({
    name: "a missing namespace is 404",
    when: post("/api/v1/namespaces/none-such/configmaps", configMap("a")),
    status: 404,
    body: failure(404, "NotFound", 'namespaces "none-such" not found', {
      name: "none-such",
      kind: "namespaces",
    }),
  }),
  exchange({
    name: "a different namespace in the body is 400",
    when: post(configMaps, configMap("a", {}, { namespace: "other" })),
    status: 400,
    body: failure(
      400,
      "BadRequest",
      "the namespace of the provided object does not match the namespace sent on the request",
    ),
  }),
  exchange({
    name: "a different name in the body is 400",
    given: [post(configMaps, configMap("a"))],
    when: put(`${configMaps}/a`, configMap("b")),
    status: 400,
    body: failure(400, "BadRequest", "the name of the object (b) does not match the name on the URL (a)"),
  }),
  exchange({
    name: "an invalid name is 422 with its field",
    when: post(configMaps, configMap("Bad_Name")),
    status: 422,
    body: {
      reason: "Invalid",
      message:
        /^ConfigMap "Bad_Name" is invalid: metadata.name: Invalid value: "Bad_Name": a lowercase RFC 1123 subdomain/,
      details: {
        name: "Bad_Name",
        kind: "ConfigMap",
        causes: [{ reason: "FieldValueInvalid", field: "metadata.name" }],
      },
    },
  }),
  exchange({
    name: "a missing name is 422",
    when: post(configMaps, { metadata: {} }),
    status: 422,
    body: {
      message: /metadata.name: Required value: name or generateName is required/,
      details: { causes: [{ reason: "FieldValueRequired", field: "metadata.name" }] },
    },
  }),
  exchange({
    name: "an invalid label is 422",
    when: post(configMaps, configMap("a", {}, { labels: { a: "-x-" } })),
    status: 422,
    body: { details: { causes: [{ reason: "FieldValueInvalid", field: "metadata.labels" }] } },
  }),
  exchange({
    name: "a missing required field of a kind is 422",
    when: post("/api/v1/namespaces/{ns}/pods", { metadata: { name: "p" }, spec: { containers: [] } }),
    status: 422,
    body: { message: 'Pod "p" is invalid: spec.containers: Required value' },
  }),
  exchange({
    name: "a body that is not JSON is 400",
    when: post(configMaps, "{"),
    status: 400,
    body: { reason: "BadRequest" },
  }),
  exchange({
    name: "a value of the wrong type is 400",
    when: post(configMaps, { metadata: { name: "a" }, data: "text" }),
    status: 400,
    body: {
      reason: "BadRequest",
      message:
        /^ConfigMap in version "v1" cannot be handled as a ConfigMap: json: cannot unmarshal string into Go struct field ConfigMap.data of type map\[string\]string$/,
    },
  }),
  exchange({
    name: "a body of an unknown media type is 415",
    when: { ...post(configMaps, configMap("a")), headers: { "content-type": "text/nonsense" } },
    status: 415,
    body: {
      reason: "UnsupportedMediaType",
      message:
        /^the body of the request was in an unknown format - accepted media types include: application\/json/,
    },
  }),
  exchange({
    name: "an unknown patch type is 415",
    given: [post(configMaps, configMap("a"))],
    when: { ...mergePatch(`${configMaps}/a`, {}), headers: { "content-type": "application/nonsense" } },
    status: 415,
    body: { reason: "UnsupportedMediaType" },
  }),
  exchange({
    name: "an unsupported Accept header is 406",
    when: get(configMaps, { accept: "text/nonsense" }),
    status: 406,
    body: { reason: "NotAcceptable" },
  }),
  exchange({
    name: "an unsupported method is 405",
    when: put(configMaps, configMap("a")),
    status: 405,
    body: failure(405, "MethodNotAllowed", "the server does not allow this method on the requested resource"),
  }),
  exchange({
    name: "a body beyond 3 MiB is 413",
    when: post(configMaps, configMap("a", { k: "x".repeat(3 * 1_024 * 1_024) })),
    status: 413,
    body: { reason: "RequestEntityTooLarge" },
  }),
  exchange({
    name: "an object above etcd's size limit is 413",
    when: post(pods, pod("a", {}, { containers: [largeContainer] })),
    status: 413,
    body: { reason: "RequestEntityTooLarge", message: "etcdserver: request is too large" },
  }),
  exchange({
    name: "an unknown dry run value is 422",
    when: post(`${configMaps}?dryRun=Some`, configMap("a")),
    status: 422,
    body: { reason: "Invalid", message: /dryRun: (Invalid|Unsupported) value/ },
  }),
  exchange({
    name: "a resourceVersion on create is rejected",
    when: post(configMaps, configMap("a", {}, { resourceVersion: "1" })),
    status: 500,
    body: { message: "resourceVersion should not be set on objects to be created" },
  }),
  exchange({
    name: "the deletion of a protected namespace is 403",
    when: { method: "DELETE", path: "/api/v1/namespaces/kube-system" },
    status: 403,
    body: failure(
      403,
      "Forbidden",
      'namespaces "kube-system" is forbidden: this namespace may not be deleted',
      { name: "kube-system", kind: "namespaces" },
    ),
  }),
  exchange({
    name: "an invalid label selector is 400",
    when: get(`${configMaps}?labelSelector=a%20b`),
    status: 400,
    body: failure(
      400,
      "BadRequest",
      "unable to parse requirement: found 'b', expected: in, notin, =, ==, !=, gt, lt",
    ),
  }),
  exchange({
    name: "a field selector with an unsupported field is 400",
    when: get("/api/v1/namespaces/{ns}/pods?fieldSelector=spec.colour%3Dred"),
    status: 400,
    body: failure(400, "BadRequest", "field label not supported: spec.colour"),
  }),
  ...(
    [
      ["replaces below a missing object", [{ op: "replace", path: "/metadata/labels/none", value: "x" }]],
      ["tests for a different value", [{ op: "test", path: "/metadata/name", value: "b" }]],
      ["removes a missing field", [{ op: "remove", path: "/binaryData" }]],
      ["has no operation", [{ op: "bogus", path: "/data" }]],
      ["moves a missing field", [{ op: "move", path: "/data" }]],
    ] as const
  ).map(([what, patch]) =>
    exchange({
      name: `a JSON patch that ${what} is 422`,
      given: [post(configMaps, configMap("a", { k: "v" }))],
      when: jsonPatch(`${configMaps}/a`, patch),
      status: 422,
      body: failure(422, "Invalid", "the server rejected our request due to an error in our request", {}),
    }),
  ),
  exchange({
    name: "a patch of an unknown type is 415",
    given: [post(configMaps, configMap("a"))],
    when: { method: "PATCH", path: `${configMaps}/a`, headers: { "content-type": "text/plain" }, body: "{}" },
    status: 415,
    body: failure(415, "UnsupportedMediaType", "415: Unsupported Media Type", {}),
  }),
  exchange({
    name: "an update without an object name is 400",
    given: [post(configMaps, configMap("a"))],
    when: put(`${configMaps}/a`, { data: {} }),
    status: 400,
    body: failure(
      400,
      "BadRequest",
      "the name of the object (a based on URL) was undeterminable: name must be provided",
    ),
  }),
  exchange({
    name: "an object of a different kind is 400",
    when: post(configMaps, { apiVersion: "v1", kind: "Secret", metadata: { name: "a" } }),
    status: 400,
    body: failure(
      400,
      "BadRequest",
      'Secret in version "v1" cannot be handled as a ConfigMap: converting (v1.Secret) to (core.ConfigMap): unknown conversion',
    ),
  }),
  exchange({
    name: "a label that is a number is 400",
    when: post(configMaps, configMap("a", {}, { labels: { a: 5 } })),
    status: 400,
    body: {
      message:
        'ConfigMap in version "v1" cannot be handled as a ConfigMap: json: cannot unmarshal number into Go struct field ObjectMeta.metadata.labels of type string',
    },
  }),
  exchange({
    name: "labels that are a list are 400",
    when: post(configMaps, configMap("a", {}, { labels: ["a"] })),
    status: 400,
    body: {
      message:
        'ConfigMap in version "v1" cannot be handled as a ConfigMap: json: cannot unmarshal array into Go struct field ObjectMeta.metadata.labels of type map[string]string',
    },
  }),
  exchange({
    name: "a dry run value other than All is 422",
    when: post(`${configMaps}?dryRun=Some`, configMap("a")),
    status: 422,
    body: {
      message:
        'CreateOptions.meta.k8s.io "" is invalid: dryRun: Unsupported value: ["Some"]: supported values: "All"',
    },
  }),
  exchange({
    name: "an empty dry run value is 422",
    when: post(`${configMaps}?dryRun=`, configMap("a")),
    status: 422,
  }),
  exchange({
    name: "a field manager with a control character is 422",
    when: post(`${configMaps}?fieldManager=a%09b`, configMap("a")),
    status: 422,
    body: { message: /invalid character U\+0009 \(at position 1\)$/ },
  }),
];
