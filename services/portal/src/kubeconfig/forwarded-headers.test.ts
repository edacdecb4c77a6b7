import assert from "node:assert/strict";
import { test } from "node:test";
import { requestHeaders, responseHeaders } from "./forwarded-headers.ts";

test("headers of the caller's identity and of the connection do not reach the cluster", () => {
  const kept = {
    accept: "application/json",
    "content-type": "application/json",
    "user-agent": "kubectl",
    "impersonate-user": "x",
  };
  assert.deepEqual(
    requestHeaders({
      ...kept,
      authorization: "Bearer t",
      cookie: "session=s",
      host: "portal",
      connection: "Keep-Alive, X-Secret",
      "x-secret": "named by connection",
      "transfer-encoding": "chunked",
      "content-length": "3",
      te: "trailers",
      upgrade: "h2c",
      "x-forwarded-for": "1.2.3.4",
      "x-remote-user": "system:admin",
      ":authority": "portal",
    }),
    kept,
  );
});

test("a cluster sets no cookies of the portal's", () => {
  assert.deepEqual(
    responseHeaders({ "set-cookie": ["session=s"], connection: "close", "content-type": "text/plain" }),
    { "content-type": "text/plain" },
  );
});
