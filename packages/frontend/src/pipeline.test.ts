import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { type ClientHttp2Session, connect as connectHttp2 } from "node:http2";
import { after, before, describe, test } from "node:test";
import { setTimeout as delay } from "node:timers/promises";
import { connect as connectTls } from "node:tls";
import { Metrics } from "@keelson/base";
import fc from "fast-check";
import { bodyLimitBytes } from "./request-body.ts";
import { captureLog, type LogLine } from "./testing/captured-log.ts";
import { clusterAddress, clusterBody, current } from "./testing/cluster-request.ts";
import { secrets, succeed } from "./testing/fake-worker.ts";
import { startTestFrontend, type TestFrontend } from "./testing/test-frontend.ts";

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
  test("each answer has a new request ID; the client's comes back only when asked for", async () => {
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
    { name: "the admin API version", path: `${missing.id}?api-version=admin`, code: "InvalidResourceType" },
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
    ] as const) {
      const { status, text, headers } = await frontend.client.send(method, path);
      assert.deepEqual([status, text, headers.allow], [405, "", allow], `${method} ${path}`);
    }
  });

  test("a body over the limit is 400, one of another media type 415", async () => {
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

  test("a body that goes on and on is cut off, and the service lives", async () => {
    const client = frontend.connect();
    const answer = await client.put(missing.url, " ".repeat(20 * bodyLimitBytes)).catch(() => undefined);
    if (answer) assert.equal(answer.error.code, "InvalidResource");
    assert.equal((await frontend.client.get(operations)).status, 200);
  });
});

describe("hostile input", () => {
  const address = clusterAddress(randomUUID());
  const pollute = `{"__proto__":{"polluted":true},"properties":{"__proto__":{"polluted":true}},"tags":{"__proto__":"x"}}`;

  before(async () => {
    await frontend.client.put(`/subscriptions/${address.subscriptionId}`, { state: "Registered" });
    assert.equal((await frontend.client.put(address.url, clusterBody(address))).status, 201);
    await succeed(frontend.database, address);
  });

  const names = [
    "%2F",
    "a%2Fb",
    "%00",
    "%ff",
    "%zz",
    "..",
    "%2e%2e",
    "a%23b",
    "%E2%84%AA",
    "a".repeat(5_000),
    "%F0%9F%98%80",
  ];
  for (const name of names) {
    test(`the name ${name.slice(0, 20)} is refused`, async () => {
      const response = await frontend.client.get(missing.url.replace("/missing?", `/${name}?`));
      assert.deepEqual([response.status, response.error.code], [400, "ResourceNotFound"]);
    });
  }

  test("of several API versions the first counts", async () => {
    const twice = await frontend.client.get(`${address.url}&api-version=nonsense`);
    assert.equal(twice.status, 200);
    const other = await frontend.client.get(`${address.id}?api-version=nonsense&api-version=${current}`);
    assert.equal(other.status, 400);
  });

  test("a body cannot reach the prototype of objects", async () => {
    const { status } = await frontend.client.patch(address.url, pollute);
    assert.equal(status, 200);
    assert.equal(Reflect.get({}, "polluted"), undefined);
    await succeed(frontend.database, address);
  });

  const bodies = [
    { name: "text that is not JSON", body: "{]" },
    { name: "nothing", body: "" },
    { name: "an array", body: "[]" },
    { name: "null", body: "null" },
    { name: "a number", body: "1" },
    { name: "100,000 nested arrays", body: `{"tags":${"[".repeat(100_000)}${"]".repeat(100_000)}}` },
    { name: "a NUL character", body: '{"tags":{"a":"\\u0000"}}' },
    { name: "half a surrogate pair", body: '{"tags":{"a":"\\ud800"}}' },
    { name: "tags of another type", body: '{"tags":[1]}' },
    { name: "properties of another type", body: '{"properties":"x"}' },
  ];
  for (const { name, body } of bodies) {
    test(`${name} as the body is 400 InvalidRequestContent`, async () => {
      const response = await frontend.client.patch(address.url, body);
      assert.deepEqual([response.status, response.error.code], [400, "InvalidRequestContent"], response.text);
    });
  }

  test("headers that are too large are refused by status 431", async () => {
    const headers = { "x-large": "x".repeat(70_000) };
    const refused = await frontend
      .connect()
      .get(operations, { headers })
      .catch(() => undefined);
    if (refused) assert.equal(refused.status, 431);
    assert.equal((await frontend.client.get(operations)).status, 200);
  });

  test("odd headers do no harm", async () => {
    const headers = {
      referer: "https://[broken",
      "x-ms-arm-resource-system-data": '{"createdBy":"\\u0000"}',
      "x-ms-correlation-request-id": "é\t'\"<>",
      "x-ms-client-request-id": "x".repeat(4_000),
      "x-ms-return-client-request-id": "maybe",
    };
    const { status, text } = await frontend.client.patch(address.url, {}, { headers });
    assert.equal(status, 200, text);
    await succeed(frontend.database, address);
  });

  test("whatever is sent, no answer is an internal error", async () => {
    const segment = fc.oneof(
      fc.constantFrom(
        "subscriptions",
        address.subscriptionId,
        "resourceGroups",
        "Group",
        "providers",
        "locations",
      ),
      fc.constantFrom(
        "Microsoft.RedHatOpenShift",
        "openShiftClusters",
        "demo",
        "eastus",
        "operationsstatus",
        "",
      ),
      fc.constantFrom("..", "%", "%2f", "%00", "admin", "preflight", "deployments", "listCredentials"),
      fc.webSegment(),
    );
    const path = fc.oneof(
      fc.array(segment, { maxLength: 12 }).map((parts) => `/${parts.join("/")}`),
      fc.constantFrom(address.id, missing.id, `${address.id}/listCredentials`, operations),
    );
    const query = fc.oneof(
      fc.constant(`api-version=${current}`),
      fc.constant(`api-version=${current}&$skipToken=AAAA`),
      fc.webQueryParameters(),
    );
    const method = fc.constantFrom("GET", "PUT", "PATCH", "POST", "DELETE", "HEAD", "OPTIONS");
    const body = fc.option(fc.oneof(fc.json(), fc.string(), fc.constant(pollute)), { nil: undefined });
    await fc.assert(
      fc.asyncProperty(method, path, query, body, async (verb, at, search, text) => {
        const sent = text === undefined ? {} : { body: text };
        const { status } = await frontend.client.send(verb, `${at}?${search}`, sent);
        assert.ok(status < 500, `${verb} ${at}?${search}: ${status}`);
      }),
      { numRuns: 300 },
    );
  });
});

describe("protocols", () => {
  const tlsOptions = () => ({
    host: "127.0.0.1",
    port: Number(new URL(frontend.url).port),
    servername: "localhost",
    ca: frontend.authority.certificatePem,
  });

  test("HTTP/2 and HTTP/1.1 are offered, HTTP/2 by preference", async () => {
    for (const [offer, chosen] of [
      [["http/1.1", "h2"], "h2"],
      [["http/1.1"], "http/1.1"],
    ] as const) {
      const socket = connectTls({ ...tlsOptions(), ALPNProtocols: [...offer] });
      await new Promise((resolve, reject) => socket.once("secureConnect", resolve).once("error", reject));
      assert.equal(socket.alpnProtocol, chosen);
      socket.destroy();
    }
  });

  test("TLS before 1.2 is refused", async () => {
    const socket = connectTls({
      ...tlsOptions(),
      maxVersion: "TLSv1.1",
      minVersion: "TLSv1.1",
      ciphers: "ALL:@SECLEVEL=0",
    });
    await assert.rejects(
      new Promise((resolve, reject) => socket.once("secureConnect", resolve).once("error", reject)),
    );
    socket.destroy();
  });

  test("HTTP/2 serves bodies of any size and says where to poll", async () => {
    const address = clusterAddress(randomUUID());
    await frontend.client.put(`/subscriptions/${address.subscriptionId}`, { state: "Registered" });
    const session = openSession();
    try {
      const large = await put(session, address.url, " ".repeat(bodyLimitBytes + 1));
      assert.equal(large[":status"], 400);
      assert.match(`${large.text}`, /InvalidResource/);
      const created = await put(session, address.url, JSON.stringify(clusterBody(address)));
      assert.equal(created[":status"], 201, `${created.text}`);
      assert.equal(
        new URL(`${created["azure-asyncoperation"]}`).host,
        `localhost:${new URL(frontend.url).port}`,
      );
      assert.deepEqual(
        (await auditsOf(address.id, 2)).map((line) => [line.status, line.result]),
        [
          [400, "UserError"],
          [201, "Success"],
        ],
      );
    } finally {
      session.destroy();
    }
  });

  test("an HTTP/2 body that goes on and on is cut off, and the service lives", async () => {
    const session = openSession();
    try {
      const answer = await put(session, missing.url, " ".repeat(20 * bodyLimitBytes)).catch(() => undefined);
      if (answer) assert.equal(answer[":status"], 400);
      assert.equal((await frontend.client.get(operations)).status, 200);
    } finally {
      session.destroy();
    }
  });

  function openSession(): ClientHttp2Session {
    const { port } = new URL(frontend.url);
    return connectHttp2(`https://localhost:${port}`, { ca: frontend.authority.certificatePem });
  }

  function put(session: ClientHttp2Session, path: string, body: string): Promise<Record<string, unknown>> {
    const stream = session.request({ ":method": "PUT", ":path": path, "content-type": "application/json" });
    const { promise, resolve, reject } = Promise.withResolvers<Record<string, unknown>>();
    let text = "";
    stream.on("response", (headers) => stream.on("end", () => resolve({ ...headers, text })));
    stream.on("data", (chunk) => {
      text += chunk;
    });
    stream.on("error", reject);
    stream.end(body);
    return promise;
  }
});

/** The audit lines about a target, once there are `count`: they are written after the answer is out. */
async function auditsOf(target: string, count: number): Promise<LogLine[]> {
  const limit = Date.now() + 5_000;
  for (;;) {
    const lines = audits().filter((line) => line.target === target.toLowerCase());
    if (lines.length >= count) return lines;
    assert.ok(Date.now() < limit, `${lines.length} of ${count} audit lines about ${target}`);
    await delay(5);
  }
}

function audits(): LogLine[] {
  return log.lines().filter((line) => line.logKind === "audit");
}

describe("what remains of a request", () => {
  test("one line says who did what to what, and how it ended", async () => {
    const address = clusterAddress(randomUUID(), "Audited");
    await frontend.client.put(address.url, clusterBody(address), {
      headers: {
        "x-ms-correlation-request-id": "correlation-7",
        "x-ms-client-request-id": "client-7",
        "x-ms-arm-resource-system-data": '{"lastModifiedBy":"ann"}',
        "user-agent": "test/1",
      },
    });
    const lines = await auditsOf(address.id, 1);
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
      status: 400,
      result: "UserError",
      code: "InvalidSubscriptionState",
      msg: "request served",
    });
  });

  test("readiness leaves none", async () => {
    const before = audits().length;
    await frontend.client.get("/healthz/ready");
    await frontend.client.get(operations);
    assert.deepEqual(
      audits()
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
