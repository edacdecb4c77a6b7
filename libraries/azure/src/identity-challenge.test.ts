import assert from "node:assert/strict";
import { test } from "node:test";
import { tenantOfChallenge } from "./identity-challenge.ts";

const tenant = "5d929ae3-0000-4000-8000-00000000000f";
const trusted = {
  audience: "https://identity.azure.net",
  loginEndpoint: "https://login.microsoftonline.com",
};

for (const [header, expected] of [
  [`Bearer authorization="https://login.microsoftonline.com/${tenant}"`, tenant],
  [`Bearer authorization="https://login.microsoftonline.com/${tenant.toUpperCase()}/"`, tenant],
  [
    `bearer realm="x", authorization="https://login.windows.net/${tenant}", resource="https://identity.azure.net/"`,
    tenant,
  ],
  [`Bearer authorization_uri="https://login.microsoft.com/${tenant}"`, tenant],
  ["", undefined],
  ["Basic realm=x", undefined],
  ["Bearer", undefined],
] as const) {
  test(`${header || "no challenge"} names ${expected ? "the tenant" : "none"}`, () => {
    assert.equal(tenantOfChallenge(header, trusted), expected);
  });
}

for (const header of [
  `Bearer authorization="https://login.example/${tenant}"`,
  `Bearer authorization="http://login.microsoftonline.com/${tenant}"`,
  `Bearer authorization="https://login.microsoftonline.us/${tenant}"`,
  `Bearer authorization="https://user@login.microsoftonline.com/${tenant}"`,
  `Bearer authorization="https://login.microsoftonline.com:8443/${tenant}"`,
  'Bearer authorization="https://login.microsoftonline.com/common"',
  `Bearer authorization="https://login.microsoftonline.com/${tenant}/more"`,
  'Bearer authorization="nothing"',
  `Bearer authorization="https://login.microsoftonline.com/${tenant}", resource="https://management.azure.com"`,
]) {
  test(`${header} is refused`, () => {
    assert.throws(() => tenantOfChallenge(header, trusted), { name: "IdentityUrlForbidden" });
  });
}
