import type { Expression } from "./syntax.ts";

/** Formats an expression in template syntax. */
export function printExpression(expression: Expression): string {
  switch (expression.kind) {
    case "literal":
      return typeof expression.value === "number"
        ? String(expression.value)
        : `'${expression.value.replaceAll("'", "''")}'`;
    case "call":
      return `${expression.name}(${expression.args.map(printExpression).join(", ")})`;
    case "member":
      return `${printExpression(expression.of)}${expression.safe ? ".?" : "."}${expression.name}`;
    case "index":
      return `${printExpression(expression.of)}${expression.safe ? "[?" : "["}${printExpression(expression.at)}]`;
  }
}
