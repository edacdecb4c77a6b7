import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { type Deployment, DeploymentsClient } from "@azure/arm-resourcesdeployments";
import { azureErrorCode } from "@keelson/azure";
import type { JsonObject, JsonValue } from "@keelson/base";
import { at, members, nonEmptyStringAt, objectsAt } from "../base/json.ts";
import {
  localCertificates,
  location,
  startTestAzure,
  subscriptionId,
  type TestAzure,
} from "../testing/test-azure.ts";

const signal = AbortSignal.timeout(900_000);
const group = `/subscriptions/${subscriptionId}/resourceGroups/g`;
const deployments = `${group}/providers/Microsoft.Resources/deployments`;
const version = "?api-version=2025-04-01";
const schema = "https://schema.management.azure.com/schemas/2019-04-01/deploymentTemplate.json#";

function template(sections: JsonObject): JsonObject {
  return { $schema: schema, contentVersion: "1.0.0.0", resources: [], ...sections };
}

const network = (type: string, name: string, more: JsonObject = {}): JsonObject => ({
  type: `Microsoft.Network/${type}`,
  apiVersion: "2024-05-01",
  name,
  location: "[resourceGroup().location]",
  ...more,
});

/** Template of a network with a security group, a route table and `subnets` subnets. */
const networkTemplate = template({
  parameters: {
    prefix: { type: "string", defaultValue: "aro" },
    subnets: { type: "int", defaultValue: 2, maxValue: 4 },
    secret: { type: "securestring", defaultValue: "hidden" },
  },
  variables: { vnet: "[format('{0}-vnet', parameters('prefix'))]" },
  resources: [
    network("virtualNetworks", "[variables('vnet')]", {
      dependsOn: [
        "[resourceId('Microsoft.Network/networkSecurityGroups', 'nsg')]",
        "[resourceId('Microsoft.Network/routeTables', 'routes')]",
      ],
      properties: {
        addressSpace: { addressPrefixes: ["10.0.0.0/16"] },
        copy: [
          {
            name: "subnets",
            count: "[parameters('subnets')]",
            input: {
              name: "[concat('s', copyIndex('subnets'))]",
              properties: {
                addressPrefix: "[format('10.0.{0}.0/24', copyIndex('subnets'))]",
                networkSecurityGroup: {
                  id: "[resourceId('Microsoft.Network/networkSecurityGroups', 'nsg')]",
                },
                routeTable: { id: "[resourceId('Microsoft.Network/routeTables', 'routes')]" },
              },
            },
          },
        ],
      },
    }),
    network("networkSecurityGroups", "nsg"),
    network("routeTables", "routes"),
    network("publicIPAddresses", "[concat('ip', copyIndex(1))]", {
      sku: { name: "Standard" },
      properties: { publicIPAllocationMethod: "Static" },
      copy: { name: "addresses", count: 2, mode: "serial" },
      dependsOn: ["[variables('vnet')]"],
    }),
    network("natGateways", "none", { condition: false }),
  ],
  outputs: {
    subnetIds: {
      type: "array",
      copy: {
        count: "[parameters('subnets')]",
        input:
          "[resourceId('Microsoft.Network/virtualNetworks/subnets', variables('vnet'), concat('s', copyIndex()))]",
      },
    },
    space: {
      type: "string",
      value: "[reference(variables('vnet')).addressSpace.addressPrefixes[0]]",
    },
    password: { type: "securestring", value: "[parameters('secret')]" },
  },
});

const doubling = (start: string) =>
  `reduce(range(0, 40), ${start}, lambda('a', 'i', createArray(lambdaVariables('a'), lambdaVariables('a'))))`;

/** Returns a template with nested loops that creates 800 to the power of `depth` route tables. */
const loopsOfTables = (depth: number): JsonObject =>
  network("routeTables", `[concat('t', copyIndex('loop${depth}'))]`, {
    copy: { name: `loop${depth}`, count: 800 },
    ...(depth > 1 ? { resources: [{ ...loopsOfTables(depth - 1), type: "routes" }] } : {}),
  });

describe("deployments by the official client", () => {
  const stack = new AsyncDisposableStack();
  let azure: TestAzure;
  let client: DeploymentsClient;
  const options = { abortSignal: signal, updateIntervalInMs: 20 };
  const deploy = (name: string, properties: Partial<Deployment["properties"]> & JsonObject) =>
    client.deployments.createOrUpdate(
      "g",
      name,
      { properties: { mode: "Incremental", ...properties } },
      options,
    );
  const arm = async (method: string, path: string, body?: JsonValue) =>
    azure.arm(method, `${path}${version}`, body);
  const exists = async (type: string, name: string) =>
    (await arm("GET", `${group}/providers/Microsoft.Network/${type}/${name}`)).status === 200;

  before(async () => {
    azure = stack.use(await startTestAzure());
    const { caPem } = await localCertificates();
    const getToken = async () => ({
      token: await azure.clients.getToken(signal),
      expiresOnTimestamp: Date.now() + 3_000_000,
    });
    client = new DeploymentsClient({ getToken }, subscriptionId, {
      endpoint: azure.url,
      credentials: { scopes: ["https://management.azure.com/.default"] },
      tlsOptions: { ca: caPem },
    });
    await arm("PUT", group, { location });
  });
  after(() => stack.disposeAsync());

  test("a template is validated, predicted, deployed, listed, exported and deleted", async () => {
    const properties = {
      mode: "Incremental" as const,
      template: networkTemplate,
      parameters: { subnets: { value: 3 } },
    };
    const valid = await client.deployments.validate("g", "net", { properties }, options);
    assert.equal(valid.properties?.provisioningState, "Succeeded");
    const foretold = await client.deployments.whatIf("g", "net", { properties }, options);
    assert.deepEqual(
      foretold.changes?.map(({ changeType, resourceId }) => [changeType, resourceId?.split("/").at(-1)]),
      [
        ["Create", "nsg"],
        ["Create", "routes"],
        ["Create", "aro-vnet"],
        ["Create", "ip1"],
        ["Create", "ip2"],
      ],
    );
    assert.equal(await exists("networkSecurityGroups", "nsg"), false, "nothing of a trial stays");

    const done = await client.deployments.createOrUpdate("g", "net", { properties }, options);
    assert.equal(done.properties?.provisioningState, "Succeeded");
    const outputs: Record<string, { type: string; value?: unknown }> = done.properties?.outputs ?? {};
    assert.deepEqual(outputs.space, { type: "String", value: "10.0.0.0/16" });
    assert.deepEqual(outputs.password, { type: "SecureString" });
    assert.equal(Object(outputs.subnetIds?.value).length, 3);
    assert.deepEqual(done.properties?.parameters?.secret, { type: "SecureString" });
    assert.equal(done.properties?.outputResources?.length, 5);
    const vnet = await arm("GET", `${group}/providers/Microsoft.Network/virtualNetworks/aro-vnet`);
    assert.equal(objectsAt(vnet.json, "properties", "subnets").length, 3);
    assert.equal(await exists("natGateways", "none"), false);

    const again = await client.deployments.whatIf(
      "g",
      "net",
      { properties: { ...properties, parameters: { subnets: { value: 4 } } } },
      options,
    );
    const byType = Object.groupBy(again.changes ?? [], ({ changeType }) => changeType);
    assert.deepEqual(Object.keys(byType).sort(), ["Modify", "NoChange"]);
    const delta = byType.Modify?.[0]?.delta?.[0];
    assert.deepEqual([delta?.path, delta?.propertyChangeType], ["properties.subnets", "Array"]);
    assert.deepEqual([delta?.children?.[0]?.path, delta?.children?.[0]?.propertyChangeType], ["3", "Create"]);

    const names = (await Array.fromAsync(client.deployments.listByResourceGroup("g", options))).map(
      (each) => each.name,
    );
    assert.ok(names.includes("net"));
    const operations = await Array.fromAsync(client.deploymentOperations.list("g", "net", options));
    assert.equal(operations.length, 5);
    assert.ok(operations.every((each) => each.properties?.provisioningState === "Succeeded"));
    const exported = await client.deployments.exportTemplate("g", "net", options);
    assert.deepEqual(exported.template, networkTemplate);
    await client.deployments.delete("g", "net", options);
    assert.equal((await arm("HEAD", `${deployments}/net`)).status, 404);
    assert.equal(await exists("virtualNetworks", "aro-vnet"), true, "what was deployed stays");
  });

  test("the command line's body with an unquoted key, comments and multiline strings is parsed", async () => {
    const text = `{"properties": {"mode": "Incremental", "parameters": {}, template:{
  // a comment
  "$schema": "${schema}", "contentVersion": "1.0.0.0",
  "resources": [ /* nothing // here */ ],
  "outputs": { "joined": { "type": "string", "value": "[concat('a',
    'b')]" } },
}
}}`;
    const token = await azure.clients.getToken(signal);
    const call = {
      method: "POST",
      headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
      body: text,
    };
    const response = await azure.raw(`${deployments}/cli/validate${version}`, call);
    assert.equal(response.status, 200, response.text);
    const elsewhere = await azure.raw(`${group}/providers/Microsoft.Network/routeTables/r${version}`, {
      ...call,
      method: "PUT",
    });
    assert.equal(nonEmptyStringAt(elsewhere.json, "error", "code"), "InvalidRequestContent");
  });

  test("a failure is reported with its cause, and its dependents are skipped", async () => {
    const failing = template({
      resources: [
        network("virtualNetworks", "bad", {
          properties: { addressSpace: { addressPrefixes: ["nonsense"] } },
        }),
        network("routeTables", "after-bad", { dependsOn: ["bad"] }),
        network("routeTables", "beside-bad"),
      ],
    });
    await assert.rejects(deploy("failing", { template: failing }), (error) => {
      assert.equal(azureErrorCode(error), "DeploymentFailed");
      return true;
    });
    const record = (await arm("GET", `${deployments}/failing`)).json;
    assert.equal(nonEmptyStringAt(record, "properties", "provisioningState"), "Failed");
    const [detail] = objectsAt(record, "properties", "error", "details");
    assert.match(nonEmptyStringAt(detail, "target") ?? "", /virtualNetworks\/bad$/);
    assert.notEqual(nonEmptyStringAt(detail, "message"), undefined);
    assert.equal(await exists("routeTables", "after-bad"), false);
    assert.equal(await exists("routeTables", "beside-bad"), true);
  });

  test("deployments inside read their own parameters, or those around them, and hand out their outputs", async () => {
    const inner = template({
      parameters: { name: { type: "string" } },
      resources: [network("routeTables", "[parameters('name')]")],
      outputs: {
        id: { type: "string", value: "[resourceId('Microsoft.Network/routeTables', parameters('name'))]" },
      },
    });
    const nested = (name: string, properties: JsonObject): JsonObject => ({
      type: "Microsoft.Resources/deployments",
      apiVersion: "2022-09-01",
      name,
      properties: { mode: "Incremental", ...properties },
    });
    const outer = template({
      parameters: { name: { type: "string", defaultValue: "outer-routes" } },
      resources: [
        nested("inner", {
          expressionEvaluationOptions: { scope: "inner" },
          parameters: { name: { value: "inner-routes" } },
          template: inner,
        }),
        nested("around", {
          template: template({
            resources: [
              network("routeTables", "[parameters('name')]", {
                tags: { other: "[reference('inner').outputs.id.value]" },
              }),
            ],
          }),
        }),
      ],
    });
    await deploy("outer", { template: outer });
    const routes = await arm("GET", `${group}/providers/Microsoft.Network/routeTables/outer-routes`);
    assert.match(nonEmptyStringAt(routes.json, "tags", "other") ?? "", /routeTables\/inner-routes$/);
    assert.equal((await arm("GET", `${deployments}/inner`)).status, 200);
    assert.deepEqual(
      objectsAt((await arm("GET", `${deployments}/outer`)).json, "properties", "outputResources").map(
        (each) => nonEmptyStringAt(each, "id")?.split("/").at(-1),
      ),
      ["inner-routes", "outer-routes"],
    );
  });

  test("a template of the subscription creates groups, and deploys into them by symbolic names", async () => {
    const source = template({
      languageVersion: "2.0",
      resources: {
        rg: {
          type: "Microsoft.Resources/resourceGroups",
          apiVersion: "2022-09-01",
          name: "made",
          location,
        },
        content: {
          type: "Microsoft.Resources/deployments",
          apiVersion: "2022-09-01",
          name: "content",
          resourceGroup: "made",
          dependsOn: ["rg"],
          properties: {
            mode: "Incremental",
            expressionEvaluationOptions: { scope: "inner" },
            template: template({
              languageVersion: "2.0",
              resources: {
                routes: network("routeTables", "routes"),
                groups: network("networkSecurityGroups", "[format('nsg{0}', copyIndex())]", {
                  copy: { name: "groups", count: 2 },
                }),
                old: { ...network("routeTables", "routes"), existing: true },
              },
              outputs: {
                ids: {
                  type: "array",
                  value:
                    "[map(references('groups', 'full'), lambda('each', lambdaVariables('each').resourceId))]",
                },
                info: { type: "string", value: "[resourceInfo('routes').id]" },
              },
            }),
          },
        },
      },
      outputs: { ids: { type: "array", value: "[reference('content').outputs.ids.value]" } },
    });
    const done = await client.deployments.createOrUpdateAtSubscriptionScope(
      "subscription",
      { location, properties: { mode: "Incremental", template: source } },
      options,
    );
    const ids = members(done.properties?.outputs).ids;
    assert.deepEqual(
      Object(at(ids, "value")).map((each: string) => each.split("/").at(-1)),
      ["nsg0", "nsg1"],
    );
    await azure.clients.resources.resourceGroups.delete("made", azure.clients.call(signal));
    assert.equal(
      (await arm("GET", `${group.replace("/g", "/made")}/providers/Microsoft.Resources/deployments/content`))
        .status,
      404,
    );
  });

  test("in the mode 'Complete', resources outside the template are deleted in a valid order", async () => {
    const place = group.replace("/g", "/complete");
    await arm("PUT", place, { location });
    const properties = { mode: "Complete" as const, template: networkTemplate };
    await client.deployments.createOrUpdate("complete", "all", { properties }, options);
    const less = template({ resources: [network("routeTables", "routes")] });
    const foretold = await client.deployments.whatIf(
      "complete",
      "less",
      { properties: { ...properties, template: less } },
      options,
    );
    assert.equal(foretold.changes?.filter(({ changeType }) => changeType === "Delete").length, 4);
    await client.deployments.createOrUpdate(
      "complete",
      "less",
      { properties: { ...properties, template: less } },
      options,
    );
    const left = objectsAt((await arm("GET", `${place}/resources`)).json, "value").map((each) => each.name);
    assert.deepEqual(left, ["routes"]);
  });

  test("the data that a running deployment reads is limited too", async () => {
    const outputs = {
      all: { type: "array", value: `[${doubling("reference('grown')")}]` },
    };
    await arm("PUT", `${deployments}/grown`, {
      properties: {
        mode: "Incremental",
        template: template({ resources: [network("routeTables", "grown")], outputs }),
      },
    });
    let deployment: JsonValue | undefined;
    do deployment = (await arm("GET", `${deployments}/grown`)).json;
    while (nonEmptyStringAt(deployment, "properties", "provisioningState") === "Running");
    assert.equal(nonEmptyStringAt(deployment, "properties", "provisioningState"), "Failed");
    assert.equal(nonEmptyStringAt(deployment, "properties", "error", "code"), "InvalidTemplate");
    assert.match(
      nonEmptyStringAt(deployment, "properties", "error", "message") ?? "",
      /The expressions take more than/,
    );
  });

  const faulty: readonly { readonly name: string; readonly properties: JsonObject; readonly says: RegExp }[] =
    [
      {
        name: "an unknown parameter",
        properties: { template: networkTemplate, parameters: { colour: { value: "red" } } },
        says: /^Deployment template validation failed: 'The template parameters 'colour' in the parameters file are not valid; they are not present in the original template.*'prefix, subnets, secret'/,
      },
      {
        name: "a missing parameter",
        properties: { template: template({ parameters: { name: { type: "string" } } }) },
        says: /The value for the template parameter 'name' is not provided/,
      },
      {
        name: "a value out of bounds",
        properties: { template: networkTemplate, parameters: { subnets: { value: 9 } } },
        says: /parameter 'subnets' is not valid. The value should be less than or equal to '4'/,
      },
      {
        name: "a value of a different type",
        properties: { template: networkTemplate, parameters: { subnets: { value: "2" } } },
        says: /Expected 'Integer'. Actual 'String'/,
      },
      {
        name: "a resource twice",
        properties: {
          template: template({ resources: [network("routeTables", "a"), network("routeTables", "A")] }),
        },
        says: /The resource 'Microsoft.Network\/routeTables\/A' is defined multiple times in a template/,
      },
      {
        name: "a dependency that is not there",
        properties: {
          template: template({ resources: [network("routeTables", "a", { dependsOn: ["b"] })] }),
        },
        says: /The resource 'b' is not defined in the template/,
      },
      {
        name: "a circle",
        properties: {
          template: template({
            resources: [
              network("routeTables", "a", { dependsOn: ["b"] }),
              network("routeTables", "b", { tags: { of: "[reference('a').provisioningState]" } }),
            ],
          }),
        },
        says: /Circular dependency detected on resource: '.*\/a', '.*\/b'/,
      },
      {
        name: "an unknown function",
        properties: { template: template({ resources: [network("routeTables", "[nope('a')]")] }) },
        says: /The template function 'nope' is not valid/,
      },
      {
        name: "a name of too few parts",
        properties: { template: template({ resources: [network("virtualNetworks/subnets", "a")] }) },
        says: /incorrect segment lengths/,
      },
      {
        name: "an array that doubles with each of forty elements",
        properties: {
          template: template({
            outputs: { all: { type: "array", value: `[${doubling("createArray(1)")}]` } },
          }),
        },
        says: /The expressions take more than [\d,]+ (steps|bytes) to evaluate. Split the template/,
      },
      {
        name: "loops in loops",
        properties: { template: template({ resources: [loopsOfTables(3)] }) },
        says: /The expressions take more than [\d,]+ (steps|bytes) to evaluate|limit exceeded. Limit: '800'/,
      },
    ];
  for (const { name, properties, says } of faulty) {
    test(`${name} makes a template invalid`, async () => {
      const response = await arm("PUT", `${deployments}/faulty`, {
        properties: { mode: "Incremental", ...properties },
      });
      assert.equal(response.status, 400);
      assert.equal(nonEmptyStringAt(response.json, "error", "code"), "InvalidTemplate");
      assert.match(nonEmptyStringAt(response.json, "error", "message") ?? "", says);
    });
  }
});
