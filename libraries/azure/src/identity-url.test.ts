import assert from "node:assert/strict";
import { test } from "node:test";
import { identityUrlFault, publicIdentityHostSuffix } from "./identity-url.ts";

const host = /identity\.azure\.net or a host below it/;

for (const [url, fault] of [
  ["https://identity.azure.net/x?tid=1", undefined],
  ["https://eastus.identity.azure.net/x?tid=1", undefined],
  ["https://a.b.IDENTITY.azure.net:443/", undefined],
  ["http://eastus.identity.azure.net/", /an https URL/],
  ["ftp://identity.azure.net/", /an https URL/],
  ["identity.azure.net", /an https URL/],
  ["", /an https URL/],
  ["https://user@identity.azure.net/", /without a user/],
  ["https://:secret@identity.azure.net/", /without a user/],
  ["https://identity.azure.net:8443/", host],
  ["https://identity.azure.net.example/", host],
  ["https://evilidentity.azure.net/", host],
  ["https://example/identity.azure.net", host],
  ["https://example?x=.identity.azure.net", host],
  ["https://example#.identity.azure.net", host],
  ["https://example\\.identity.azure.net/", host],
  ["https://identity.azure.net./", host],
  ["https://127.0.0.1/", host],
  ["https://[::1]/", host],
] as const) {
  test(`${url || "no URL"} is ${fault ? "refused" : "accepted"}`, () => {
    const found = identityUrlFault(url, publicIdentityHostSuffix);
    if (fault) assert.match(found ?? "", fault);
    else assert.equal(found, undefined);
  });
}

test("a port belongs to the host", () => {
  assert.equal(identityUrlFault("https://localhost:8444/x", "localhost:8444"), undefined);
  assert.match(identityUrlFault("https://localhost/x", "localhost:8444") ?? "", /localhost:8444/);
});
