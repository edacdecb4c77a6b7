import assert from "node:assert/strict";
import { test } from "node:test";
import { operationUrls } from "./async-operation.ts";

test("polling URLs lie on the host that the user called, in lower case, with its query", () => {
  const scope = { subscriptionId: "AAAA", namespace: "Microsoft.RedHatOpenShift", location: "EastUS" };
  const urls = operationUrls(
    "https://Management.Azure.com/subscriptions/AAAA/x?api-version=2025-07-25&T=1",
    scope,
    "op-1",
  );
  const base =
    "https://management.azure.com/subscriptions/aaaa/providers/microsoft.redhatopenshift/locations/eastus";
  assert.equal(urls.azureAsyncOperation, `${base}/operationsstatus/op-1?api-version=2025-07-25&T=1`);
  assert.equal(urls.location, `${base}/operationresults/op-1?api-version=2025-07-25&T=1`);
});
