// Placeholders of OpenShift templates have the syntax of JavaScript template strings.
// biome-ignore-all lint/suspicious/noTemplateCurlyInString: these strings are not template strings

import assert from "node:assert/strict";
import { test } from "node:test";
import { listAt, stringAt, valueAt, WorkBudget } from "@keelson/base";
import { eventually } from "@keelson/base/testing/eventually";
import { ApiWorld } from "../testing/api-world.ts";
import { generateValue } from "./generate-value.ts";

const plenty = { nodes: 1_000_000, bytes: 1_000_000, timeMs: 30_000 };
const path = "/apis/template.openshift.io/v1/namespaces/default/processedtemplates";

function template(parts: Readonly<Record<string, unknown>>): object {
  return { apiVersion: "template.openshift.io/v1", kind: "Template", metadata: { name: "app" }, ...parts };
}

test("a template is processed: strings, values of any type, generated values, labels, message", async () => {
  await using world = await ApiWorld.start();
  const body = template({
    message: "user ${USER}, unknown ${OTHER}",
    labels: { app: "${NAME}" },
    parameters: [
      { name: "NAME", value: "web", required: true },
      { name: "REPLICAS", value: "3" },
      { name: "SPEC", value: '{"a":[1]}' },
      { name: "WORD", value: "not json" },
      { name: "USER", generate: "expression", from: "user[A-Z0-9]{8}" },
    ],
    objects: [
      {
        apiVersion: "apps/v1",
        kind: "Deployment",
        metadata: { name: "${NAME}-x", namespace: "elsewhere", labels: { own: "yes" } },
        spec: {
          replicas: "${{REPLICAS}}",
          free: "${{SPEC}}",
          word: "${{WORD}}",
          text: "${REPLICAS}",
          "${NAME}": true,
        },
      },
    ],
  });
  const { status, body: processed } = await world.call("POST", path, { body });
  assert.equal(status, 201);
  assert.equal(stringAt(processed, "kind"), "Template");
  const [object] = listAt(processed, "objects");
  assert.deepEqual(valueAt(object, "metadata"), { name: "web-x", labels: { own: "yes", app: "web" } });
  assert.deepEqual(valueAt(object, "spec"), {
    replicas: 3,
    free: { a: [1] },
    word: "not json",
    text: "3",
    web: true,
  });
  const user = stringAt(listAt(processed, "parameters")[4], "value") ?? "";
  assert.match(user, /^user[A-Z0-9]{8}$/);
  assert.equal(stringAt(processed, "message"), `user ${user}, unknown \${OTHER}`);
});

test("clients map the kind Template to the resource that lists", async () => {
  await using world = await ApiWorld.start();
  const { body } = await world.call("GET", "/apis/template.openshift.io/v1");
  const ofKind = listAt(body, "resources").filter((each) => stringAt(each, "kind") === "Template");
  assert.deepEqual(
    ofKind.map((each) => stringAt(each, "name")),
    ["processedtemplates", "templates"],
    "kubectl takes the last",
  );
});

test("a required parameter without a value is rejected", async () => {
  await using world = await ApiWorld.start();
  const { status, body } = await world.call("POST", path, {
    body: template({ parameters: [{ name: "NAME", required: true }], objects: [] }),
  });
  assert.equal(status, 422);
  assert.equal(
    stringAt(body, "message"),
    'Template.template.openshift.io "app" is invalid: template.parameters[0]: Required value: ' +
      "template.parameters[0]: parameter NAME is required and must be specified",
  );
});

test("processed templates are a command and not stored; templates are", async () => {
  await using world = await ApiWorld.start();
  assert.equal((await world.call("GET", path)).status, 405);
  const templates = path.replace("processedtemplates", "templates");
  assert.equal((await world.call("POST", templates, { body: template({ objects: [] }) })).status, 201);
  assert.equal((await world.call("GET", `${templates}/app`)).status, 200);
});

test("an instance of a template creates its objects with the parameters of a secret", async () => {
  await using world = await ApiWorld.start();
  const secrets = "/api/v1/namespaces/default/secrets";
  const secret = {
    apiVersion: "v1",
    kind: "Secret",
    metadata: { name: "values" },
    stringData: { NAME: "made" },
  };
  await world.call("POST", secrets, { body: secret });
  const objects = [{ apiVersion: "v1", kind: "ConfigMap", metadata: { name: "${NAME}" }, data: { a: "1" } }];
  const instance = (name: string, parts: object) => ({
    apiVersion: "template.openshift.io/v1",
    kind: "TemplateInstance",
    metadata: { name },
    spec: { template: template({ parameters: [{ name: "NAME", required: true }], objects }), ...parts },
  });
  const instances = path.replace("processedtemplates", "templateinstances");
  const conditionOf = async (name: string) => {
    const { body } = await world.call("GET", `${instances}/${name}`);
    return stringAt(listAt(body, "status", "conditions")[0], "type");
  };
  await world.call("POST", instances, { body: instance("good", { secret: { name: "values" } }) });
  await world.call("POST", instances, { body: instance("bad", {}) });
  await eventually(async () => {
    assert.equal(await conditionOf("good"), "Ready");
    assert.equal(await conditionOf("bad"), "InstantiateFailure");
  });
  assert.equal((await world.call("GET", "/api/v1/namespaces/default/configmaps/made")).status, 200);
});

test("generator expressions produce characters of their classes", async (t) => {
  const cases: readonly (readonly [string, RegExp])[] = [
    ["[a-z]{5}", /^[a-z]{5}$/],
    ["test-[0-9]{1}x[0-9]{2}", /^test-\dx\d{2}$/],
    ["[\\w]{40}", /^\w{40}$/],
    ["[\\d]{3}[A-Z]", /^\d{3}\[A-Z\]$/],
    ["[a-fA-F0-9]{12}", /^[a-fA-F0-9]{12}$/],
    ["[\\a]{20}", /^[a-zA-Z0-9]{20}$/],
    ["plain", /^plain$/],
  ];
  for (const [expression, pattern] of cases) {
    await t.test(expression, () => assert.match(generateValue(expression, new WorkBudget(plenty)), pattern));
  }
  for (const expression of ["[z-a]{3}", "[\\q]{3}", "[a-z]{0}", "[a-z]{256}"]) {
    await t.test(`not ${expression}`, () =>
      assert.throws(() => generateValue(expression, new WorkBudget(plenty))),
    );
  }
});

test("templates that would grow without bounds are rejected and the server continues", async (t) => {
  await using world = await ApiWorld.start();
  const object = (text: string) => ({
    apiVersion: "v1",
    kind: "ConfigMap",
    metadata: { name: "a" },
    data: { a: text },
  });
  const cases: Readonly<Record<string, Readonly<Record<string, unknown>>>> = {
    "a long value many times": {
      parameters: [{ name: "A", value: "x".repeat(100_000) }],
      objects: [object("${A}".repeat(100_000))],
    },
    "many generators": {
      parameters: [{ name: "A", generate: "expression", from: "[a]{255}".repeat(100_000) }],
      objects: [],
    },
    "a value that is a large list, many times": {
      parameters: [{ name: "A", value: `[${"0,".repeat(50_000)}0]` }],
      objects: Array.from({ length: 1_000 }, () => object("${{A}}")),
    },
  };
  for (const [name, parts] of Object.entries(cases))
    await t.test(name, async () => {
      const { status } = await world.call("POST", path, { body: template(parts) });
      assert.ok(status >= 400 && status < 500, `${status}`);
      const small = template({ parameters: [{ name: "A", value: "1" }], objects: [object("${A}")] });
      assert.equal((await world.call("POST", path, { body: small })).status, 201);
    });
});
