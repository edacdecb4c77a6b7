import assert from "node:assert/strict";
import { describe, test } from "node:test";
import type { JsonValue } from "@keelson/base";
import fc from "fast-check";
import { evaluateText } from "../evaluation/evaluate-json.ts";
import { TemplateBudget } from "../language/template-budget.ts";
import { readTemplate } from "../template/template.ts";
import { baseContext, templateContext } from "../template/template-context.ts";
import { guidOf, uniqueString } from "./hash.ts";

const subscriptionId = "7a3036d1-60a1-4605-8a41-44955e050804";
const group = `/subscriptions/${subscriptionId}/resourceGroups/g`;
const now = new Date("2026-01-31T12:34:56.789Z");

const template = readTemplate({
  $schema: "x",
  contentVersion: "1.0.0.0",
  resources: [],
  variables: {
    two: "[add(variables('one'), 1)]",
    one: 1,
    nothing: null,
    object: { Name: "n", list: [1, 2, 3] },
    a: "[variables('b')]",
    b: "[variables('a')]",
    copy: [{ name: "squares", count: 3, input: "[mul(copyIndex('squares'), copyIndex('squares'))]" }],
  },
  functions: [
    {
      namespace: "own",
      members: {
        twice: {
          parameters: [{ name: "text", type: "string" }],
          output: { type: "string", value: "[concat(parameters('text'), parameters('text'))]" },
        },
        forever: { output: { type: "string", value: "[own.forever()]" } },
      },
    },
  ],
});
const base = baseContext(
  {
    place: { subscriptionId, group: "g" },
    now,
    values: { resourceGroup: { id: group, location: "eastus" } },
  },
  new TemplateBudget(),
);
const context = { ...templateContext(template, { p: "given" }, base), inDefault: true };

const cases: readonly (readonly [expression: string, value: JsonValue])[] = [
  // The first two expected values come from Azure.
  ["uniqueString('tyeth')", "zcztcwvu6iyg6"],
  ["uniqueString('hello', 'world')", "a7wkljktk6wne"],
  ["parameters('P')", "given"],
  ["variables('two')", 2],
  ["variables('squares')", [0, 1, 4]],
  ["variables('object').name", "n"],
  ["variables('object').list[sub(3, 1)]", 3],
  ["variables('object').?absent", null],
  ["variables('object')[?'absent']", null],
  ["tryGet(variables('object'), 'list', 1)", 2],
  ["own.twice('ab')", "abab"],
  ["concat('a', 1, true())", "a1True"],
  ["concat(createArray(1), createArray('b'))", [1, "b"]],
  ["format('{0}-{1}-{{x}}', 'a', 5)", "a-5-{x}"],
  ["format('{0:D3}|{1,4}|{1,-3}|{0:X2}', 10, 'a')", "010|   a|a  |0A"],
  ["toLower('AbC')", "abc"],
  ["toUpper('AbC')", "ABC"],
  ["replace('a.b.c', '.', '$&')", "a$&b$&c"],
  ["split('a,b;c', createArray(',', ';'))", ["a", "b", "c"]],
  ["split('a,b', ',')", ["a", "b"]],
  ["join(createArray('a', 'b'), '-')", "a-b"],
  ["substring('abcdef', 2, 3)", "cde"],
  ["substring('abcdef', 2)", "cdef"],
  [
    "parseCidr('10.144.1.2/20')",
    {
      network: "10.144.0.0",
      netmask: "255.255.240.0",
      broadcast: "10.144.15.255",
      firstUsable: "10.144.0.1",
      lastUsable: "10.144.15.254",
      cidr: 20,
    },
  ],
  [
    "parseCidr('0.0.0.0/0')",
    {
      network: "0.0.0.0",
      netmask: "0.0.0.0",
      broadcast: "255.255.255.255",
      firstUsable: "0.0.0.1",
      lastUsable: "255.255.255.254",
      cidr: 0,
    },
  ],
  ["cidrSubnet('10.144.0.0/20', 24, 0)", "10.144.0.0/24"],
  ["cidrSubnet('10.144.0.0/20', 24, 15)", "10.144.15.0/24"],
  ["cidrSubnet('10.144.0.0/20', 20, 0)", "10.144.0.0/20"],
  ["cidrHost('10.144.3.0/24', 0)", "10.144.3.1"],
  ["cidrHost('10.144.3.0/24', 4)", "10.144.3.5"],
  ["trim('  a ')", "a"],
  ["startsWith('Abc', 'aB')", true],
  ["endsWith('Abc', 'BC')", true],
  ["contains('abc', 'b')", true],
  ["contains(createArray('a'), 'a')", true],
  ["contains(createObject('Key', 1), 'key')", true],
  ["length('abc')", 3],
  ["length(createObject('a', 1))", 1],
  ["empty('')", true],
  ["empty(createArray())", true],
  ["empty(null())", true],
  ["first('abc')", "a"],
  ["last(createArray(1, 2))", 2],
  ["skip('abc', 1)", "bc"],
  ["take(createArray(1, 2, 3), 2)", [1, 2]],
  ["indexOf('abcb', 'B')", 1],
  ["lastIndexOf(createArray(1, 2, 1), 1)", 2],
  ["union(createArray(1, 2), createArray(2, 3))", [1, 2, 3]],
  [
    "union(createObject('a', createObject('x', 1), 'b', 1), createObject('a', createObject('y', 2), 'b', 2))",
    { a: { x: 1, y: 2 }, b: 2 },
  ],
  ["intersection(createArray(1, 2, 3), createArray(3, 2))", [2, 3]],
  [
    "union(createArray(createObject('a', 1, 'b', 2)), createArray(createObject('b', 2, 'a', 1)))",
    [{ a: 1, b: 2 }],
  ],
  ["equals(createObject('a', 1, 'b', 2), createObject('b', 2, 'a', 1))", true],
  ["equals(createArray(1, '2'), createArray(1, 2))", false],
  ["lastIndexOf('abcb', 'b')", 3],
  ["first('')", ""],
  ["last(createArray())", null],
  ["uriComponent(json('\"\\ud800\"'))", "%EF%BF%BD"],
  ["intersection(createObject('a', 1, 'b', 2), createObject('a', 1, 'b', 3))", { a: 1 }],
  ["array('a')", ["a"]],
  ["array(createArray(1))", [1]],
  ["string(createObject('a', 1))", '{"a":1}'],
  ["string(true())", "True"],
  ["int('42')", 42],
  ["bool('TRUE')", true],
  ["bool(0)", false],
  ["json('{\"a\":[1]}')", { a: [1] }],
  ["if(true(), 'yes', int('no'))", "yes"],
  ["and(false(), bool('neither'))", false],
  ["or(true(), bool('neither'))", true],
  ["not(true())", false],
  ["equals(createArray(1), createArray(1))", true],
  ["equals('a', 'A')", false],
  ["less(1, 2)", true],
  ["greater('b', 'a')", true],
  ["lessOrEquals(2, 2)", true],
  ["greaterOrEquals(1, 2)", false],
  ["coalesce(null(), variables('nothing'), 'x')", "x"],
  ["add(2, 3)", 5],
  ["sub(2, 3)", -1],
  ["mul(2, 3)", 6],
  ["div(-7, 2)", -3],
  ["mod(7, 4)", 3],
  ["min(3, 1, 2)", 1],
  ["max(createArray(1, 3, 2))", 3],
  ["range(5, 3)", [5, 6, 7]],
  ["base64('one')", "b25l"],
  ["base64ToString('b25l')", "one"],
  ["base64ToJson(base64('{\"a\":1}'))", { a: 1 }],
  ["uri('http://a/b/', 'c/d')", "http://a/b/c/d"],
  ["uriComponent('a b/c')", "a%20b%2Fc"],
  ["uriComponentToString('a%20b')", "a b"],
  ["dataUri('Hello')", "data:text/plain;charset=utf8;base64,SGVsbG8="],
  ["dataUriToString(dataUri('Hello'))", "Hello"],
  ["padLeft('7', 3, '0')", "007"],
  [
    "items(createObject('b', 2, 'a', 1))",
    [
      { key: "a", value: 1 },
      { key: "b", value: 2 },
    ],
  ],
  ["objectKeys(createObject('b', 2, 'a', 1))", ["a", "b"]],
  ["flatten(createArray(createArray(1), createArray(2, 3)))", [1, 2, 3]],
  ["shallowMerge(createArray(createObject('a', 1), createObject('a', 2)))", { a: 2 }],
  ["map(range(0, 3), lambda('i', mul(lambdaVariables('i'), 2)))", [0, 2, 4]],
  ["filter(range(0, 5), lambda('i', greater(lambdaVariables('i'), 2)))", [3, 4]],
  ["reduce(range(1, 4), 0, lambda('sum', 'i', add(lambdaVariables('sum'), lambdaVariables('i'))))", 10],
  [
    "sort(createArray(3, 1, 2), lambda('a', 'b', less(lambdaVariables('a'), lambdaVariables('b'))))",
    [1, 2, 3],
  ],
  [
    "toObject(createArray('a', 'b'), lambda('e', lambdaVariables('e')), lambda('e', length(lambdaVariables('e'))))",
    { a: 1, b: 1 },
  ],
  [
    "groupBy(createArray('aa', 'b', 'cc'), lambda('e', string(length(lambdaVariables('e')))))",
    { 1: ["b"], 2: ["aa", "cc"] },
  ],
  ["mapValues(createObject('a', 1), lambda('v', add(lambdaVariables('v'), 1)))", { a: 2 }],
  ["utcNow()", "20260131T123456Z"],
  ["utcNow('yyyy-MM-dd')", "2026-01-31"],
  ["dateTimeAdd('2026-01-31T00:00:00Z', 'P1M', 'yyyy-MM-dd')", "2026-02-28"],
  ["dateTimeAdd(utcNow(), '-PT1H30M')", "2026-01-31T11:04:56Z"],
  ["dateTimeToEpoch('1970-01-02T00:00:00Z')", 86_400],
  ["dateTimeFromEpoch(0)", "1970-01-01T00:00:00Z"],
  ["resourceGroup().location", "eastus"],
  [
    "resourceId('Microsoft.Network/virtualNetworks/subnets', 'v', 's')",
    `${group}/providers/Microsoft.Network/virtualNetworks/v/subnets/s`,
  ],
  [
    "resourceId('other', 'A.B/c', 'd')",
    `/subscriptions/${subscriptionId}/resourceGroups/other/providers/A.B/c/d`,
  ],
  [
    "resourceId('00000000-0000-0000-0000-000000000001', 'other', 'A.B/c', 'd')",
    "/subscriptions/00000000-0000-0000-0000-000000000001/resourceGroups/other/providers/A.B/c/d",
  ],
  ["subscriptionResourceId('A.B/c', 'd')", `/subscriptions/${subscriptionId}/providers/A.B/c/d`],
  ["tenantResourceId('A.B/c', 'd')", "/providers/A.B/c/d"],
  ["extensionResourceId('/x/y', 'A.B/c', 'd')", "/x/y/providers/A.B/c/d"],
  ["pickZones('Microsoft.Compute', 'virtualMachines', 'eastus', 2)", ["1", "2"]],
  ["pickZones('Microsoft.Network', 'virtualNetworks', 'eastus')", []],
];

describe("functions of templates", () => {
  for (const [expression, value] of cases) {
    test(expression, () => {
      // The results go through JSON, because array holes and undefined properties would otherwise count as differences.
      assert.deepEqual(JSON.parse(JSON.stringify(evaluateText(`[${expression}]`, context))), value);
    });
  }

  const refused: readonly (readonly [expression: string, says: RegExp])[] = [
    ["nope()", /function 'nope' is not valid/],
    [
      "toLower(1)",
      /expects its parameter at position '1' to be of type 'String'. The provided value is of type 'Integer'/,
    ],
    ["toLower()", /requires '1' argument\(s\) while '0' were provided/],
    ["div(1, 0)", /division by zero/],
    ["cidrSubnet('10.144.0.0/20', 24, 16)", /between 0 and 15/],
    ["cidrSubnet('10.144.0.0/20', 19, 0)", /between 20 and 32/],
    ["cidrHost('10.144.3.0/24', 255)", /out of the network/],
    ["parseCidr('10.144.3.0')", /is not a network of IPv4/],
    ["substring('abc', 2, 5)", /must refer to a location within the string/],
    ["int('x')", /'x' is not an integer/],
    ["json('{')", /not valid JSON/],
    ["variables('a')", /Circular reference detected in the variable/],
    ["variables('absent')", /variable 'absent' is not found/],
    ["parameters('absent')", /parameter 'absent' is not found/],
    [
      "variables('object').absent",
      /property 'absent' doesn't exist in 'variables\('object'\)'. Available properties are 'Name, list'/,
    ],
    ["resourceId('A.B/c/d', 'one')", /requires '2' resource name argument/],
    ["copyIndex()", /not used inside of a 'copy'/],
    ["reference('x')", /'reference' is not expected at this location/],
    ["own.forever()", /is called without end/],
    ["own.twice()", /requires '1' argument\(s\) while '0' were provided/],
    ["if('x', 1, 2)", /expects its condition to be of type 'Boolean'/],
    ["format('{0:D100}', 1)", /more than 99 digits/],
    ["replace('a', '', 'b')", /must not be empty/],
    ["dataUriToString('data:,%')", /not a valid URI component/],
    ["groupBy(createArray(1), lambda('e', createArray()))", /expects keys of type 'String'/],
    ["format('{1}', 'a')", /the index of an item must be less than the number of arguments/],
  ];
  for (const [expression, says] of refused) {
    test(`${expression} is rejected`, () => {
      assert.throws(() => evaluateText(`[${expression}]`, context), says);
    });
  }

  test("times and new GUIDs are available only in defaults of parameters", () => {
    const elsewhere = { ...context, inDefault: false };
    for (const expression of ["[utcNow()]", "[newGuid()]"]) {
      assert.throws(() => evaluateText(expression, elsewhere), /only allowed in the default values/);
      assert.equal(typeof evaluateText(expression, context), "string");
    }
  });

  test("names and GUIDs of the same parts are the same, in the forms that Azure's have", () => {
    fc.assert(
      fc.property(fc.array(fc.string(), { minLength: 1 }), (parts) => {
        assert.match(uniqueString(parts), /^[a-z2-7]{13}$/);
        assert.match(guidOf(parts), /^[\da-f]{8}-[\da-f]{4}-5[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/);
        assert.equal(uniqueString(parts), uniqueString([...parts]));
        assert.equal(guidOf(parts), guidOf([parts.join("-")]));
      }),
    );
  });
});
