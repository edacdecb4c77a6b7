import assert from "node:assert/strict";
import { once } from "node:events";
import { describe, test } from "node:test";
import { Worker } from "node:worker_threads";
import type { JsonObject, JsonValue } from "@keelson/base";
import fc from "fast-check";
import { ArmError } from "../../arm/arm-error.ts";
import { ExpressionError } from "../errors/template-error.ts";
import { evaluateText } from "../evaluation/evaluate-json.ts";
import type { EvaluatedInThread } from "../template/evaluate-in-thread.ts";
import { readTemplate } from "../template/template.ts";
import { baseContext, templateContext } from "../template/template-context.ts";
import { TemplateBudget } from "./template-budget.ts";

const surroundings = { place: { subscriptionId: "s", group: "g" }, now: new Date(0), values: {} };

/** Returns an expression that doubles a value `times` times. */
const doubled = (start: string, double: string, times = 40) =>
  `reduce(range(0, ${times}), ${start}, lambda('a', 'i', ${double}))`;
const a = "lambdaVariables('a')";
const chars = (count: number, one = "x") => `padLeft('', ${count}, '${one}')`;

/** Returns a chain of variables. Each variable refers to the next variable. */
const chain = (count: number, of: (next: string) => string, last: JsonValue): JsonObject => ({
  variables: Object.fromEntries(
    Array.from({ length: count }, (_, at) => [
      `v${at}`,
      at === count - 1 ? last : `[${of(`variables('v${at + 1}')`)}]`,
    ]),
  ),
});
const loops = (depth: number): JsonObject =>
  depth === 0 ? { x: 1 } : { copy: [{ name: `l${depth}`, count: 800, input: loops(depth - 1) }] };
const nest = (depth: number, inner: string) => `${"array(".repeat(depth)}${inner}${")".repeat(depth)}`;

const tooMuch = /take more than [\d,]+ (steps|bytes) to evaluate/;
const tooDeep = /nested deeper than \d+ levels/;

const rows: readonly (readonly [name: string, expression: string, says: RegExp, sections?: JsonObject])[] = [
  ["an array that doubles", doubled("createArray(1)", `concat(${a}, ${a})`), tooMuch],
  ["text that doubles", doubled("'x'", `concat(${a}, ${a})`), tooMuch],
  ["text that doubles in a format", doubled("'x'", `format('{0}{0}', ${a})`), tooMuch],
  ["text that doubles by a replacement", doubled("'x'", `replace(${a}, 'x', 'xx')`), tooMuch],
  ["text that doubles by a join", doubled("'x'", `join(createArray(${a}, ${a}), '')`), tooMuch],
  ["text in base64 of base64", doubled("'x'", `base64(${a})`, 200), tooMuch],
  ["text that is encoded repeatedly", doubled("'%'", `uriComponent(${a})`, 10_000), tooMuch],
  ["JSON of JSON", doubled("'\"'", `string(createArray(${a}))`, 100), tooMuch],
  ["an object that doubles", doubled("createObject('x', 1)", `createObject('a', ${a}, 'b', ${a})`), tooMuch],
  [
    "a union of shared parts",
    `union(${doubled("createArray(1)", `createArray(${a}, ${a})`)}, createArray())`,
    tooMuch,
  ],
  ["equal values of shared parts", `equals(${doubled("1", `createArray(${a}, ${a})`)}, 1)`, tooMuch],
  [
    "keys from shared parts",
    `toObject(createArray(1), lambda('e', string(${doubled("1", `createArray(${a}, ${a})`)})))`,
    tooMuch,
  ],
  ["padding without end", "padLeft('', 536870000)", tooMuch],
  ["padding in a format", "format('{0,536870000}', 'x')", tooMuch],
  ["a replacement of every letter", `replace(${chars(100_000)}, 'x', ${chars(100_000)})`, tooMuch],
  ["a long separator", `join(range(0, 10000), ${chars(100_000)})`, tooMuch],
  ["many pieces", `map(range(0, 100), lambda('i', split(${chars(1_000_000, ",")}, ',')))`, tooMuch],
  ["ranges of ranges", "map(range(0, 10000), lambda('i', range(0, 10000)))", tooMuch],
  [
    "a flattened pile",
    `flatten(map(range(0, 10000), lambda('i', variables('big'))))`,
    tooMuch,
    { variables: { big: "[range(0, 10000)]" } },
  ],
  ["a loop of loops", "variables('loops')", tooMuch, { variables: { loops: loops(3) } }],
  [
    "variables of variables",
    "string(variables('v0'))",
    tooMuch,
    chain(60, (next) => `concat(${next}, ${next})`, "x"),
  ],
  [
    "shared variables",
    "string(variables('v0'))",
    tooMuch,
    chain(60, (next) => `createArray(${next}, ${next})`, 1),
  ],
  ["a search that compares much", `indexOf(${chars(2_000_000)}, concat('y', ${chars(1_000_000)}))`, tooMuch],
  [
    "a sort by a long rule",
    `sort(range(0, 10000), lambda('a', 'b', less(length(string(range(0, 10000))), 1)))`,
    tooMuch,
  ],
  ["JSON with many values", `json(concat('[', replace(${chars(3_000_000)}, 'x', '1,'), '1]'))`, tooMuch],
  ["JSON that is deep", `json(concat(${chars(100_000, "[")}, ${chars(100_000, "]")}))`, tooDeep],
  ["a value that gets deep", `string(${doubled("1", `createArray(${a})`, 10_000)})`, tooDeep],
  [
    "objects that get deep, merged",
    `union(${doubled("createObject()", `createObject('x', ${a})`, 5_000)}, ${doubled("createObject()", `createObject('x', ${a})`, 5_000)})`,
    tooDeep,
  ],
  ["a long chain of variables", "variables('v0')", tooDeep, chain(512, (next) => next, 1)],
  ["a long chain of deep variables", "variables('v0')", tooDeep, chain(512, (next) => nest(100, next), 1)],
  [
    "functions that call each other",
    "f.a0(1)",
    tooMuch,
    {
      functions: [
        {
          namespace: "f",
          members: Object.fromEntries(
            Array.from({ length: 30 }, (_, at) => [
              `a${at}`,
              {
                parameters: [{ name: "p", type: "int" }],
                output: {
                  type: "array",
                  value: at === 29 ? "[parameters('p')]" : `[createArray(f.a${at + 1}(1), f.a${at + 1}(2))]`,
                },
              },
            ]),
          ),
        },
      ],
    },
  ],
];

/** Thread with a memory limit of 200 MB. */
class SmallThread {
  readonly #thread = new Worker(new URL("../template/evaluate-in-thread.ts", import.meta.url), {
    resourceLimits: { maxOldGenerationSizeMb: 200 },
  });

  /** Evaluates an expression. @throws if the memory limit is exceeded */
  async evaluate(given: EvaluatedInThread): Promise<string> {
    const response = once(this.#thread, "message");
    this.#thread.postMessage(given);
    const [said] = await response;
    return String(said);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#thread.terminate();
  }
}

describe("what the expressions of a template may take", () => {
  test("expressions that would exhaust the memory are rejected before they do", async (t) => {
    await using thread = new SmallThread();
    for (const [name, expression, says, sections = {}] of rows) {
      await t.test(name, async () => assert.match(await thread.evaluate({ expression, sections }), says));
    }
  });

  test("a section has at most as many entries as in Azure", () => {
    for (const [name, limit] of Object.entries({ parameters: 256, variables: 512, outputs: 64 })) {
      const of = (count: number) =>
        readTemplate({
          $schema: "x",
          contentVersion: "1.0.0.0",
          resources: [],
          [name]: Object.fromEntries(Array.from({ length: count }, (_, at) => [`n${at}`, {}])),
        });
      assert.doesNotThrow(() => of(limit));
      assert.throws(
        () => of(limit + 1),
        new RegExp(`number of template ${name} limit exceeded. Limit: '${limit}'`),
      );
    }
  });

  const limits = { nodes: 3_000, bytes: 20_000, timeMs: 60_000 };
  const { expression } = fc.letrec<{ expression: string }>((tie) => {
    const of = (...names: readonly string[]) =>
      fc
        .tuple(fc.constantFrom(...names), tie("expression"), tie("expression"))
        .map(([name, x, y]) => `${name}(${x}, ${y})`);
    return {
      expression: fc.oneof(
        { maxDepth: 6, withCrossShrink: true },
        fc.constantFrom(
          "'x'",
          "1",
          "12",
          "createArray(1)",
          "createObject('k', 'v')",
          "lambdaVariables('e')",
          a,
          "variables('v')",
        ),
        of(
          "concat",
          "createArray",
          "union",
          "format",
          "join",
          "split",
          "padLeft",
          "range",
          "contains",
          "equals",
          "intersection",
          "indexOf",
          "take",
          "skip",
        ),
        fc
          .tuple(
            fc.constantFrom(
              "string",
              "base64",
              "json",
              "length",
              "array",
              "flatten",
              "toUpper",
              "uriComponent",
              "items",
            ),
            tie("expression"),
          )
          .map(([name, x]) => `${name}(${x})`),
        tie("expression").map((x) => `concat(${x}, ${x})`),
        tie("expression").map((x) => `format('{0}{0,200}{0}', ${x})`),
        fc
          .tuple(tie("expression"), tie("expression"))
          .map(([x, y]) => `replace(string(${x}), 'x', string(${y}))`),
        fc
          .tuple(tie("expression"), tie("expression"))
          .map(([x, y]) => `map(range(0, length(${x})), lambda('e', ${y}))`),
        tie("expression").map((x) => `reduce(range(0, 30), ${x}, lambda('a', 'e', concat(${a}, ${a})))`),
      ),
    };
  });

  test("the value of any expression is within the budget", () => {
    const template = readTemplate({
      $schema: "x",
      contentVersion: "1.0.0.0",
      resources: [],
      variables: { v: ["x", "y"] },
    });
    fc.assert(
      fc.property(expression, (text) => {
        const budget = new TemplateBudget(limits);
        let value: JsonValue;
        try {
          value = evaluateText(`[${text}]`, templateContext(template, {}, baseContext(surroundings, budget)));
          budget.measure(value);
        } catch (error) {
          assert.ok(error instanceof ArmError || error instanceof ExpressionError, String(error));
          return;
        }
        assert.ok(JSON.stringify(value).length <= 20 * limits.nodes + 6 * limits.bytes);
      }),
      { numRuns: 2_000 },
    );
  });
});
