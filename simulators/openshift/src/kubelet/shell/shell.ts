import { open, readdir, stat } from "node:fs/promises";
import { PassThrough } from "node:stream";
import type { CommandIo, Output, ShellCommand } from "../containers/command.ts";
import { ContainerFiles } from "../containers/container-files.ts";
import { signalExitCode } from "../containers/program.ts";
import { arithmetic } from "./arithmetic.ts";
import { failureText, reason } from "./command-errors.ts";
import { commandName, commandsOfCommands } from "./command-names.ts";
import { expandWord, expandWords } from "./expand.ts";
import { type Command, type List, type Pipeline, parseScript, ShellSyntaxError } from "./parse.ts";
import { readLine } from "./read-line.ts";
import { openRedirects } from "./redirects.ts";
import { type Streams, writerTo } from "./streams.ts";
import { shellCommands, shells } from "./system-commands.ts";

/** Environment of a shell besides its streams. */
export interface ShellWorld
  extends Pick<CommandIo, "files" | "clock" | "signal" | "started" | "unknownFile"> {
  /** Additional commands by name. */
  readonly commands?: Readonly<Record<string, ShellCommand>>;
  /** Runs instead of an unknown command. Resolves with the exit status. */
  readonly unknownCommand?: (name: string, stderr: Streams["stderr"]) => Promise<number>;
}

class Exit {
  readonly status: number;
  constructor(status: number) {
    this.status = status;
  }
}

class LoopJump {
  readonly kind: "break" | "continue";
  constructor(kind: "break" | "continue") {
    this.kind = kind;
  }
}

class Return extends Exit {}

const maxSubstitutionBytes = 1_024 * 1_024;
const maxDepth = 200;
/**
 * Number of commands between two yields to the event loop. The yields are necessary because a script may contain an endless loop.
 */
const commandsPerPause = 100;

/**
 * Built-in shell for a subset of POSIX sh that is sufficient for scripts in manifests. It never runs host programs. Unknown
 * commands fail with status 127 unless `unknownCommand` replaces them.
 */
export class Shell {
  readonly #world: ShellWorld;
  #variables: Map<string, string>;
  #exported: Set<string>;
  #functions = new Map<string, Command>();
  #arguments: readonly string[];
  #directory: string;
  #status = 0;
  /** Background jobs. */
  readonly #jobs = new Set<Promise<unknown>>();
  #options = { exitOnError: false, trace: false, failWithPipe: false };
  readonly #pace: { commands: number };
  readonly #depth: number;
  #calls = 0;

  constructor(
    world: ShellWorld,
    env: Readonly<Record<string, string>>,
    args: readonly string[],
    parent?: Shell,
  ) {
    this.#world = world;
    this.#arguments = args;
    if (parent) {
      this.#variables = new Map(parent.#variables);
      this.#exported = new Set(parent.#exported);
      this.#functions = new Map(parent.#functions);
      this.#directory = parent.#directory;
      this.#status = parent.#status;
      this.#options = { ...parent.#options };
      this.#pace = parent.#pace;
      this.#depth = parent.#depth + 1;
    } else {
      this.#variables = new Map(Object.entries(env));
      this.#exported = new Set(Object.keys(env));
      this.#directory = env.PWD ?? "/";
      this.#pace = { commands: 0 };
      this.#depth = 1;
    }
    if (this.#depth > maxDepth) throw new Error("nested too deeply");
  }

  /** Runs a script and returns its exit status. */
  async run(script: string, streams: Streams): Promise<number> {
    return this.#ended(async () => this.#list(parseScript(script), streams), streams);
  }

  /** Runs each line of `stdin` when it arrives. Prints `prompt` before each line. */
  async interact(streams: Streams, prompt: string | undefined): Promise<number> {
    return this.#ended(async () => {
      let pending = "";
      for (;;) {
        if (prompt !== undefined) await streams.stdout(pending ? "> " : prompt);
        const line = await readLine(streams.stdin, this.#world.signal);
        if (line === undefined) break;
        pending += `${line}\n`;
        let list: List;
        try {
          list = parseScript(pending);
        } catch (error) {
          if (error instanceof ShellSyntaxError && /missing|unterminated|end$/.test(error.message)) continue;
          pending = "";
          await streams.stderr(`sh: ${error instanceof Error ? error.message : ""}\n`);
          this.#status = 2;
          continue;
        }
        pending = "";
        await this.#list(list, streams);
      }
      if (pending) await streams.stderr("sh: syntax error: unexpected end of file\n");
    }, streams);
  }

  /** Runs one command given as a list of words, for example by `exec`. */
  async runWords(words: readonly string[], streams: Streams): Promise<number> {
    return this.#ended(async () => {
      this.#status = await this.#call(words, streams, this.#environment());
    }, streams);
  }

  async #ended(body: () => Promise<void>, streams: Streams): Promise<number> {
    try {
      await body();
      return this.#status;
    } catch (error) {
      if (error instanceof Exit) return error.status;
      if (error instanceof LoopJump) return 0;
      if (this.#world.signal.aborted) return signalExitCode(this.#world.signal);
      await streams.stderr(`sh: ${error instanceof Error ? error.message : String(error)}\n`);
      return error instanceof ShellSyntaxError ? 2 : 1;
    }
  }

  async #list(list: List, streams: Streams): Promise<void> {
    for (const { operator, pipeline, background } of list) {
      if (operator === "&&" && this.#status !== 0) continue;
      if (operator === "||" && this.#status === 0) continue;
      if (background) {
        // Background job. The job is stopped when the shell exits.
        this.#startJob(this.#inSubshell((shell) => shell.#pipeline(pipeline, streams), streams));
        this.#status = 0;
        continue;
      }
      await this.#pipeline(pipeline, streams);
      const tested = list.some((each) => each.operator !== ";");
      if (this.#options.exitOnError && this.#status !== 0 && !pipeline.negated && !tested)
        throw new Exit(this.#status);
    }
  }

  #startJob(job: Promise<unknown>): void {
    this.#jobs.add(job);
    void job.finally(() => this.#jobs.delete(job));
  }

  async #pipeline({ commands, negated }: Pipeline, streams: Streams): Promise<void> {
    if (commands.length === 1 && commands[0]) await this.#command(commands[0], streams);
    else this.#status = await this.#pipe(commands, streams);
    if (negated) this.#status = this.#status === 0 ? 1 : 0;
  }

  /** Runs the commands of a pipe concurrently. Each command has a separate subshell. */
  async #pipe(commands: readonly Command[], streams: Streams): Promise<number> {
    let { stdin } = streams;
    const statuses = commands.map((command, index) => {
      const last = index === commands.length - 1;
      const between = new PassThrough();
      between.on("error", () => undefined);
      const own = { ...streams, stdin, stdout: last ? streams.stdout : writerTo(between) };
      stdin = between;
      return this.#inSubshell(async (shell) => shell.#command(command, own), own).finally(() => {
        between.end();
        // Discards the remaining input of an exited command, so that the previous command of the pipe does not block.
        if (own.stdin !== streams.stdin) own.stdin.resume();
      });
    });
    const ended = await Promise.all(statuses);
    const failed = this.#options.failWithPipe ? ended.findLast((status) => status !== 0) : undefined;
    return failed ?? ended.at(-1) ?? 0;
  }

  #inSubshell(body: (shell: Shell) => Promise<void>, streams: Streams): Promise<number> {
    const shell = new Shell(this.#world, {}, this.#arguments, this);
    return shell.#ended(() => body(shell), streams);
  }

  async #command(command: Command, streams: Streams): Promise<void> {
    await this.#breathe();
    if (command.kind === "function") {
      this.#functions.set(command.name, command.body);
      this.#status = 0;
      return;
    }
    const redirected = await openRedirects(command.redirects, streams, {
      files: this.#world.files,
      absolute: (path) => this.#absolute(path),
      expand: (word) => expandWord(word, this.#expansion(streams)),
      setVariable: (name, value) => void this.#variables.set(name, value),
    });
    if (!redirected) {
      this.#status = 1;
      return;
    }
    try {
      await this.#run(command, redirected.streams);
    } finally {
      await redirected.close();
    }
  }

  async #run(command: Exclude<Command, { kind: "function" }>, streams: Streams): Promise<void> {
    switch (command.kind) {
      case "simple":
        return this.#simple(command, streams);
      case "group":
        if (!command.subshell) return this.#list(command.list, streams);
        this.#status = await this.#inSubshell((shell) => shell.#list(command.list, streams), streams);
        return;
      case "if": {
        for (const [condition, body] of command.branches)
          if (await this.#holds(condition, streams)) return this.#list(body, streams);
        this.#status = 0;
        if (command.otherwise) await this.#list(command.otherwise, streams);
        return;
      }
      case "while": {
        let status = 0;
        while ((await this.#holds(command.condition, streams)) !== command.until) {
          if (await this.#body(command.body, streams)) break;
          status = this.#status;
        }
        this.#status = status;
        return;
      }
      case "for": {
        this.#status = 0;
        for (const value of await expandWords(command.words, this.#expansion(streams))) {
          this.#variables.set(command.name, value);
          if (await this.#body(command.body, streams)) break;
        }
      }
    }
  }

  /** Runs a loop body once. True if the loop must end. */
  async #body(body: List, streams: Streams): Promise<boolean> {
    try {
      await this.#breathe();
      await this.#list(body, streams);
      return false;
    } catch (error) {
      if (error instanceof LoopJump) return error.kind === "break";
      throw error;
    }
  }

  async #holds(condition: List, streams: Streams): Promise<boolean> {
    const { exitOnError } = this.#options;
    this.#options.exitOnError = false;
    try {
      await this.#list(condition, streams);
    } finally {
      this.#options.exitOnError = exitOnError;
    }
    return this.#status === 0;
  }

  async #simple(command: Extract<Command, { kind: "simple" }>, streams: Streams): Promise<void> {
    const words = await expandWords(command.words, this.#expansion(streams));
    const values: [string, string][] = [];
    for (const [name, word] of command.assignments) {
      values.push([name, await expandWord(word, this.#expansion(streams))]);
    }
    if (words.length === 0) {
      for (const [name, value] of values) this.#variables.set(name, value);
      if (
        command.words.length === 0 &&
        !command.assignments.some(([, word]) => word.some((part) => part.kind === "output"))
      )
        this.#status = 0;
      return;
    }
    if (this.#options.trace) await streams.stderr(`+ ${words.join(" ")}\n`);
    this.#status = await this.#call(words, streams, {
      ...this.#environment(),
      ...Object.fromEntries(values),
    });
  }

  async #call(
    words: readonly string[],
    streams: Streams,
    env: Readonly<Record<string, string>>,
  ): Promise<number> {
    const [path = "", ...args] = words;
    const body = this.#functions.get(path);
    if (body) return this.#function(body, args, streams);
    const name = commandName(path);
    const own = await this.#own(commandsOfCommands.has(name) ? name : path, args, streams);
    if (own !== undefined) return own;
    if (shells.has(name)) return this.#shell(name, args, streams, env);
    const more = this.#world.commands;
    const command =
      more && Object.hasOwn(more, name)
        ? more[name]
        : Object.hasOwn(shellCommands, name)
          ? shellCommands[name]
          : undefined;
    if (!command) {
      const { unknownCommand } = this.#world;
      if (unknownCommand) return unknownCommand(path, streams.stderr);
      await streams.stderr(`sh: ${path}: not found\n`);
      return 127;
    }
    try {
      return await command({ ...this.#world, ...streams, args, env, directory: this.#directory });
    } catch (error) {
      if (this.#world.signal.aborted) throw error;
      await streams.stderr(`${failureText(name, error)}\n`);
      return 1;
    }
  }

  async #function(body: Command, args: readonly string[], streams: Streams): Promise<number> {
    const before = this.#arguments;
    this.#arguments = [before[0] ?? "sh", ...args];
    this.#calls += 1;
    try {
      if (this.#calls > maxDepth) throw new Error("nested too deeply");
      await this.#command(body, streams);
      return this.#status;
    } catch (error) {
      if (error instanceof Return) return error.status;
      throw error;
    } finally {
      this.#arguments = before;
      this.#calls -= 1;
    }
  }

  #isKnown(path: string): boolean {
    const name = commandName(path);
    return shells.has(name) || commandsOfCommands.has(name) || Object.hasOwn(shellCommands, name);
  }

  /** Simulates a program that the shell does not support. It runs until it is stopped. */
  async #foreignProgram(): Promise<number> {
    const { signal, started } = this.#world;
    started?.();
    if (!signal.aborted)
      await new Promise((resolve) => signal.addEventListener("abort", resolve, { once: true }));
    return signalExitCode(signal);
  }

  /** `timeout DURATION COMMAND`. The exit status is 124 if the time limit stopped the command. */
  async #timeout(args: readonly string[], streams: Streams): Promise<number> {
    const words = args.slice(
      args.findIndex((each, at) => /^\d/.test(each) && !/^-[ks]$/.test(args[at - 1] ?? "")),
    );
    const [, number, unit = ""] = /^(\d*\.?\d+)([smhd]?)$/.exec(words[0] ?? "") ?? [];
    if (number === undefined || words.length < 2)
      throw new Error("timeout: a duration and a command are needed");
    const factor = { "": 1, s: 1, m: 60, h: 3_600, d: 86_400 }[unit] ?? 1;
    const late = new AbortController();
    const done = new AbortController();
    const { clock, signal } = this.#world;
    const waiting = clock.sleep(Number(number) * factor * 1_000, done.signal).then(
      () => late.abort("SIGTERM"),
      () => undefined,
    );
    const world = { ...this.#world, signal: AbortSignal.any([signal, late.signal]) };
    const status = await new Shell(world, {}, this.#arguments, this).runWords(words.slice(1), streams);
    done.abort();
    await waiting;
    return late.signal.aborted && !signal.aborted ? 124 : status;
  }

  /**
   * `flock [OPTIONS] DESCRIPTOR|FILE [COMMAND]`. Locking always succeeds because no second process can hold the lock in a
   * simulated container.
   */
  async #flock(args: readonly string[], streams: Streams): Promise<number> {
    const first = args.findIndex((each, at) => !each.startsWith("-") && !/^-[wE]$/.test(args[at - 1] ?? ""));
    if (first < 0) throw new Error("flock: a descriptor or a file is needed");
    if (args.includes("--verbose")) await streams.stdout("flock: getting lock took 0.000001 seconds\n");
    const words = args.slice(first + 1);
    if (words.length === 0) return 0;
    return this.#call(words[0] === "-c" ? ["sh", ...words] : words, streams, this.#environment());
  }

  /** `chroot DIRECTORY [COMMAND]`. The command can access only files below the directory. Default: a shell. */
  async #chroot(args: readonly string[], streams: Streams): Promise<number> {
    const [directory, ...words] = args;
    if (directory === undefined) throw new Error("chroot: missing operand");
    try {
      // A read-only directory is refused because the new root would be writable.
      const root = await this.#world.files.resolveForWriting(this.#absolute(directory));
      if (!(await stat(root)).isDirectory()) throw new Error("Not a directory");
      const world = { ...this.#world, files: new ContainerFiles(root, []) };
      const shell = new Shell(world, {}, this.#arguments, this);
      shell.#directory = "/";
      return await shell.runWords(words.length > 0 ? words : ["sh"], streams);
    } catch (error) {
      await streams.stderr(`chroot: cannot change root directory to '${directory}': ${reason(error)}\n`);
      return 125;
    }
  }

  /** Runs a nested shell: `sh -c SCRIPT`, `sh FILE` or `sh`. */
  async #shell(
    name: string,
    args: readonly string[],
    streams: Streams,
    env: Readonly<Record<string, string>>,
  ): Promise<number> {
    if (name === "busybox") return this.#call(args.length > 0 ? args : ["sh"], streams, env);
    const flags = args.findIndex((each) => !/^[-+]/.test(each));
    const options = args.slice(0, flags < 0 ? undefined : flags);
    const rest = flags < 0 ? [] : args.slice(flags);
    const script = options.some((each) => /^-[a-z]*c/.test(each));
    const shell = new Shell(
      this.#world,
      { ...env, PWD: this.#directory },
      script ? [rest[1] ?? name, ...rest.slice(2)] : [name, ...rest.slice(1)],
    );
    for (const each of options) shell.#set(each);
    if (script) return shell.run(rest[0] ?? "", streams);
    if (rest[0] === undefined) return shell.interact(streams, undefined);
    const file = await open(await this.#world.files.resolve(this.#absolute(rest[0])));
    try {
      return await shell.run(await file.readFile("utf8"), streams);
    } finally {
      await file.close();
    }
  }

  /** Runs a command that changes the shell's own state. `undefined` for other commands. */
  async #own(name: string, args: readonly string[], streams: Streams): Promise<number | undefined> {
    const [first] = args;
    switch (name) {
      case "exit":
        throw new Exit(first === undefined ? this.#status : Number(first) & 255);
      case "return":
        throw new Return(first === undefined ? this.#status : Number(first) & 255);
      case "break":
      case "continue":
        throw new LoopJump(name);
      case "cd":
        return this.#changeDirectory(first ?? this.#variables.get("HOME") ?? "/", streams);
      case "export":
      case "local":
      case "readonly":
        for (const each of args) {
          const [, variable = "", value] = /^([A-Za-z_]\w*)(?:=([\s\S]*))?$/.exec(each) ?? [];
          if (value !== undefined) this.#variables.set(variable, value);
          if (name === "export") this.#exported.add(variable);
        }
        return 0;
      case "unset":
        for (const each of args) this.#variables.delete(each);
        return 0;
      case "set":
        args.forEach((each, index) => {
          this.#set(each, args[index + 1]);
        });
        if (args.includes("--"))
          this.#arguments = [this.#arguments[0] ?? "sh", ...args.slice(args.indexOf("--") + 1)];
        return 0;
      case "shift":
        this.#arguments = [this.#arguments[0] ?? "sh", ...this.#arguments.slice(1 + Number(first ?? 1))];
        return 0;
      case "read": {
        const line = await readLine(streams.stdin, this.#world.signal);
        const names = args.filter((each) => !each.startsWith("-"));
        const values = (line ?? "").trim().split(/\s+/);
        names.forEach((each, index) => {
          this.#variables.set(
            each,
            index === names.length - 1 ? values.slice(index).join(" ") : (values[index] ?? ""),
          );
        });
        return line === undefined ? 1 : 0;
      }
      case "eval":
        await this.#list(parseScript(args.join(" ")), streams);
        return this.#status;
      case "exec":
        if (args.length === 0) return 0;
        if (!this.#isKnown(args[0] ?? "")) throw new Exit(await this.#foreignProgram());
        throw new Exit(await this.#call(args, streams, this.#environment()));
      case "command":
        if (first === "-v") return this.#call(["which", ...args.slice(1)], streams, this.#environment());
        return this.#call(args, streams, this.#environment());
      case "time":
      case "nohup":
        return this.#call(args, streams, this.#environment());
      case "timeout":
        return this.#timeout(args, streams);
      case "flock":
        return this.#flock(args, streams);
      case "chroot":
        return this.#chroot(args, streams);
      case "wait":
        await Promise.all(this.#jobs);
        return this.#world.signal.aborted ? signalExitCode(this.#world.signal) : 0;
      case "trap":
      case "umask":
      case "ulimit":
      case "sync":
        return 0;
      default:
        return undefined;
    }
  }

  /** Sets a shell option. `name` is the argument of `-o`. */
  #set(option: string, name?: string): void {
    if (name === "pipefail" && /^[-+][a-z]*o$/.test(option))
      this.#options.failWithPipe = option.startsWith("-");
    if (/^-[a-z]*e/.test(option)) this.#options.exitOnError = true;
    if (/^\+[a-z]*e/.test(option)) this.#options.exitOnError = false;
    if (/^-[a-z]*x/.test(option)) this.#options.trace = true;
    if (/^\+[a-z]*x/.test(option)) this.#options.trace = false;
  }

  async #changeDirectory(to: string, streams: Streams): Promise<number> {
    const path = this.#absolute(to);
    const place = await this.#world.files.resolve(path);
    const isDirectory = await stat(place).then(
      (found) => found.isDirectory(),
      () => false,
    );
    if (!isDirectory) {
      await streams.stderr(`sh: cd: can't cd to ${to}: No such file or directory\n`);
      return 1;
    }
    this.#directory = path;
    this.#variables.set("PWD", path);
    return 0;
  }

  #absolute(path: string): string {
    return this.#world.files.absolute(path, this.#directory);
  }

  #environment(): Readonly<Record<string, string>> {
    return Object.fromEntries([...this.#variables].filter(([name]) => this.#exported.has(name)));
  }

  #expansion(streams: Streams) {
    return {
      variable: (name: string) => this.#value(name),
      assign: (name: string, value: string) => void this.#variables.set(name, value),
      list: () => this.#arguments.slice(1),
      arithmetic: (text: string) => arithmetic(text, (name) => this.#value(name) ?? ""),
      output: (list: List) => this.#outputOf(list, streams),
      entries: async (directory: string) =>
        readdir(await this.#world.files.resolve(this.#absolute(directory))),
    };
  }

  #value(name: string): string | undefined {
    if (name === "?") return String(this.#status);
    if (name === "#") return String(Math.max(0, this.#arguments.length - 1));
    if (name === "@" || name === "*") return this.#arguments.slice(1).join(" ");
    if (name === "$" || name === "!") return "1";
    return /^\d+$/.test(name) ? this.#arguments[Number(name)] : this.#variables.get(name);
  }

  async #outputOf(list: List, streams: Streams): Promise<string> {
    const chunks: Buffer[] = [];
    let size = 0;
    const stdout: Output = (chunk) => {
      const bytes = Buffer.from(chunk);
      size += bytes.length;
      if (size > maxSubstitutionBytes) throw new Error("the output of a command is too long");
      chunks.push(bytes);
    };
    this.#status = await this.#inSubshell((shell) => shell.#list(list, { ...streams, stdout }), streams);
    return Buffer.concat(chunks).toString().replace(/\n+$/, "");
  }

  /** Yields to the event loop from time to time. Throws if the shell was stopped. */
  async #breathe(): Promise<void> {
    const { signal, clock, started } = this.#world;
    signal.throwIfAborted();
    this.#pace.commands += 1;
    if (this.#pace.commands % commandsPerPause !== 0) return;
    // A script with this many commands is probably an endless loop, so it is reported as started.
    started?.();
    await clock.sleep(1, signal);
  }
}
