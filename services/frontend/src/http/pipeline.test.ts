import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { after, before, describe, test } from "node:test";
import { Metrics } from "@keelson/base";
import { captureLog } from "../testing/captured-log.ts";
import { clusterAddress, clusterBody, current } from "../testing/cluster-request.ts";
import { secrets, succeed } from "../testing/fake-worker.ts";
import { startTestFrontend, type TestFrontend } from "../testing/test-frontend.ts";
import { bodyLimitBytes } from "./messages/request-body.ts";

const log = captureLog();
const metrics = new Metrics();
let frontend: TestFrontend;
before(async () => {
  frontend = await startTestFrontend({ logger: log.logger, metrics });
});
after(() => frontend[Symbol.asyncDispose]());

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;
const missing = clusterAddress("00000000-0000-0000-0000-000000000001", "missing");
const operations = "/providers/Microsoft.RedHatOpenShift/operations";

describe("identifiers", () => {
  test("each response has a new request ID, and returns the client's only on request", async () => {
    const headers = { "x-ms-client-request-id": "client-1" };
    const plain = await frontend.client.get(operations, { headers });
    const asked = await frontend.client.get(operations, {
      headers: { ...headers, "x-ms-return-client-request-id": "true" },
    });
    const refused = await frontend.client.get("/unknown", {
      headers: { ...headers, "x-ms-return-client-request-id": "True" },
    });
    assert.equal(plain.headers["x-ms-client-request-id"], undefined);
    assert.equal(asked.headers["x-ms-client-request-id"], "client-1");
    assert.equal(refused.headers["x-ms-client-request-id"], "client-1");
    const ids = [plain, asked, refused].map(({ headers: each }) => `${each["x-ms-request-id"]}`);
    for (const id of ids) assert.match(id, uuid);
    assert.equal(new Set(ids).size, 3);
  });
});

describe("refusals", () => {
  const base = "/subscriptions/00000000-0000-0000-0000-000000000001";
  const typeText = (type: string, version: string) =>
    `The resource type '${type}' could not be found in the namespace 'microsoft.redhatopenshift' for api version '${version}'.`;
  const cases = [
    {
      name: "an unknown API version",
      path: `${missing.id}?api-version=1999-01-01`,
      code: "InvalidResourceType",
      message: typeText("openshiftclusters", "1999-01-01"),
    },
    {
      name: "no API version",
      path: missing.id,
      code: "InvalidResourceType",
      message: typeText("openshiftclusters", ""),
    },
    {
      name: "the version admin in another case",
      path: `${missing.id}?api-version=Admin`,
      code: "InvalidResourceType",
    },
    {
      name: "an unknown API version on a list",
      path: `${base}/providers/Microsoft.RedHatOpenShift/openShiftClusters?api-version=1`,
      code: "InvalidResourceType",
      message: typeText("", "1"),
    },
    {
      name: "a malformed subscription",
      path: missing.url.replace(/subscriptions\/[^/]+/, "subscriptions/abc"),
      code: "InvalidSubscriptionID",
    },
    {
      name: "another namespace",
      path: missing.url.replace("Microsoft.RedHatOpenShift", "Foo.Bar"),
      code: "InvalidResourceNamespace",
    },
    {
      name: "another namespace on operations",
      path: "/providers/Foo.Bar/operations",
      code: "InvalidResourceNamespace",
    },
    {
      name: "another type",
      path: missing.url.replace("openShiftClusters", "machines"),
      code: "InvalidResourceType",
    },
    {
      name: "another type on a list",
      path: `${base}/providers/Microsoft.RedHatOpenShift/machines?api-version=${current}`,
      code: "InvalidResourceType",
      message: typeText("machines", current),
    },
    {
      name: "another location",
      path: `${base}/providers/Microsoft.RedHatOpenShift/locations/westus/openShiftVersions?api-version=${current}`,
      code: "InvalidLocation",
    },
    {
      name: "a malformed operation ID",
      path: `${base}/providers/Microsoft.RedHatOpenShift/locations/eastus/operationsstatus/x?api-version=${current}`,
      code: "InvalidOperationID",
    },
    {
      name: "a malformed operation ID on results",
      path: `${base}/providers/Microsoft.RedHatOpenShift/locations/eastus/operationresults/x?api-version=${current}`,
      code: "InvalidOperationID",
    },
  ];
  for (const { name, path, code, message } of cases) {
    test(`${name} is 400 ${code}`, async () => {
      const { status, error } = await frontend.client.get(path);
      assert.deepEqual([status, error.code], [400, code]);
      if (message) assert.equal(error.message, message);
    });
  }

  test("every rejection is JSON with its content type", async () => {
    const refused = [
      await frontend.client.get("/unknown"),
      await frontend.client.get(missing.id),
      await frontend.client.get(missing.url),
      await frontend.client.send("POST", missing.url),
      await frontend.client.put(missing.url, "{"),
    ];
    assert.deepEqual(
      refused.map(({ status, headers }) => [status, headers["content-type"]]),
      [404, 400, 404, 405, 400].map((status) => [status, "application/json"]),
    );
  });

  test("an unknown path is 404 NotFound for every method", async () => {
    for (const method of ["GET", "PUT", "POST", "DELETE", "PROPFIND", "TRACE"]) {
      const { status, json } = await frontend.client.send(method, "/unknown");
      const error = { code: "NotFound", message: "The requested path could not be found." };
      assert.deepEqual([method, status, json], [method, 404, { error }]);
    }
  });

  test("a method that a path does not have is a bare 405", async () => {
    for (const [method, path, allow] of [
      ["POST", missing.url, "DELETE, GET, PATCH, PUT"],
      ["HEAD", missing.url, "DELETE, GET, PATCH, PUT"],
      ["GET", `/subscriptions/${randomUUID()}`, "PUT"],
      ["DELETE", operations, "GET"],
      ["POST", "/healthz/ready", "GET"],
      ["TRACE", operations, "GET"],
    ] as const) {
      const { status, text, headers } = await frontend.client.send(method, path);
      assert.deepEqual([status, text, headers.allow], [405, "", allow], `${method} ${path}`);
    }
  });

  test("a body over the limit is 400, a body of a different media type 415", async () => {
    const large = await frontend.client.put(missing.url, " ".repeat(bodyLimitBytes + 1));
    assert.deepEqual(
      [large.status, large.json],
      [400, { error: { code: "InvalidResource", message: "The resource definition is invalid." } }],
    );
    const fits = await frontend.client.put(missing.url, `{}${" ".repeat(bodyLimitBytes - 2)}`);
    assert.equal(fits.error.code, "InvalidSubscriptionState");
    for (const mediaType of ["text/plain", "text/plain; charset=utf-8", "not a media type"]) {
      const headers = { "content-type": mediaType };
      const { status, error } = await frontend.client.put(missing.url, "{}", { headers });
      assert.deepEqual(
        [status, error.code, error.message],
        [
          415,
          "UnsupportedMediaType",
          `The content media type '${mediaType}' is not supported. Only 'application/json' is supported.`,
        ],
      );
    }
  });
});

describe("the records of a request", () => {
  test("an audit line has caller, action, target and result", async () => {
    const address = clusterAddress(randomUUID(), "Audited");
    await frontend.client.put(address.url, clusterBody(address), {
      headers: {
        "x-ms-correlation-request-id": "correlation-7",
        "x-ms-client-request-id": "client-7",
        "x-ms-arm-resource-system-data": '{"lastModifiedBy":"ann"}',
        "user-agent": "test/1",
      },
    });
    const lines = await log.auditsOf(address.id, 1);
    assert.equal(lines.length, 1);
    const { time: _, requestId, durationMs, peer, ...line } = lines[0] ?? {};
    assert.match(`${requestId}`, uuid);
    assert.ok(Number(durationMs) > 0);
    assert.match(`${peer}`, /127\.0\.0\.1/);
    assert.deepEqual(line, {
      level: "info",
      logKind: "audit",
      correlationId: "correlation-7",
      clientRequestId: "client-7",
      caller: "ann",
      userAgent: "test/1",
      operation:
        "PUT /subscriptions/:subscriptionId/resourcegroups/:resourceGroup/providers/:namespace/:type/:name",
      target: address.id.toLowerCase(),
      apiVersion: current,
      audience: "customer",
      status: 400,
      result: "UserError",
      code: "InvalidSubscriptionState",
      msg: "request served",
    });
  });

  test("readiness writes no audit line", async () => {
    const before = log.audits().length;
    await frontend.client.get("/healthz/ready");
    await frontend.client.get(operations);
    assert.deepEqual(
      log
        .audits()
        .slice(before)
        .map((line) => line.target),
      [operations.toLowerCase()],
    );
  });

  test("no secret and no body is in any line", async () => {
    const address = clusterAddress(randomUUID());
    await frontend.client.put(`/subscriptions/${address.subscriptionId}`, { state: "Registered" });
    assert.equal((await frontend.client.put(address.url, clusterBody(address))).status, 201);
    await succeed(frontend.database, address);
    await frontend.client.post(address.url.replace("?", "/listCredentials?"));
    await frontend.client.patch(address.url, '{"clientSecret": "secret-in-broken-json');
    const text = log.text();
    for (const secret of [...Object.values(secrets), "client-secret-of-the-test", "secret-in-broken-json"]) {
      assert.ok(!text.includes(secret), secret);
    }
  });

  test("its duration is measured, with a bounded set of labels", async () => {
    await frontend.client.get(`${missing.id}?api-version=made-up-by-a-client`);
    const { body } = await metrics.expose();
    assert.match(body, /frontend_request_duration_seconds_count\{[^}]*code="400"[^}]*api_version="other"/);
    assert.doesNotMatch(body, /made-up-by-a-client/);
  });
});
