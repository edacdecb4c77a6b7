import assert from "node:assert/strict";
import { test } from "node:test";
import { ClientSecretCredential } from "@azure/identity";
import { startSimulatedAzure } from "./simulated-azure.ts";
import { startLocalAzure } from "./start-local-azure.ts";

test("startSimulatedAzure names its missing options", async () => {
  const options: Parameters<typeof startSimulatedAzure>[0] = JSON.parse('{"host":"localhost","port":0}');
  await assert.rejects(startSimulatedAzure(options), {
    code: "OptionMissing",
    message: /missing options "tls", "state", "tenantId", "subscriptionId"/,
  });
});

test("the owner of startLocalAzure signs in with the official client", async () => {
  await using azure = await startLocalAzure();
  const { login, tenantId, clientId, clientSecret } = azure.endpoints;
  const credential = new ClientSecretCredential(tenantId, clientId, clientSecret, {
    authorityHost: login,
    disableInstanceDiscovery: true,
    tlsOptions: { ca: azure.caPem },
  });
  const { token } = await credential.getToken("https://management.azure.com/.default");
  assert.equal(await azure.refusalOf(token, ["https://management.azure.com"]), undefined);
});
