/** The parts of an awk program (POSIX awk, Grammar). */

export type Expression =
  | { readonly kind: "number"; readonly value: number }
  | { readonly kind: "string"; readonly value: string }
  /** By itself it is asked of the record. */
  | { readonly kind: "regex"; readonly source: string }
  | Target
  | {
      readonly kind: "assign";
      readonly operator: string;
      readonly target: Target;
      readonly value: Expression;
    }
  | { readonly kind: "step"; readonly by: 1 | -1; readonly before: boolean; readonly target: Target }
  | { readonly kind: "unary"; readonly operator: "!" | "-" | "+"; readonly operand: Expression }
  | {
      readonly kind: "binary";
      readonly operator: string;
      readonly left: Expression;
      readonly right: Expression;
    }
  | {
      readonly kind: "choice";
      readonly condition: Expression;
      readonly then: Expression;
      readonly otherwise: Expression;
    }
  | { readonly kind: "in"; readonly keys: readonly Expression[]; readonly array: string }
  | { readonly kind: "call"; readonly name: string; readonly args: readonly Expression[] }
  | { readonly kind: "getline"; readonly target?: Target; readonly file?: Expression }
  /** `(a, b)`: only before `in` and behind `print`. */
  | { readonly kind: "list"; readonly items: readonly Expression[] };

export type Target =
  | { readonly kind: "variable"; readonly name: string }
  | { readonly kind: "element"; readonly array: string; readonly keys: readonly Expression[] }
  | { readonly kind: "field"; readonly index: Expression };

export type Statement =
  | { readonly kind: "expression"; readonly expression: Expression }
  | {
      readonly kind: "print";
      readonly formatted: boolean;
      readonly items: readonly Expression[];
      readonly redirect?: { readonly append: boolean; readonly file: Expression };
    }
  | { readonly kind: "block"; readonly body: readonly Statement[] }
  | {
      readonly kind: "if";
      readonly condition: Expression;
      readonly then: Statement;
      readonly otherwise?: Statement;
    }
  | {
      readonly kind: "loop";
      readonly first?: Statement;
      readonly condition?: Expression;
      readonly each?: Statement;
      readonly body: Statement;
      /** `do`: the condition is asked after the body. */
      readonly after: boolean;
    }
  | { readonly kind: "for-in"; readonly variable: string; readonly array: string; readonly body: Statement }
  | { readonly kind: "jump"; readonly to: "break" | "continue" | "next" | "nextfile" }
  | { readonly kind: "exit" | "return"; readonly value?: Expression }
  | { readonly kind: "delete"; readonly array: string; readonly keys?: readonly Expression[] };

export type Pattern =
  | { readonly kind: "BEGIN" | "END" | "always" }
  | { readonly kind: "condition"; readonly condition: Expression }
  | { readonly kind: "range"; readonly from: Expression; readonly to: Expression };

export interface Rule {
  readonly pattern: Pattern;
  /** Absent: the record is printed. */
  readonly body?: Statement;
}

export interface AwkFunction {
  readonly parameters: readonly string[];
  readonly body: Statement;
}

export interface AwkProgram {
  readonly rules: readonly Rule[];
  readonly functions: ReadonlyMap<string, AwkFunction>;
}
