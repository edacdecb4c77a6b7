import assert from "node:assert/strict";
import { after, afterEach, before, describe, test } from "node:test";
import type { JsonObject, JsonValue } from "@keelson/base";
import { at, nonEmptyStringAt, objectsAt } from "../base/json.ts";
import { location, startTestAzure, subscriptionId, type TestAzure } from "../testing/test-azure.ts";

const subscription = `/subscriptions/${subscriptionId}`;
const group = `${subscription}/resourceGroups/ruled`;
const authorization = "providers/Microsoft.Authorization";
const definitionId = `${subscription}/${authorization}/policyDefinitions/rule`;
const assignmentId = `${group}/${authorization}/policyAssignments/assigned`;
const v = "?api-version=2024-03-01";
/**
 * Returns a policy rule. It is created with `Object.fromEntries`, because the linter forbids object literals with a property
 * `then`.
 */
const rule = (condition?: JsonValue, effect?: string): JsonObject =>
  Object.fromEntries([
    ...(condition === undefined ? [] : [["if", condition]]),
    ...(effect === undefined ? [] : [["then", { effect }]]),
  ]);
const publicIp = `${group}/providers/Microsoft.Network/publicIPAddresses/p`;
const standard = { location, sku: { name: "Standard" }, properties: { publicIPAllocationMethod: "Static" } };

describe("policies", () => {
  let azure: TestAzure;
  before(async () => {
    azure = await startTestAzure();
    await azure.arm("PUT", `${group}${v}`, { location, tags: { owner: "me" } });
  });
  after(() => azure[Symbol.asyncDispose]());
  afterEach(async () => {
    for (const each of [assignmentId, publicIp]) await azure.arm("DELETE", `${each}${v}`);
  });

  const put = async (path: string, body: JsonValue) => {
    const response = await azure.arm("PUT", `${path}${v}`, body);
    assert.ok(response.status < 300, response.text);
  };
  const define = (condition: JsonValue, more: JsonObject = {}) =>
    put(definitionId, { properties: { mode: "All", policyRule: rule(condition, "deny"), ...more } });
  const assign = (more: JsonObject = {}) =>
    put(assignmentId, { properties: { policyDefinitionId: definitionId, ...more } });
  const write = (body: JsonValue = standard, path = publicIp, method = "PUT") =>
    azure.arm(method, `${path}${v}`, body);

  const type = { field: "type", equals: "Microsoft.Network/publicIPAddresses" };
  const conditions: readonly (readonly [condition: JsonValue, isRefused: boolean])[] = [
    [type, true],
    [{ field: "type", equals: "microsoft.network/PUBLICIPADDRESSES" }, true],
    [{ not: type }, false],
    [{ allOf: [type, { field: "location", in: ["westeurope", "eastus"] }] }, true],
    [{ allOf: [type, { field: "location", notIn: ["westeurope", "eastus"] }] }, false],
    [
      {
        anyOf: [
          { field: "name", like: "q*" },
          { field: "name", like: "p*" },
        ],
      },
      true,
    ],
    [{ field: "name", match: "?" }, true],
    [{ field: "name", match: "#" }, false],
    [{ field: "tags['owner']", exists: "false" }, true],
    [{ field: "tags.owner", exists: true }, false],
    [{ field: "Microsoft.Network/publicIPAddresses/sku.name", equals: "Standard" }, true],
    [{ field: "Microsoft.Network/publicIPAddresses/publicIPAllocationMethod", notEquals: "Static" }, false],
    [{ field: "Microsoft.Compute/virtualMachines/sku.name", exists: true }, false],
    [{ field: "id", contains: "/resourceGroups/ruled/" }, true],
    [{ value: "[resourceGroup().tags.owner]", equals: "me" }, true],
    [{ value: "[length(resourceGroup().name)]", greater: 5 }, false],
    [{ value: "[length(resourceGroup().name)]", lessOrEquals: 5 }, true],
  ];
  for (const [condition, isRefused] of conditions)
    test(`${JSON.stringify(condition)} ${isRefused ? "denies" : "allows"}`, async () => {
      await define(condition);
      await assign();
      const response = await write();
      if (!isRefused) assert.equal(response.status, 201, response.text);
      else
        assert.deepEqual(
          [response.status, nonEmptyStringAt(response.json, "error", "code")],
          [403, "RequestDisallowedByPolicy"],
        );
    });

  test("a rejection names the policy and the reason, and nothing is created", async () => {
    await define(type, { displayName: "No public addresses" });
    await assign({ displayName: "ours" });
    const { json } = await write();
    const identifiers = [
      {
        policyAssignment: { name: "ours", id: assignmentId },
        policyDefinition: { name: "No public addresses", id: definitionId },
      },
    ];
    assert.equal(nonEmptyStringAt(json, "error", "target"), "p");
    assert.equal(
      nonEmptyStringAt(json, "error", "message"),
      `Resource 'p' was disallowed by policy. Policy identifiers: '${JSON.stringify(identifiers)}'.`,
    );
    const [info] = objectsAt(json, "error", "additionalInfo");
    assert.equal(info?.type, "PolicyViolation");
    assert.partialDeepStrictEqual(at(info, "info"), {
      policyDefinitionEffect: "deny",
      policyAssignmentScope: group,
      evaluationDetails: {
        evaluatedExpressions: [
          {
            result: "True",
            expressionKind: "Field",
            expression: "type",
            operator: "Equals",
            targetValue: "Microsoft.Network/publicIPAddresses",
          },
        ],
      },
    });
    assert.equal((await azure.arm("GET", `${publicIp}${v}`)).status, 404);
  });

  test("parameters have the values of the assignment, else of the definition", async () => {
    const parameters = {
      places: { type: "Array", defaultValue: ["eastus"] },
      effect: { type: "String", defaultValue: "Deny" },
    };
    const policyRule = rule({ field: "location", in: "[parameters('places')]" }, "[parameters('effect')]");
    await put(definitionId, { properties: { mode: "Indexed", parameters, policyRule } });
    await assign();
    assert.equal((await write()).status, 403);
    await assign({ parameters: { places: { value: ["westeurope"] } } });
    assert.equal((await write()).status, 201);
    await assign({ parameters: { effect: { value: "Audit" } } });
    assert.equal((await write()).status, 200);
  });

  const spared: readonly (readonly [what: string, more: JsonObject])[] = [
    ["is not enforced", { enforcementMode: "DoNotEnforce" }],
    ["spares the scope", { notScopes: [group.toUpperCase()] }],
  ];
  for (const [what, more] of spared)
    test(`an assignment that ${what} denies nothing`, async () => {
      await define(type);
      await assign(more);
      assert.equal((await write()).status, 201);
    });

  test("changes are evaluated on the resulting resource, also of a group, a subnet or a child resource", async () => {
    await put(publicIp, { ...standard, tags: { owner: "me" } });
    await define({ field: "tags['owner']", exists: false });
    await assign();
    assert.equal((await write({ properties: { idleTimeoutInMinutes: 5 } }, publicIp, "PATCH")).status, 200);
    assert.equal((await write({ tags: { owner: null } }, publicIp, "PATCH")).status, 403);
    assert.equal((await write({ location }, group)).status, 403);
    assert.equal((await write({ location, tags: { owner: "me" } }, group)).status, 200);
  });

  test("a deployment with a denied resource writes nothing", async () => {
    await define({ allOf: [type, { field: "name", equals: "p" }] });
    await assign();
    const addresses = ["q", "[concat('', 'p')]"].map((name) => {
      return { type: "Microsoft.Network/publicIPAddresses", apiVersion: "2024-03-01", name, ...standard };
    });
    const template = {
      $schema: "https://schema.management.azure.com/schemas/2019-04-01/deploymentTemplate.json#",
      contentVersion: "1.0.0.0",
      resources: addresses,
    };
    const deployment = `${group}/providers/Microsoft.Resources/deployments/d`;
    const refused = await write({ properties: { mode: "Incremental", template } }, deployment);
    assert.deepEqual(
      [refused.status, nonEmptyStringAt(refused.json, "error", "code")],
      [400, "InvalidTemplateDeployment"],
    );
    const [detail, ...others] = objectsAt(refused.json, "error", "details");
    assert.deepEqual([detail?.code, detail?.target, others], ["RequestDisallowedByPolicy", "p", []]);
    assert.equal(objectsAt(detail, "additionalInfo").length, 1);
    const q = publicIp.replace(/p$/, "q");
    assert.equal((await azure.arm("GET", `${q}${v}`)).status, 404);
  });

  test("definitions in mode Indexed ignore resources without a location", async () => {
    await define({ field: "type", like: "*" }, { mode: "Indexed" });
    await assign();
    assert.equal((await write({ tags: { owner: "me" }, location }, group)).status, 200);
    assert.equal((await write()).status, 403);
  });

  test("sets apply each of their definitions with separate parameters", async () => {
    const parameters = { place: { type: "String" } };
    await put(definitionId, {
      properties: {
        mode: "All",
        parameters,
        policyRule: rule({ field: "location", equals: "[parameters('place')]" }, "deny"),
      },
    });
    const setId = `${subscription}/${authorization}/policySetDefinitions/set`;
    const parts = [
      { policyDefinitionId: definitionId, parameters: { place: { value: "[parameters('forbidden')]" } } },
    ];
    await put(setId, {
      properties: { parameters: { forbidden: { type: "String" } }, policyDefinitions: parts },
    });
    await assign({ policyDefinitionId: setId, parameters: { forbidden: { value: location } } });
    const refused = await write();
    assert.match(nonEmptyStringAt(refused.json, "error", "message") ?? "", /policySetDefinition/);
    await assign({ policyDefinitionId: setId, parameters: { forbidden: { value: "westeurope" } } });
    assert.equal((await write()).status, 201);
  });

  const invalid: readonly (readonly [rule: JsonValue, says: RegExp])[] = [
    [rule(undefined, "deny"), /no 'if'/],
    [rule(type), /no 'effect'/],
    [rule({ field: "type" }, "deny"), /no known operator/],
    [rule({ field: "type", constructor: "x" }, "deny"), /no known operator/],
    [rule({ allOf: [] }, "deny"), /needs conditions/],
    [rule({ count: { field: "x[*]" }, less: 1 }, "deny"), /'count' is not simulated/],
  ];
  for (const [policyRule, says] of invalid)
    test(`the rule ${JSON.stringify(policyRule)} is rejected`, async () => {
      const response = await azure.arm("PUT", `${definitionId}${v}`, { properties: { policyRule } });
      assert.deepEqual(
        [response.status, nonEmptyStringAt(response.json, "error", "code")],
        [400, "InvalidPolicyRule"],
      );
      assert.match(response.text, says);
    });

  test("an expression without a value, and a definition that is not there, are named", async () => {
    await define({ field: "type", equals: "[parameters('nothing')]" });
    await assign();
    const response = await write();
    assert.deepEqual(
      [response.status, nonEmptyStringAt(response.json, "error", "code")],
      [400, "InvalidPolicyRule"],
    );
    const properties = { policyDefinitionId: `${definitionId}x` };
    const unknown = await azure.arm("PUT", `${assignmentId}${v}`, { properties });
    assert.equal(nonEmptyStringAt(unknown.json, "error", "code"), "PolicyDefinitionNotFound");
  });
});
