import type { CommandIo } from "../command.ts";
import { type InputLine, inputLines, type Turn } from "../input-lines.ts";
import { ArrayBudget, type AwkArray } from "./arrays.ts";
import { assignmentIn } from "./assignment.ts";
import { builtins } from "./builtins.ts";
import { formatted } from "./format.ts";
import { callBuiltin, type FunctionWorld } from "./functions.ts";
import { AwkOutputs } from "./outputs.ts";
import { Patterns } from "./patterns.ts";
import { AwkRecord } from "./record.ts";
import { RecordReader } from "./record-reader.ts";
import type { AwkProgram, Expression, Pattern, Rule, Statement, Target } from "./syntax.ts";
import { compare, InputText, numberOf, textOf, truthOf, type Value } from "./values.ts";
import { Variable } from "./variables.ts";

/** A part of a program's run: it pauses between statements, and where it yields a promise waits for that. */
export type Steps<T> = Generator<Promise<void> | undefined, T, undefined>;

type Flow = "break" | "continue" | { readonly returned: Value } | undefined;

/** `next`, `nextfile` or `exit`: they leave functions too. */
class Leave {
  readonly to: "next" | "nextfile" | "exit";
  constructor(to: "next" | "nextfile" | "exit") {
    this.to = to;
  }
}

const maxText = 1_024 * 1_024;
const maxCalls = 200;
const maxFiles = 50;

export interface AwkRunOptions {
  readonly io: CommandIo;
  readonly turn: Turn;
  readonly program: AwkProgram;
  /** Files, and assignments `name=value` that take place between them. */
  readonly operands: readonly string[];
}

/** Runs an awk program (POSIX awk). Neither commands nor network: only files of the container. */
export class AwkRun {
  readonly #options: AwkRunOptions;
  readonly #patterns = new Patterns();
  readonly #budget = new ArrayBudget();
  readonly #globals = new Map<string, Variable>();
  readonly #frames: Map<string, Variable>[] = [];
  readonly #record: AwkRecord;
  readonly #outputs: AwkOutputs;
  readonly #inRange = new Set<Rule>();
  readonly #readers = new Map<string, RecordReader>();
  #input: RecordReader | undefined;
  #filesRead = 0;
  #missing = false;
  #status = 0;

  constructor(options: AwkRunOptions) {
    this.#options = options;
    this.#outputs = new AwkOutputs(options.io);
    this.#record = new AwkRecord(this.#patterns, {
      fields: () => this.#text("FS"),
      output: () => this.#text("OFS"),
    });
    const first = {
      FS: " ",
      OFS: " ",
      RS: "\n",
      ORS: "\n",
      SUBSEP: "\x1c",
      NR: 0,
      FNR: 0,
      RSTART: 0,
      RLENGTH: -1,
    };
    for (const [name, value] of Object.entries(first)) this.#global(name).value = value;
    const environment = this.#global("ENVIRON").array(this.#budget);
    for (const [name, value] of Object.entries(options.io.env)) environment.set(name, new InputText(value));
    const operands = this.#global("ARGV").array(this.#budget);
    for (const [index, operand] of ["awk", ...options.operands].entries())
      operands.set(String(index), new InputText(operand));
    this.#global("ARGC").value = options.operands.length + 1;
  }

  /** As `-v`. */
  assign(name: string, text: string): void {
    this.#setVariable(name, new InputText(text));
  }

  /** Gives the exit status. */
  async run(): Promise<number> {
    const { rules } = this.#options.program;
    const of = (kind: Pattern["kind"]) => rules.filter(({ pattern }) => pattern.kind === kind);
    try {
      const main = rules.filter(({ pattern }) => pattern.kind !== "BEGIN" && pattern.kind !== "END");
      const left = await this.#drive(this.#all(of("BEGIN")));
      if (left !== "exit" && (main.length > 0 || of("END").length > 0)) await this.#records(main);
      await this.#drive(this.#all(of("END")));
    } finally {
      await this.#outputs.close();
    }
    return this.#status === 0 && this.#missing ? 2 : this.#status;
  }

  async #records(rules: readonly Rule[]): Promise<void> {
    for (;;) {
      const text = await this.#nextRecord();
      if (text === undefined) return;
      this.#record.set(text);
      const left = await this.#drive(this.#all(rules));
      if (left === "exit") return;
      if (left === "nextfile") await this.#mainInput().skipFile();
    }
  }

  /** Runs to the end or to where the program leaves the record. */
  async #drive(steps: Steps<void>): Promise<Leave["to"] | undefined> {
    const { turn } = this.#options;
    try {
      for (const wait of steps) {
        if (wait) await wait;
        if (turn.isOver) await turn.pass();
      }
      return undefined;
    } catch (error) {
      if (error instanceof Leave) return error.to;
      throw error;
    }
  }

  async #nextRecord(): Promise<string | undefined> {
    const reader = this.#mainInput();
    const text = await reader.next(this.#text("RS"));
    if (text === undefined) return undefined;
    if (reader.files !== this.#filesRead) {
      this.#filesRead = reader.files;
      this.#global("FILENAME").value = reader.file === "-" ? "" : reader.file;
      this.#global("FNR").value = 0;
    }
    for (const counter of ["NR", "FNR"])
      this.#global(counter).value = numberOf(this.#global(counter).value) + 1;
    return text;
  }

  #mainInput(): RecordReader {
    this.#input ??= new RecordReader(this.#operandLines(), this.#patterns);
    return this.#input;
  }

  async *#operandLines(): AsyncGenerator<InputLine, void, undefined> {
    const { io, operands } = this.#options;
    const missing = async (file: string, why: string) => {
      this.#missing = true;
      await io.stderr(`awk: ${file}: ${why}\n`);
    };
    let files = 0;
    for (const operand of operands) {
      const assignment = assignmentIn(operand);
      if (assignment) this.assign(assignment.name, assignment.text);
      else {
        files += 1;
        yield* inputLines(io, [operand], missing);
      }
    }
    if (files === 0) yield* inputLines(io, [], missing);
  }

  *#all(rules: readonly Rule[]): Steps<void> {
    for (const rule of rules) {
      yield undefined;
      if (!(yield* this.#selects(rule))) continue;
      if (rule.body) yield* this.#execute(rule.body);
      else yield* this.#write(`${this.#record.text}${this.#text("ORS")}`);
    }
  }

  *#selects(rule: Rule): Steps<boolean> {
    const { pattern } = rule;
    if (pattern.kind === "condition") return truthOf(yield* this.#value(pattern.condition));
    if (pattern.kind !== "range") return true;
    if (!this.#inRange.has(rule)) {
      if (!truthOf(yield* this.#value(pattern.from))) return false;
      this.#inRange.add(rule);
    }
    if (truthOf(yield* this.#value(pattern.to))) this.#inRange.delete(rule);
    return true;
  }

  *#execute(statement: Statement): Steps<Flow> {
    yield undefined;
    switch (statement.kind) {
      case "expression":
        yield* this.#value(statement.expression);
        return undefined;
      case "block":
        for (const each of statement.body) {
          const flow = yield* this.#execute(each);
          if (flow !== undefined) return flow;
        }
        return undefined;
      case "if":
        if (truthOf(yield* this.#value(statement.condition))) return yield* this.#execute(statement.then);
        return statement.otherwise ? yield* this.#execute(statement.otherwise) : undefined;
      case "loop":
        return yield* this.#loop(statement);
      case "for-in": {
        for (const key of this.#array(statement.array).keys) {
          this.#setVariable(statement.variable, new InputText(key));
          const flow = yield* this.#execute(statement.body);
          if (flow === "break") break;
          if (typeof flow === "object") return flow;
        }
        return undefined;
      }
      case "print":
        yield* this.#print(statement);
        return undefined;
      case "delete":
        if (statement.keys) this.#array(statement.array).delete(yield* this.#key(statement.keys));
        else this.#array(statement.array).clear();
        return undefined;
      case "jump":
        if (statement.to === "break" || statement.to === "continue") return statement.to;
        throw new Leave(statement.to);
      case "return":
        return { returned: statement.value ? yield* this.#value(statement.value) : undefined };
      case "exit":
        if (statement.value) this.#status = Math.trunc(numberOf(yield* this.#value(statement.value))) & 255;
        throw new Leave("exit");
    }
  }

  *#loop(loop: Extract<Statement, { kind: "loop" }>): Steps<Flow> {
    if (loop.first) yield* this.#execute(loop.first);
    for (let entered = loop.after; ; entered = false) {
      yield undefined;
      if (!entered && loop.condition && !truthOf(yield* this.#value(loop.condition))) return undefined;
      const flow = yield* this.#execute(loop.body);
      if (flow === "break") return undefined;
      if (typeof flow === "object") return flow;
      if (loop.each) yield* this.#execute(loop.each);
    }
  }

  *#print(statement: Extract<Statement, { kind: "print" }>): Steps<void> {
    const values: Value[] = [];
    for (const item of statement.items) values.push(yield* this.#value(item));
    const text = statement.formatted
      ? bounded(formatted(textOf(values[0]), values.slice(1)))
      : `${values.length === 0 ? this.#record.text : values.map(textOf).join(this.#text("OFS"))}${this.#text("ORS")}`;
    if (!statement.redirect) return yield* this.#write(text);
    const file = textOf(yield* this.#value(statement.redirect.file));
    yield this.#outputs.writeTo(file, statement.redirect.append, text);
  }

  *#write(text: string): Steps<void> {
    const wait = this.#outputs.write(text);
    if (wait) yield wait;
  }

  *#value(expression: Expression): Steps<Value> {
    switch (expression.kind) {
      case "number":
      case "string":
        return expression.value;
      case "regex":
        return this.#patterns.of(expression.source).test(this.#record.text) ? 1 : 0;
      case "variable":
        return expression.name === "NF" ? this.#record.count : this.#variable(expression.name).value;
      case "element":
        return this.#array(expression.array).get(yield* this.#key(expression.keys));
      case "field":
        return this.#record.field(numberOf(yield* this.#value(expression.index)));
      case "assign": {
        const value = yield* this.#value(expression.value);
        const { operator, target } = expression;
        if (operator === "") return yield* this.#assign(target, value);
        const before = numberOf(yield* this.#value(target));
        return yield* this.#assign(target, arithmetic(operator, before, numberOf(value)));
      }
      case "step": {
        const before = numberOf(yield* this.#value(expression.target));
        yield* this.#assign(expression.target, before + expression.by);
        return expression.before ? before + expression.by : before;
      }
      case "unary": {
        const operand = yield* this.#value(expression.operand);
        if (expression.operator === "!") return truthOf(operand) ? 0 : 1;
        return expression.operator === "-" ? -numberOf(operand) : numberOf(operand);
      }
      case "binary":
        return yield* this.#binary(expression);
      case "choice": {
        const holds = truthOf(yield* this.#value(expression.condition));
        return yield* this.#value(holds ? expression.then : expression.otherwise);
      }
      case "in":
        return this.#array(expression.array).has(yield* this.#key(expression.keys)) ? 1 : 0;
      case "call":
        return yield* this.#call(expression.name, expression.args);
      case "getline":
        return yield* this.#getline(expression);
      case "list":
        throw new Error("a list stands where a value is needed");
    }
  }

  *#binary({ operator, left, right }: Extract<Expression, { kind: "binary" }>): Steps<Value> {
    const first = yield* this.#value(left);
    if (operator === "&&") return truthOf(first) && truthOf(yield* this.#value(right)) ? 1 : 0;
    if (operator === "||") return truthOf(first) || truthOf(yield* this.#value(right)) ? 1 : 0;
    if (operator === "~" || operator === "!~") {
      const source = yield* this.#source(right);
      return this.#patterns.of(source).test(textOf(first)) === (operator === "~") ? 1 : 0;
    }
    const second = yield* this.#value(right);
    if (operator === "") return bounded(textOf(first) + textOf(second));
    const order = () => compare(first, second);
    switch (operator) {
      case "<":
        return order() < 0 ? 1 : 0;
      case "<=":
        return order() <= 0 ? 1 : 0;
      case "==":
        return order() === 0 ? 1 : 0;
      case "!=":
        return order() !== 0 ? 1 : 0;
      case ">":
        return order() > 0 ? 1 : 0;
      case ">=":
        return order() >= 0 ? 1 : 0;
      default:
        return arithmetic(operator, numberOf(first), numberOf(second));
    }
  }

  /** An expression to match: written as one, or any text. */
  *#source(expression: Expression): Steps<string> {
    return expression.kind === "regex" ? expression.source : textOf(yield* this.#value(expression));
  }

  *#assign(target: Target, value: Value): Steps<Value> {
    if (target.kind === "element") this.#array(target.array).set(yield* this.#key(target.keys), value);
    else if (target.kind === "field")
      this.#record.setField(numberOf(yield* this.#value(target.index)), value);
    else this.#setVariable(target.name, value);
    return value;
  }

  *#key(keys: readonly Expression[]): Steps<string> {
    const parts: string[] = [];
    for (const key of keys) parts.push(textOf(yield* this.#value(key)));
    return parts.join(this.#text("SUBSEP"));
  }

  *#call(name: string, args: readonly Expression[]): Steps<Value> {
    const own = this.#options.program.functions.get(name);
    if (!own) {
      if (!Object.hasOwn(builtins, name)) throw new Error(`calling undefined function ${name}`);
      return yield* callBuiltin(this.#world, name, args);
    }
    if (this.#frames.length >= maxCalls) throw new Error("functions are nested too deeply");
    if (args.length > own.parameters.length)
      throw new Error(`function ${name} called with too many arguments`);
    const frame = new Map<string, Variable>();
    for (const [index, parameter] of own.parameters.entries()) {
      const arg = args[index];
      if (arg?.kind === "variable" && arg.name !== "NF")
        frame.set(parameter, this.#variable(arg.name).passed());
      else frame.set(parameter, new Variable(arg ? yield* this.#value(arg) : undefined));
    }
    this.#frames.push(frame);
    try {
      const flow = yield* this.#execute(own.body);
      return typeof flow === "object" ? flow.returned : undefined;
    } finally {
      this.#frames.pop();
    }
  }

  /** 1 for a record, 0 at the end, -1 for a file that cannot be read. */
  *#getline({ target, file }: Extract<Expression, { kind: "getline" }>): Steps<Value> {
    let text: string | undefined;
    let failed = false;
    if (file) {
      const name = textOf(yield* this.#value(file));
      let reader = this.#readers.get(name);
      if (!reader) {
        if (this.#readers.size >= maxFiles) throw new Error("too many open files");
        const lines = inputLines(this.#options.io, [name], () => {
          failed = true;
        });
        reader = new RecordReader(lines, this.#patterns);
        this.#readers.set(name, reader);
      }
      yield reader.next(this.#text("RS")).then((found) => {
        text = found;
      });
      if (failed) this.#readers.delete(name);
    } else
      yield this.#nextRecord().then((found) => {
        text = found;
      });
    if (text === undefined) return failed ? -1 : 0;
    if (target) yield* this.#assign(target, new InputText(text));
    else this.#record.set(text);
    return 1;
  }

  /** What awk's own functions work with. */
  readonly #world: FunctionWorld = {
    value: (expression) => this.#value(expression),
    source: (expression) => this.#source(expression),
    assign: (target, value) => this.#assign(target, value),
    array: (name) => this.#array(name),
    isArray: (name) => this.#variable(name).isArray,
    set: (name, value) => this.#setVariable(name, value),
    text: (name) => this.#text(name),
    record: () => this.#record.text,
    now: () => this.#options.io.clock.now(),
    close: (file) => {
      this.#readers.delete(file);
      return this.#outputs.closeFile(file);
    },
    flush: () => this.#outputs.flush(),
    patterns: this.#patterns,
  };

  #variable(name: string): Variable {
    return this.#frames.at(-1)?.get(name) ?? this.#global(name);
  }

  #global(name: string): Variable {
    let found = this.#globals.get(name);
    if (!found) {
      found = new Variable();
      this.#globals.set(name, found);
    }
    return found;
  }

  #array(name: string): AwkArray {
    return this.#variable(name).array(this.#budget);
  }

  #setVariable(name: string, value: Value): void {
    if (name === "NF") this.#record.setCount(numberOf(value));
    else this.#variable(name).value = value;
  }

  #text(name: string): string {
    return textOf(this.#global(name).value);
  }
}

function arithmetic(operator: string, left: number, right: number): number {
  if ((operator === "/" || operator === "%") && right === 0) throw new Error("division by zero");
  switch (operator) {
    case "+":
      return left + right;
    case "-":
      return left - right;
    case "*":
      return left * right;
    case "/":
      return left / right;
    case "%":
      return left % right;
    default:
      return left ** right;
  }
}

function bounded(text: string): string {
  if (text.length > maxText) throw new Error("a text is too long");
  return text;
}
