import { after, before } from "node:test";
import { makeGroup, testLifeCycles } from "../testing/sdk.ts";
import { location, startTestAzure, type TestAzure } from "../testing/test-azure.ts";

let azure: TestAzure;
before(async () => {
  azure = await startTestAzure();
  await makeGroup(azure, "g");
  await azure.clients.identities.userAssignedIdentities.createOrUpdate("g", "base", { location });
});
after(() => azure[Symbol.asyncDispose]());

const identities = () => azure.clients.identities.userAssignedIdentities;
const credentials = () => azure.clients.identities.federatedIdentityCredentials;
const credential = ["g", "base", "credential"] as const;

testLifeCycles([
  {
    name: "userAssignedIdentities",
    create: () => identities().createOrUpdate("g", "one", { location }),
    get: () => identities().get("g", "one"),
    list: () => identities().listByResourceGroup("g"),
    remove: () => identities().delete("g", "one"),
  },
  {
    name: "federatedIdentityCredentials",
    create: () =>
      credentials().createOrUpdate(...credential, {
        issuer: "https://issuer.example.com",
        subject: "system:serviceaccount:ns:name",
        audiences: ["openshift"],
      }),
    get: () => credentials().get(...credential),
    list: () => credentials().list("g", "base"),
    remove: () => credentials().delete(...credential),
  },
]);
