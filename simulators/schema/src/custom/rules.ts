import { type Compilation, celTypes, compileExpression, type Program, type Type } from "@keelson/cel";
import { fieldPathOf } from "./field-path.ts";
import { ruleTypeOf } from "./rule-types.ts";
import type { StructuralSchema, ValidationRule } from "./structural-schema.ts";

const { bool, optionalType, string } = celTypes;

/** Compiled validation rule. */
export interface CompiledRule {
  readonly rule: ValidationRule;
  /** Compiled program, or the compilation error. */
  readonly compilation: Compilation;
  readonly messageCompilation: Compilation | undefined;
  /** True if the rule uses the old value (`oldSelf`). */
  readonly usesOldSelf: boolean;
  /** Path for error messages, relative to the value. Undefined if errors concern the value itself. */
  readonly fieldPath: string | undefined;
}

const kept = new WeakMap<StructuralSchema, readonly CompiledRule[]>();

/** Returns the compiled rules of one schema, without the rules of nested schemas. Rules are compiled on first use. */
export function rulesOf(
  schema: StructuralSchema,
  isResource = schema.embeddedResource,
): readonly CompiledRule[] {
  if (schema.validations.length === 0) return none;
  const found = kept.get(schema);
  if (found) return found;
  const self = ruleTypeOf(schema, isResource)?.type;
  const compiled = self ? schema.validations.map((rule) => compileRule(rule, self, schema)) : none;
  kept.set(schema, compiled);
  return compiled;
}

const none: readonly CompiledRule[] = [];

function compileRule(rule: ValidationRule, self: Type, schema: StructuralSchema): CompiledRule {
  const oldSelf = rule.optionalOldSelf ? optionalType(self) : self;
  const options = { variables: { self, oldSelf }, schema: self };
  return {
    rule,
    compilation: compileExpression(rule.rule, { ...options, resultType: bool }),
    messageCompilation: rule.messageExpression
      ? compileExpression(rule.messageExpression, { ...options, resultType: string })
      : undefined,
    usesOldSelf: mentionsOldSelf(rule.rule),
    fieldPath: rule.fieldPath ? fieldPathOf(rule.fieldPath, schema)?.text : undefined,
  };
}

/** True if the source contains `oldSelf` outside of string literals. */
function mentionsOldSelf(source: string): boolean {
  return (
    source.includes("oldSelf") &&
    /\boldSelf\b/.test(source.replace(/'(?:\\.|[^'\\])*'|"(?:\\.|[^"\\])*"/g, "''"))
  );
}

/** Returns the program of a successful compilation, or undefined if the compilation failed. */
export function programOf(compilation: Compilation | undefined): Program | undefined {
  return compilation?.kind === "program" ? compilation.program : undefined;
}
