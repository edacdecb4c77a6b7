import { constants } from "node:fs";
import { access, cp, lstat, mkdir, readdir, rename, rm, stat, utimes, writeFile } from "node:fs/promises";
import { basename, join } from "node:path";
import { type CommandIo, flagsOf, type ShellCommand } from "../containers/command.ts";
import { makeInertLink } from "../containers/inert-link.ts";
import { parseOptions } from "./options.ts";
import { tar } from "./tar.ts";

/** Commands that operate on the container's files. */
export const fileCommands: Readonly<Record<string, ShellCommand>> = {
  ls,
  tar,
  mkdir: async (io) => {
    const { flags, rest } = flagsOf(io.args);
    for (const name of rest) await mkdir(await writable(io, name), { recursive: flags.includes("p") });
    return 0;
  },
  rmdir: async (io) => {
    for (const name of io.args) await rm(await writable(io, name), { recursive: false });
    return 0;
  },
  rm: async (io) => {
    const { flags, rest } = flagsOf(io.args);
    for (const name of rest) {
      const options = { recursive: /[rR]/.test(flags), force: flags.includes("f") };
      await rm(await io.files.resolveForWriting(io.files.absolute(name, io.directory), true), options);
    }
    return 0;
  },
  touch: async (io) => {
    const now = io.clock.now();
    for (const name of flagsOf(io.args).rest) {
      const place = await writable(io, name);
      await writeFile(place, "", { flag: "a" });
      await utimes(place, now, now);
    }
    return 0;
  },
  cp: copy,
  mv: async (io) => {
    const { rest } = flagsOf(io.args);
    // `mv` renames a link, not its target. Files in a read-only mount cannot be moved.
    for (const name of rest.slice(0, -1))
      await io.files.resolveForWriting(io.files.absolute(name, io.directory), true);
    for (const { from, to } of await pairs(io, rest, true)) await rename(from, to);
    return 0;
  },
  ln: async (io) => {
    const { flags, rest } = flagsOf(io.args);
    const [target = "", name = basename(target)] = rest;
    if (!flags.includes("s")) throw new Error("ln: only symbolic links are known");
    const place = await io.files.resolveForWriting(io.files.absolute(name, io.directory), true);
    if (flags.includes("f")) await rm(place, { force: true });
    await makeInertLink(target, place);
    return 0;
  },
  /** The simulation has no file ownership and permissions. */
  chmod: async () => 0,
  chown: async () => 0,
  test: testCommand,
  "[": (io) => testCommand({ ...io, args: io.args.slice(0, io.args.at(-1) === "]" ? -1 : undefined) }),
};

const copyOptions = "abdfiLnpPrRTuv";
const longCopyOptions = {
  archive: "a",
  force: "f",
  "no-clobber": "n",
  "no-dereference": "P",
  preserve: "p",
  recursive: "r",
  update: "u",
  verbose: "v",
};

async function copy(io: CommandIo): Promise<number> {
  const { options, rest } = parseOptions(io.args, copyOptions, longCopyOptions);
  const letters = new Set(options.map(([letter]) => letter));
  const keeps = letters.has("n") || io.args.includes("--update=none");
  const recursive = ["r", "R", "a"].some((letter) => letters.has(letter));
  for (const { name, from, to } of await pairs(io, rest)) {
    const isMissing = !(await lstat(from).catch(() => undefined));
    // An unknown file of the image is copied as an empty file. An existing destination stays unchanged.
    if (isMissing && (await io.unknownFile?.(io.files.absolute(name, io.directory), io.stderr)))
      await writeFile(to, "", { flag: "a", mode: 0o755 });
    else await cp(from, to, { recursive, verbatimSymlinks: true, force: !keeps });
  }
  return 0;
}

function writable(io: CommandIo, name: string): Promise<string> {
  return io.files.resolveForWriting(io.files.absolute(name, io.directory));
}

/** Source and destination of a copy as host paths. */
interface Pair {
  /** Source as the operand of the command. */
  readonly name: string;
  readonly from: string;
  readonly to: string;
}

/** Returns pairs of source and destination. The last operand is the destination file, or the directory for all sources. */
async function pairs(io: CommandIo, names: readonly string[], keepLink = false): Promise<readonly Pair[]> {
  const target = names.at(-1);
  if (target === undefined || names.length < 2) throw new Error("missing file operand");
  const place = await writable(io, target);
  const isDirectory = await stat(place).then(
    (found) => found.isDirectory(),
    () => false,
  );
  return Promise.all(
    names.slice(0, -1).map(async (name) => {
      const from = await io.files.resolve(io.files.absolute(name, io.directory), keepLink);
      return { name, from, to: isDirectory ? join(place, basename(name)) : place };
    }),
  );
}

async function ls(io: CommandIo): Promise<number> {
  const { flags, rest } = flagsOf(io.args);
  const names = rest.length > 0 ? rest : ["."];
  let status = 0;
  for (const name of names) {
    const place = await io.files.resolve(io.files.absolute(name, io.directory));
    try {
      const isDirectory = (await stat(place)).isDirectory() && !flags.includes("d");
      if (names.length > 1 && isDirectory) await io.stdout(`${name}:\n`);
      const entries = isDirectory ? (await readdir(place)).toSorted() : [name];
      const shown = entries.filter((entry) => /[aA]/.test(flags) || !isDirectory || !entry.startsWith("."));
      const lines = flags.includes("l")
        ? await Promise.all(shown.map((entry) => longLine(isDirectory ? join(place, entry) : place, entry)))
        : shown;
      await io.stdout(lines.map((line) => `${line}\n`).join(""));
    } catch {
      await io.stderr(`ls: ${name}: No such file or directory\n`);
      status = 1;
    }
  }
  return status;
}

async function longLine(place: string, name: string): Promise<string> {
  const found = await lstat(place);
  const kind = found.isDirectory() ? "d" : found.isSymbolicLink() ? "l" : "-";
  const mode = [6, 3, 0]
    .map((shift) =>
      [..."rwx"].map((letter, at) => ((found.mode >> shift) & (4 >> at) ? letter : "-")).join(""),
    )
    .join("");
  const [, month, day, , time] = found.mtime.toUTCString().match(/\w+, (\d+) (\w+) (\d+) (\d+:\d+)/) ?? [];
  return `${kind}${mode}    1 root     root     ${String(found.size).padStart(9)} ${day} ${month} ${time ?? ""} ${name}`;
}

/** `test` and `[` with file, string and number operators, `!`, `-a` and `-o`. */
async function testCommand(io: CommandIo): Promise<number> {
  const { args } = io;
  const or = args.indexOf("-o");
  if (or > 0) {
    const first = await testCommand({ ...io, args: args.slice(0, or) });
    return first === 0 ? 0 : testCommand({ ...io, args: args.slice(or + 1) });
  }
  const and = args.indexOf("-a");
  if (and > 0) {
    const first = await testCommand({ ...io, args: args.slice(0, and) });
    return first !== 0 ? first : testCommand({ ...io, args: args.slice(and + 1) });
  }
  if (args[0] === "!") return (await testCommand({ ...io, args: args.slice(1) })) === 0 ? 1 : 0;
  return (await holds(io)) ? 0 : 1;
}

async function holds(io: CommandIo): Promise<boolean> {
  const [a = "", b = "", c = ""] = io.args;
  if (io.args.length <= 1) return a !== "";
  if (io.args.length === 2) {
    if (a === "-n") return b !== "";
    if (a === "-z") return b === "";
    return fileTest(io, a, b);
  }
  switch (b) {
    case "=":
    case "==":
      return a === c;
    case "!=":
      return a !== c;
    case "-eq":
      return Number(a) === Number(c);
    case "-ne":
      return Number(a) !== Number(c);
    case "-lt":
      return Number(a) < Number(c);
    case "-le":
      return Number(a) <= Number(c);
    case "-gt":
      return Number(a) > Number(c);
    case "-ge":
      return Number(a) >= Number(c);
    default:
      throw new Error(`test: ${b}: unknown operand`);
  }
}

async function fileTest(io: CommandIo, flag: string, name: string): Promise<boolean> {
  const path = io.files.absolute(name, io.directory);
  const place = await io.files.resolve(path, flag === "-L" || flag === "-h");
  try {
    const found = await lstat(place);
    if (flag === "-d") return found.isDirectory();
    if (flag === "-f") return found.isFile();
    if (flag === "-s") return found.size > 0;
    if (flag === "-L" || flag === "-h") return found.isSymbolicLink();
    if (flag === "-x") await access(place, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
