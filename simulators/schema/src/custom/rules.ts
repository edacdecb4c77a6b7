import { type Compilation, celTypes, compileExpression, type Program, type Type } from "@keelson/cel";
import { fieldPathOf } from "./field-path.ts";
import { ruleTypeOf } from "./rule-types.ts";
import type { StructuralSchema, ValidationRule } from "./structural-schema.ts";

const { bool, optionalType, string } = celTypes;

/** Compiled validation rule. */
export interface CompiledRule {
  readonly rule: ValidationRule;
  /** Compiled program or compilation error. */
  readonly compilation: Compilation;
  readonly messageCompilation: Compilation | undefined;
  /** True if the rule compares with the old value. */
  readonly usesOldSelf: boolean;
  /** Path of its errors relative to the value. Undefined for the value itself. */
  readonly fieldPath: string | undefined;
}

const kept = new WeakMap<StructuralSchema, readonly CompiledRule[]>();

/** Rules of one schema without those of nested schemas. Compiled on first use. */
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

/** Ignores string literals. */
function mentionsOldSelf(source: string): boolean {
  return (
    source.includes("oldSelf") &&
    /\boldSelf\b/.test(source.replace(/'(?:\\.|[^'\\])*'|"(?:\\.|[^"\\])*"/g, "''"))
  );
}

/** Program of a successful compilation. */
export function programOf(compilation: Compilation | undefined): Program | undefined {
  return compilation?.kind === "program" ? compilation.program : undefined;
}
