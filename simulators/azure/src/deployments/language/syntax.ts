import type { JsonValue } from "@keelson/base";

/** Expression between the brackets of `"[...]"`. */
export type Expression =
  | { readonly kind: "literal"; readonly value: string | number }
  | { readonly kind: "call"; readonly name: string; readonly args: readonly Expression[] }
  | { readonly kind: "member"; readonly of: Expression; readonly name: string; readonly safe: boolean }
  | { readonly kind: "index"; readonly of: Expression; readonly at: Expression; readonly safe: boolean };

/** Parsed template string: a literal or an expression. */
export type TemplateText = { readonly literal: JsonValue } | { readonly expression: Expression };
