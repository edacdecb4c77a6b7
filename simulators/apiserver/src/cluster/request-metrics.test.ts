import assert from "node:assert/strict";
import { test } from "node:test";
import { framesOf, TestServer } from "../testing/test-server.ts";

test("requests are counted by verb, resource and code, and watches while they are open", async () => {
  await using server = await TestServer.start();
  const path = "/api/v1/namespaces/default/configmaps";
  for (const _ of [1, 2]) await server.call("GET", path);
  await server.call("GET", `${path}/nothing`);
  const watch = await server.open("GET", `${path}?watch=true`);
  await framesOf(watch).next();
  const { text } = await server.call("GET", "/metrics");
  const labels = 'group="",version="v1",resource="configmaps",subresource=""';
  const lines = text.split("\n");
  assert.ok(lines.includes(`apiserver_request_total{verb="LIST",${labels},scope="namespace",code="200"} 2`));
  assert.ok(lines.includes(`apiserver_request_total{verb="GET",${labels},scope="resource",code="404"} 1`));
  assert.ok(lines.includes(`apiserver_longrunning_requests{verb="WATCH",${labels},scope="namespace"} 1`));
  assert.ok(
    lines.includes(`apiserver_request_duration_seconds_count{verb="LIST",${labels},scope="namespace"} 2`),
  );
  assert.match(text, /apiserver_storage_objects\{resource="configmaps"\} \d/);
  watch.destroy();
});
