import assert from "node:assert/strict";
import { test } from "node:test";
import { StatusError } from "@keelson/apimachinery";
import { parseRequestInfo, type RequestInfo } from "./request-info.ts";

function infoOf(method: string, url: string): RequestInfo {
  const [path = "", search = ""] = url.split("?");
  return parseRequestInfo(method, path, new URLSearchParams(search));
}

/** Formats a request as `verb resource[/subresource] of version in namespace: name`, without empty parts. */
function summary(info: RequestInfo): string {
  if (info.kind === "path") return `${info.verb} ${info.path}`;
  const { verb, group, version, resource, subresource, namespace, name, selectedName, below } = info;
  return [
    `${verb} ${resource}${subresource ? `/${subresource}` : ""} of ${group ? `${group}/` : ""}${version}`,
    ...(namespace ? [`in ${namespace}`] : []),
    ...(name ? [`named ${name}`] : []),
    ...(selectedName ? [`selecting ${selectedName}`] : []),
    ...(below ? [`below ${below}`] : []),
  ].join(" ");
}

for (const [method, url, expected] of [
  ["GET", "/", "get /"],
  ["GET", "/api", "get /api"],
  ["GET", "/api/v1/", "get /api/v1/"],
  ["GET", "/apis/apps/v1", "get /apis/apps/v1"],
  ["HEAD", "/%68ealthz", "head /healthz"],
  ["GET", "//api/v1/pods", "get //api/v1/pods"],
  ["GET", "/API/v1/pods", "get /API/v1/pods"],
  ["GET", "/api/v1/pods", "list pods of v1"],
  ["HEAD", "/api/v1/pods", "list pods of v1"],
  ["GET", "/api/v1/pods?watch=true", "watch pods of v1"],
  ["GET", "/api/v1/pods?watch", "watch pods of v1"],
  ["GET", "/api/v1/pods?watch=False", "list pods of v1"],
  ["GET", "/api/v1/pods?watch=0&watch=1", "list pods of v1"],
  ["GET", "/api/v1/namespaces/n/pods/p?watch=true", "get pods of v1 in n named p"],
  ["GET", "/api/v1/namespaces", "list namespaces of v1"],
  ["GET", "/api/v1/namespaces/n", "get namespaces of v1 named n"],
  ["PUT", "/api/v1/namespaces/n/status", "update namespaces/status of v1 named n"],
  ["PUT", "/api/v1/namespaces/n/finalize", "update namespaces/finalize of v1 named n"],
  ["GET", "/api/v1/namespaces/finalize/pods", "list pods of v1 in finalize"],
  ["POST", "/apis/apps/v1/namespaces/n/deployments", "create deployments of apps/v1 in n"],
  ["PATCH", "/apis/apps/v1/namespaces/n/deployments/d/", "patch deployments of apps/v1 in n named d"],
  ["DELETE", "/apis/apps/v1/namespaces/n/deployments", "deletecollection deployments of apps/v1 in n"],
  ["DELETE", "/api/v1/nodes/n", "delete nodes of v1 named n"],
  ["OPTIONS", "/api/v1/nodes/n", " nodes of v1 named n"],
  // An encoded slash separates segments. An empty segment is an empty name.
  ["GET", "/api/v1/namespaces/n%2Fpods%2fp", "get pods of v1 in n named p"],
  ["GET", "/api/v1/namespaces//pods", "list pods of v1"],
  ["GET", "/api/v1/namespaces/n//pods/p", "get /p of v1 in n named pods"],
  ["GET", "/api/v1//pods", "get  of v1 named pods"],
  ["GET", "/api/v1/namespaces/n/pods//log", "list pods/log of v1 in n"],
  ["GET", "/api/v1/namespaces/n/pods/%2e%2e", "get pods of v1 in n named .."],
  ["GET", "/api/v1/namespaces/../nodes", "list nodes of v1 in .."],
  // The path below a proxy subresource keeps the client's encoding.
  ["GET", "/api/v1/namespaces/n/pods/p/proxy", "get pods/proxy of v1 in n named p"],
  ["GET", "/api/v1/namespaces/n/pods/p/proxy/", "get pods/proxy of v1 in n named p below /"],
  [
    "POST",
    "/api/v1/nodes/n:10250/proxy/a%2Fb//c/",
    "create nodes/proxy of v1 named n:10250 below /a%2Fb//c/",
  ],
  ["GET", "/api/v1/namespaces/n/pods/p/log/more", "get pods/log of v1 in n named p below /more"],
  // Old clients write the verb in the path.
  ["GET", "/api/v1/watch/namespaces/n/pods", "watch pods of v1 in n"],
  ["GET", "/api/v1/watch/namespaces/n/pods/p", "watch pods of v1 in n named p"],
  ["GET", "/api/v1/watch/namespaces/n", "watch namespaces of v1 named n"],
  ["DELETE", "/api/v1/watch/nodes", "watch nodes of v1"],
  ["GET", "/api/v1/watch/namespaces/n/pods?fieldSelector=metadata.name%3Dp", "watch pods of v1 in n"],
  ["GET", "/api/v1/watch", "watch  of v1"],
  ["GET", "/api/v1/proxy/namespaces/n/pods/p", "proxy pods of v1 in n named p"],
] as const) {
  test(`${method} ${url} is ${expected}`, () => assert.equal(summary(infoOf(method, url)), expected));
}

for (const [selector, name] of [
  ["metadata.name=ok", "ok"],
  ["metadata.name==ok,metadata.namespace=n", "ok"],
  [",metadata.name=ok,", "ok"],
  ["metadata.name=o\\,k", "o,k"],
  ["metadata.name!=ok", undefined],
  ["metadata.name!=x\\,metadata.name=ok", undefined],
  ["metadata.namespace!=x\\,metadata.name=ok", undefined],
  [" metadata.name=ok", undefined],
  ["metadata.name\\=ok", undefined],
  ["metadata.name=ok=", undefined],
  ["metadata.name=ok,unreadable", undefined],
  ["metadata.name=", undefined],
  ["metadata.name=..", undefined],
  ["metadata.name=a/b", undefined],
  ["", undefined],
] as const) {
  const query = `fieldSelector=${encodeURIComponent(selector)}`;

  test(`a list with ${selector || "no selector"} selects ${name ?? "no single name"}`, () => {
    for (const more of ["", "&watch=true", "&fieldSelector=metadata.name%3Dlater"]) {
      const info = infoOf("GET", `/api/v1/pods?${query}${more}`);
      assert.ok(info.kind === "resource");
      assert.equal(info.selectedName, name);
    }
  });

  test(`deletions and path watches with ${selector || "no selector"} have no selected name`, () => {
    for (const [method, path] of [
      ["DELETE", "/api/v1/namespaces/n/pods"],
      ["GET", "/api/v1/watch/namespaces/n/pods"],
      ["POST", "/api/v1/namespaces/n/pods"],
    ] as const) {
      const info = infoOf(method, `${path}?${query}`);
      assert.ok(info.kind === "resource");
      assert.equal(info.selectedName, undefined);
    }
  });
}

test("a list with invalid parameters has no selected name and a deferred error", () => {
  for (const more of ["limit=x", "labelSelector=!!", "timeoutSeconds=1.5"]) {
    const info = infoOf("GET", `/api/v1/pods?fieldSelector=metadata.name%3Dok&${more}`);
    assert.ok(info.kind === "resource");
    assert.equal(info.selectedName, undefined);
    assert.ok(info.listParameters instanceof StatusError);
    assert.equal(info.listParameters.code, 400);
  }
});

test("a path that is not percent-encoded UTF-8 is rejected", () => {
  for (const path of ["/api/v1/pods/%", "/api/v1/pods/%zz", "/api/%ff/pods"]) {
    assert.throws(() => infoOf("GET", path), { code: 400 }, path);
  }
});

test("a long path is parsed in linear time", () => {
  const path = "/".repeat(300_000);
  const began = performance.now();
  infoOf("GET", `/api/v1/pods${path}x`);
  assert.ok(performance.now() - began < 10_000);
});
