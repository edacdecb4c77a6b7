import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { createCertificateAuthority, Secret } from "@keelson/base";
import { withProperties } from "@keelson/model";
import { newCluster } from "@keelson/model/testing";
import { contextOf } from "../testing/context.ts";
import { startWorld, type World } from "../testing/world.ts";
import { fixUserAdminKubeconfig, generateKubeconfigs } from "./kubeconfigs.ts";

let world: World;
before(async () => {
  world = await startWorld();
});
after(() => world[Symbol.asyncDispose]());

const dayMs = 86_400_000;

/** Returns the context of a cluster. The cluster's API server certificate is publicly trusted, as in the public cloud. */
async function someContext(now = new Date()) {
  const state = {
    clusterId: "c",
    kubeconfigSigner: await createCertificateAuthority("signer", 3650),
    kubeadminPassword: "p",
    apiServer: {
      url: "https://api.demo.example.org:6443",
      internalUrl: "https://api-int.demo.example.org:6443",
      internalCaPem: "internal authority",
    },
  };
  const cluster = withProperties(newCluster({ name: "demo" }), {
    installState: new Secret(JSON.stringify(state)),
  });
  const context = contextOf(world, cluster);
  await generateKubeconfigs(context);
  return {
    get text() {
      return context.cluster.properties.userAdminKubeconfig?.reveal() ?? "";
    },
    context,
    at: (daysLater: number) => ({
      ...context,
      get cluster() {
        return context.cluster;
      },
      clock: { ...context.clock, now: () => new Date(now.getTime() + daysLater * dayMs) },
    }),
  };
}

test("the customer's kubeconfig has the public name without a CA certificate", async () => {
  const { context, text } = await someContext();
  assert.match(text, /server: https:\/\/api\.demo\.example\.org:6443/);
  assert.doesNotMatch(text, /certificate-authority-data/);
  const service = context.cluster.properties.aroServiceKubeconfig?.reveal() ?? "";
  assert.match(service, /server: https:\/\/api-int\./);
  assert.match(service, /certificate-authority-data/);
});

for (const { daysLater, renewed } of [
  { daysLater: 65, renewed: false },
  { daysLater: 165, renewed: true },
]) {
  test(`with ${365 - daysLater} days left the customer's kubeconfig is ${renewed ? "made anew" : "kept"}`, async () => {
    const some = await someContext();
    const before = some.text;
    await fixUserAdminKubeconfig(some.at(daysLater));
    assert.equal(some.text !== before, renewed);
  });
}

test("kubeconfigs that are there are not made again", async () => {
  const { context, text } = await someContext();
  await generateKubeconfigs(context);
  assert.equal(context.cluster.properties.userAdminKubeconfig?.reveal(), text);
});
