import assert from "node:assert/strict";
import { describe, test } from "node:test";
import fc from "fast-check";
import { ExpressionError } from "../errors/template-error.ts";
import { parseExpression, parseText } from "./parse.ts";
import { printExpression } from "./print.ts";
import type { Expression } from "./syntax.ts";

const name = fc.stringMatching(/^[a-z][a-z0-9]{0,5}$/);
const { expression } = fc.letrec<{ expression: Expression }>((tie) => ({
  expression: fc.oneof(
    { depthSize: "small", withCrossShrink: true },
    fc.record({ kind: fc.constant("literal" as const), value: fc.oneof(fc.string(), fc.integer()) }),
    fc.record({
      kind: fc.constant("call" as const),
      name: fc.oneof(
        name,
        fc.tuple(name, name).map(([space, member]) => `${space}.${member}`),
      ),
      args: fc.array(tie("expression"), { maxLength: 3 }),
    }),
    fc.record({ kind: fc.constant("member" as const), of: tie("expression"), name, safe: fc.boolean() }),
    fc.record({
      kind: fc.constant("index" as const),
      of: tie("expression"),
      at: tie("expression"),
      safe: fc.boolean(),
    }),
  ),
}));

describe("the language of templates", () => {
  test("printing and parsing an expression returns the same expression", () => {
    fc.assert(
      fc.property(expression, (each) => {
        assert.deepEqual(parseExpression(printExpression(each)), structuredClone(each));
      }),
      { numRuns: 300 },
    );
  });

  test("any string is parsed or rejected with an ExpressionError", () => {
    const characters = fc.constantFrom(..."[]().,'?ab1- \n");
    fc.assert(
      fc.property(fc.string({ unit: characters }), (text) => {
        try {
          parseText(`[${text}]`);
        } catch (error) {
          assert.ok(error instanceof ExpressionError);
        }
      }),
      { numRuns: 500 },
    );
  });

  test("deep nesting is rejected before it exhausts the stack", () => {
    assert.throws(() => parseExpression("a(".repeat(100_000)), /length limit exceeded/);
    assert.throws(() => parseExpression(`${"a(".repeat(5_000)}${")".repeat(5_000)}`), /nested too deeply/);
  });

  const texts: readonly (readonly [text: string, literal: string | undefined])[] = [
    ["plain", "plain"],
    ["[[literal]", "[literal]"],
    ["[[not closed", "[[not closed"],
    ["[open", "[open"],
    ["", ""],
    ["[a()]", undefined],
    ["[ 'with '' quote' ]", undefined],
  ];
  for (const [text, literal] of texts) {
    test(`'${text}' is ${literal === undefined ? "an expression" : "text"}`, () => {
      const parsed = parseText(text);
      assert.equal("literal" in parsed ? parsed.literal : undefined, literal);
    });
  }

  for (const wrong of ["", "a", "a(", "a(1,)", "a()b()", "'x", "a().", "a()[", "a(1 2)", "{}", "a().1"]) {
    test(`'[${wrong}]' is rejected`, () => {
      assert.throws(() => parseText(`[${wrong}]`), /is not valid/);
    });
  }
});
