import assert from "node:assert/strict";
import { after, afterEach, before, test } from "node:test";
import { CloudError } from "@keelson/arm";
import { azureErrorCode } from "@keelson/azure";
import { newCluster } from "@keelson/model/testing";
import type { ClusterContext } from "../context/context.ts";
import { retryPolicy } from "../retry-policy.ts";
import { contextOf } from "../testing/context.ts";
import { location, startWorld, type World } from "../testing/world.ts";
import { deployTemplate } from "./deploy-template.ts";
import { ensureResourceGroup } from "./resource-group.ts";
import { bodyOf, type TemplateResource, templateResource } from "./template-resource.ts";

let world: World;
let context: ClusterContext;
before(async () => {
  world = await startWorld();
  context = contextOf(world, newCluster({ name: "demo", subscriptionId: world.subscriptionId }));
  await ensureResourceGroup(context);
});
after(() => world[Symbol.asyncDispose]());
afterEach(() => world.simulatedAzure.change({ faults: null }));

const type = "Microsoft.Network/networkSecurityGroups";
const group: TemplateResource = templateResource(type, "group", { location });
const deploy = (resource = group) => deployTemplate(context, "storage", [resource]);

async function failureOf(deployment: Promise<void>): Promise<unknown> {
  try {
    await deployment;
  } catch (error) {
    return error;
  }
  return assert.fail("it did not fail");
}

function detailOf(error: unknown): { readonly code: string; readonly details?: readonly { code: string }[] } {
  assert.ok(error instanceof CloudError);
  assert.deepEqual([error.status, error.body.code], [400, "DeploymentFailed"]);
  assert.equal(error.body.message, "Deployment failed.");
  return JSON.parse(error.body.details?.[0]?.message ?? "");
}

const policy = retryPolicy({ authorizationRetry: { everyMs: 1, forMs: 1_000 } });
const decisionOn = (error: unknown) => policy(error, { attempt: 1, elapsedMs: 0 }).kind;

test("a template that Azure refuses ends the step, with Azure's own words as JSON", async () => {
  const error = await failureOf(deploy({ ...group, dependsOn: ["Microsoft.Network/virtualNetworks/none"] }));
  assert.equal(detailOf(error).code, "InvalidTemplate");
  assert.equal(decisionOn(error), "stop");
});

test("so does a resource that cannot be as it was asked for", async () => {
  const balancer = { location, frontendIPConfigurations: [{ name: "neither" }] };
  const resource = templateResource("Microsoft.Network/loadBalancers", "balancer", bodyOf(balancer));
  const error = await failureOf(deploy(resource));
  assert.deepEqual(
    detailOf(error).details?.map(({ code }) => code),
    ["LoadBalancerFrontendIPConfigurationMustReferenceSubnetOrPublicIPAddress"],
  );
  assert.equal(decisionOn(error), "stop");
});

test("internal errors of Azure with a resource are retried, and reported if they persist", async () => {
  world.simulatedAzure.change({
    faults: { trouble: { kind: "operation-failed", type, code: "InternalServerError" } },
  });
  const error = await failureOf(deploy());
  assert.deepEqual(
    detailOf(error).details?.map(({ code }) => code),
    ["ResourceDeploymentFailure"],
  );
  assert.equal(decisionOn(error), "retry");
});

test("a missing right, which may be temporary, is reported as AuthorizationFailed", async () => {
  const refusal = { kind: "refused", type, verb: "write", status: 403, code: "AuthorizationFailed" } as const;
  world.simulatedAzure.change({ faults: { refusal: { ...refusal, message: "no right" } } });
  const error = await failureOf(deploy());
  assert.equal(azureErrorCode(error), "AuthorizationFailed");
  assert.equal(decisionOn(error), "retry");
});

test("a deployment that a former worker began is waited for", async () => {
  world.simulatedAzure.change({ faults: { slow: { kind: "operation-slow", type, delayMs: 300 } } });
  await Promise.all([deploy(), deploy()]);
  const { resources } = world.azure;
  const listed = resources.resources.listByResourceGroup("aro-demo", world.azure.call(context.signal));
  const names = await Array.fromAsync(listed, ({ name }) => name);
  assert.ok(names.includes("group"));
});

test("a model of the official client becomes the body that Azure documents", () => {
  const part = { name: "frontend", zones: ["1"], subnet: { id: "/subnet" } };
  const model = {
    location: "eastus",
    sku: { name: "Standard" },
    frontends: [part, { id: "/other" }],
    none: undefined,
  };
  assert.deepEqual(bodyOf(model), {
    location: "eastus",
    sku: { name: "Standard" },
    properties: {
      frontends: [
        { name: "frontend", zones: ["1"], properties: { subnet: { id: "/subnet" } } },
        { id: "/other" },
      ],
    },
  });
});
