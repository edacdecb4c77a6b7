import assert from "node:assert/strict";
import { test } from "node:test";
import { operationUrls } from "./async-operation.ts";

test("polling URLs lie on the host that the user called, in lower case, with its query", () => {
  const scope = { subscriptionId: "AAAA", namespace: "Microsoft.RedHatOpenShift", location: "EastUS" };
  const urls = operationUrls(
    new URL("https://Management.Azure.com/subscriptions/AAAA/x?api-version=2025-07-25&T=1"),
    scope,
    "op-1",
  );
  const base =
    "https://management.azure.com/subscriptions/aaaa/providers/microsoft.redhatopenshift/locations/eastus";
  assert.equal(urls.azureAsyncOperation, `${base}/operationsstatus/op-1?api-version=2025-07-25&T=1`);
  assert.equal(urls.location, `${base}/operationresults/op-1?api-version=2025-07-25&T=1`);
});

test("polling URLs keep the port, the user and the fragment of the caller's URL, and escape the location", () => {
  const scope = { subscriptionId: "a", namespace: "n", location: "East US" };
  const { location } = operationUrls(new URL("http://u:p@[::1]:8080?x=%20#f"), scope, "1");
  assert.equal(
    location,
    "http://u:p@[::1]:8080/subscriptions/a/providers/n/locations/east%20us/operationresults/1?x=%20#f",
  );
});
