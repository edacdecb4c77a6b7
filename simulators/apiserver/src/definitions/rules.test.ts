import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { define, definitionOf, refusal, thing, things } from "../testing/test-definition.ts";
import { TestServer } from "../testing/test-server.ts";

let server: TestServer;
before(async () => {
  server = await TestServer.start();
});
after(() => server[Symbol.asyncDispose]());

const key = { namespace: "default", name: "a" };
const invalid = 'Thing.example.com "a" is invalid: ';
const object = (properties: object, more: object = {}) => ({ type: "object", properties, ...more });
const rules = (...each: readonly object[]) => ({ "x-kubernetes-validations": each });
const text = { type: "string" };
const integer = { type: "integer" };

interface Row {
  readonly title: string;
  readonly spec: object;
  /** Existing object of an update test. */
  readonly old?: unknown;
  readonly value: unknown;
  readonly response: string;
}

const immutable = object({
  name: { ...text, ...rules({ rule: "self == oldSelf", message: "name is immutable" }) },
});
const union = object(
  { type: { ...text, enum: ["AWS", "Azure"] }, aws: object({ region: text }) },
  rules({
    rule: "has(self.type) && self.type == 'AWS' ? has(self.aws) : !has(self.aws)",
    message: "aws configuration is required when type is AWS, and forbidden otherwise",
  }),
);
const atLeast = (least: string) =>
  object({ n: { ...integer, ...rules({ rule: `self >= ${least}` }) }, m: integer });
const keyed = {
  type: "array",
  "x-kubernetes-list-type": "map",
  "x-kubernetes-list-map-keys": ["name"],
  items: object(
    { name: text, size: { ...integer, ...rules({ rule: "self >= oldSelf", message: "may only grow" }) } },
    { required: ["name"] },
  ),
};

const table: readonly Row[] = [
  {
    title: "an object that satisfies a rule is accepted",
    spec: union,
    value: { type: "AWS", aws: {} },
    response: "accepted",
  },
  {
    title: "a violated rule is reported with its own message and the type of the value",
    spec: union,
    value: { type: "AWS" },
    response: `${invalid}spec: Invalid value: "object": aws configuration is required when type is AWS, and forbidden otherwise`,
  },
  {
    title: "a violated rule without a message is reported as its expression",
    spec: atLeast("3"),
    value: { n: 2 },
    response: `${invalid}spec.n: Invalid value: "integer": failed rule: self >= 3`,
  },
  {
    title: "a transition rule is not evaluated for a new object",
    spec: immutable,
    value: { name: "x" },
    response: "accepted",
  },
  {
    title: "a transition rule is evaluated for an update",
    spec: immutable,
    old: { name: "x" },
    value: { name: "y" },
    response: `${invalid}spec.name: Invalid value: "string": name is immutable`,
  },
  {
    title: "a message can be an expression",
    spec: object(
      { min: integer, max: integer },
      rules({
        rule: "self.min <= self.max",
        message: "unused",
        messageExpression: "'min %d is above max %d'.format([self.min, self.max])",
      }),
    ),
    value: { min: 3, max: 2 },
    response: `${invalid}spec: Invalid value: "object": min 3 is above max 2`,
  },
  {
    title: "if a message expression fails, the fixed message is used",
    spec: object(
      { a: integer },
      rules({ rule: "false", message: "never", messageExpression: "string(1 / (self.a - 1))" }),
    ),
    value: { a: 1 },
    response: `${invalid}spec: Invalid value: "object": never`,
  },
  {
    title: "reason and field path determine the reported cause and field",
    spec: object(
      { a: text, b: text },
      rules({ rule: "has(self.b)", message: "b is needed", reason: "FieldValueRequired", fieldPath: ".b" }),
    ),
    value: { a: "x" },
    response: `${invalid}spec.b: Required value: b is needed`,
  },
  {
    title: "the reason FieldValueForbidden is reported as Forbidden",
    spec: object(
      { a: text },
      rules({ rule: "!has(self.a)", message: "no a", reason: "FieldValueForbidden", fieldPath: ".a" }),
    ),
    value: { a: "x" },
    response: `${invalid}spec.a: Forbidden: no a`,
  },
  {
    title: "optionalOldSelf rules are evaluated without an old value",
    spec: object(
      { a: text },
      rules({
        rule: "oldSelf.hasValue() || self.a == 'first'",
        optionalOldSelf: true,
        message: "begin with first",
      }),
    ),
    value: { a: "second" },
    response: `${invalid}spec: Invalid value: "object": begin with first`,
  },
  {
    title: "elements of a map list are correlated by key",
    spec: object({ list: keyed }),
    old: {
      list: [
        { name: "a", size: 1 },
        { name: "b", size: 5 },
      ],
    },
    value: {
      list: [
        { name: "b", size: 4 },
        { name: "a", size: 1 },
        { name: "c", size: 0 },
      ],
    },
    response: `${invalid}spec.list[0].size: Invalid value: "integer": may only grow`,
  },
  {
    title: "errors of map value rules contain the key",
    spec: object({
      map: { type: "object", additionalProperties: { ...text, ...rules({ rule: "self != 'no'" }) } },
    }),
    value: { map: { "a.b": "no" } },
    response: `${invalid}spec.map[a.b]: Invalid value: "string": failed rule: self != 'no'`,
  },
  {
    title: "fields with unusual names are escaped",
    spec: object(
      { "a-b": text, "c.d/e": text, namespace: text, x__y: text },
      rules({
        rule: "self.a__dash__b == '1' && self.c__dot__d__slash__e == '2' && self.__namespace__ == '3' && self.x__underscores__y == '4'",
      }),
    ),
    value: { "a-b": "1", "c.d/e": "2", namespace: "3", x__y: "4" },
    response: "accepted",
  },
  {
    title: "times, durations and numbers have the types of their formats",
    spec: object(
      {
        at: { type: "string", format: "date-time" },
        wait: { type: "string", format: "duration" },
        ratio: { type: "number" },
      },
      rules({
        rule: "self.at < timestamp('2030-01-01T00:00:00Z') && self.wait == duration('90s') && self.ratio / 2.0 == 1.0",
      }),
    ),
    value: { at: "2020-01-01T00:00:00Z", wait: "1m30s", ratio: 2 },
    response: "accepted",
  },
  {
    title: "int-or-string has the type of its value",
    spec: object({
      p: {
        "x-kubernetes-int-or-string": true,
        ...rules({ rule: "type(self) == int ? self < 5 : self.endsWith('%')" }),
      },
    }),
    value: { p: "5%" },
    response: "accepted",
  },
  {
    title: "sets are equal in any order",
    spec: object({
      s: {
        type: "array",
        "x-kubernetes-list-type": "set",
        items: text,
        ...rules({ rule: "self == oldSelf" }),
      },
    }),
    old: { s: ["a", "b"] },
    value: { s: ["b", "a"] },
    response: "accepted",
  },
  {
    title: "rules are not evaluated if the object has other errors",
    spec: object({ a: text, n: integer }, rules({ rule: "self.n > 5" })),
    value: { a: 1, n: 1 },
    response:
      `${invalid}[spec.a: Invalid value: "integer": spec.a in body must be of type string: "integer", <nil>: Invalid value: "null": ` +
      "some validation rules were not checked because the object was invalid; correct the existing errors to complete validation]",
  },
  {
    title: "a rule that fails to evaluate rejects the object",
    spec: object(
      { map: { type: "object", additionalProperties: text } },
      rules({ rule: "self.map['x'] == ''" }),
    ),
    value: { map: {} },
    response: `${invalid}spec: Invalid value: "object": no such key: x evaluating rule: self.map['x'] == ''`,
  },
];

for (const { title, spec, old, value, response } of table) {
  test(title, async () => {
    const { client } = server.cluster;
    await define(client, definitionOf(spec));
    if (old !== undefined) await client.create(things, thing(old));
    const call =
      old === undefined
        ? client.create(things, thing(value))
        : client.update(things, { ...(await client.get(things, key)), spec: value });
    assert.equal(await refusal(call), response);
    if (old !== undefined || response === "accepted") await client.delete(things, key);
  });
}

test("an unchanged invalid value is tolerated until it changes", async () => {
  const { client } = server.cluster;
  await define(client, definitionOf(atLeast("1")));
  await client.create(things, thing({ n: 2, m: 1 }));
  await define(client, definitionOf(atLeast("5")));
  const stored = await client.get(things, key);
  assert.equal(await refusal(client.update(things, { ...stored, spec: { n: 2, m: 2 } })), "accepted");
  const current = await client.get(things, key);
  assert.equal(
    await refusal(client.update(things, { ...current, spec: { n: 3, m: 2 } })),
    `${invalid}spec.n: Invalid value: "integer": failed rule: self >= 5`,
  );
  await client.delete(things, key);
});

test("unchanged values that a new schema rejects are tolerated", async () => {
  const { client } = server.cluster;
  await define(client, definitionOf(object({ a: text, b: text })));
  await client.create(things, thing({ a: "long", b: "x" }));
  await define(client, definitionOf(object({ a: { ...text, maxLength: 2 }, b: text })));
  const stored = await client.get(things, key);
  assert.equal(await refusal(client.update(things, { ...stored, spec: { a: "long", b: "y" } })), "accepted");
  const current = await client.get(things, key);
  assert.match(
    await refusal(client.update(things, { ...current, spec: { a: "longer", b: "y" } })),
    /spec\.a: Too long/,
  );
  await client.delete(things, key);
});

test("a status write validates only the status, with paths from the status", async () => {
  const { client } = server.cluster;
  const definition = definitionOf(object({ a: text }), { subresources: { status: {} } });
  const [version] = definition.spec.versions;
  assert.ok(version);
  Object.assign(version.schema.openAPIV3Schema.properties, {
    status: object({ n: { ...integer, minimum: 1 } }),
  });
  await define(client, definition);
  const made = await client.create(things, thing({ a: "x" }));
  assert.equal(
    await refusal(client.updateStatus(things, { ...made, status: { n: 0 } })),
    `${invalid}status.n: Invalid value: 0: n in body should be greater than or equal to 1`,
  );
  await client.delete(things, key);
});

test("an expensive rule fails quickly with the correct error", async () => {
  const { client } = server.cluster;
  const list = { type: "array", items: integer };
  const rule = "self.a.all(x, self.a.exists(y, self.a.exists(z, x + y + z < 0)) || true)";
  // The schema's size limits keep the estimated cost within the limit. The objects have the maximum size.
  await define(client, definitionOf(object({ a: { ...list, maxItems: 99 } }, rules({ rule }))));
  const started = performance.now();
  const message = await refusal(
    client.create(things, thing({ a: Array.from({ length: 99 }, (_, at) => at) })),
  );
  assert.match(message, /no further validation rules will be run due to call cost exceeds limit for rule/);
  assert.ok(performance.now() - started < 10_000);
});
