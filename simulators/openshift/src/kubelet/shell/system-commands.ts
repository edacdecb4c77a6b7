import { apiServerCommands } from "../api-server/commands.ts";
import { type CommandIo, flagsOf, type ShellCommand } from "../containers/command.ts";
import { fileCommands } from "./file-commands.ts";
import { textCommands } from "./text-commands.ts";

/** All commands of the built-in shell except those that change the shell's own state. */
export const shellCommands: Readonly<Record<string, ShellCommand>> = {
  ...textCommands,
  ...fileCommands,
  ...apiServerCommands,
  ":": async () => 0,
  true: async () => 0,
  false: async () => 1,
  echo: async (io) => {
    const { flags, rest } = echoFlags(io.args);
    const text = rest.join(" ");
    await io.stdout(`${flags.includes("e") ? unescaped(text) : text}${flags.includes("n") ? "" : "\n"}`);
    return 0;
  },
  printf: async (io) => {
    await io.stdout(format(io.args[0] ?? "", io.args.slice(1)));
    return 0;
  },
  env: printEnvironment,
  printenv: async (io) => {
    const [name] = io.args;
    if (name === undefined) return printEnvironment(io);
    const value = io.env[name];
    if (value === undefined) return 1;
    await io.stdout(`${value}\n`);
    return 0;
  },
  hostname: async (io) => line(io, io.env.HOSTNAME ?? "localhost"),
  pwd: async (io) => line(io, io.directory),
  whoami: async (io) => line(io, "root"),
  id: async (io) =>
    line(io, flagsOf(io.args).flags.includes("u") ? "0" : "uid=0(root) gid=0(root) groups=0(root)"),
  uname: async (io) =>
    line(
      io,
      flagsOf(io.args).flags.includes("a")
        ? `Linux ${io.env.HOSTNAME ?? "localhost"} 5.14.0 x86_64 Linux`
        : "Linux",
    ),
  nproc: async (io) => line(io, "1"),
  date: async (io) => {
    const now = io.clock.now();
    const pattern = io.args.find((each) => each.startsWith("+"));
    return line(
      io,
      pattern
        ? formatDate(pattern.slice(1), now)
        : now.toUTCString().replace(/^(\w+), (\d+) (\w+) (\d+) ([\d:]+) GMT$/, "$1 $3 $2 $5 UTC $4"),
    );
  },
  seq: async (io) => {
    const numbers = io.args.map(Number);
    const [first, step, last] =
      numbers.length === 1
        ? [1, 1, numbers[0]]
        : numbers.length === 2
          ? [numbers[0], 1, numbers[1]]
          : numbers;
    if (first === undefined || last === undefined || !step || numbers.some(Number.isNaN))
      throw new Error("seq: invalid number");
    for (let value = first; step > 0 ? value <= last : value >= last; value += step) {
      if (io.signal.aborted) return 143;
      await io.stdout(`${value}\n`);
    }
    return 0;
  },
  sleep: async (io) => {
    const units: Readonly<Record<string, number>> = { s: 1, m: 60, h: 3_600, d: 86_400 };
    let seconds = 0;
    for (const arg of io.args) {
      const [, number, unit = "s"] = /^(\d*\.?\d+)([smhd]?)$/.exec(arg) ?? [];
      if (arg === "infinity" || arg === "inf") seconds = Infinity;
      else if (number === undefined) throw new Error(`sleep: invalid number '${arg}'`);
      else seconds += Number(number) * (units[unit || "s"] ?? 1);
    }
    io.started?.();
    await sleepLong(io, seconds * 1_000);
    return 0;
  },
  basename: async (io) => {
    const [path = "", suffix = ""] = io.args;
    const name = path.replace(/\/+$/, "").replace(/^.*\//, "");
    return line(io, suffix && name.endsWith(suffix) ? name.slice(0, -suffix.length) : name);
  },
  dirname: async (io) => line(io, (io.args[0] ?? "").replace(/\/+$/, "").replace(/\/?[^/]*$/, "") || "."),
  which: async (io) => {
    const name = io.args[0] ?? "";
    return name in shellCommands || shells.has(name) ? line(io, `/bin/${name}`) : 1;
  },
};

/** Names of the shell command. */
export const shells: ReadonlySet<string> = new Set(["sh", "bash", "ash", "dash", "busybox"]);

async function line(io: CommandIo, text: string): Promise<number> {
  await io.stdout(`${text}\n`);
  return 0;
}

async function printEnvironment(io: CommandIo): Promise<number> {
  await io.stdout(
    Object.entries(io.env)
      .map(([name, value]) => `${name}=${value}\n`)
      .join(""),
  );
  return 0;
}

/** Sleeps for any duration. A single JavaScript timer cannot exceed 24 days. */
async function sleepLong({ clock, signal }: CommandIo, ms: number): Promise<void> {
  const most = 2_000_000_000;
  for (let left = ms; left > 0; left -= most) await clock.sleep(Math.min(left, most), signal);
}

function echoFlags(args: readonly string[]): { readonly flags: string; readonly rest: readonly string[] } {
  let at = 0;
  while (/^-[neE]+$/.test(args[at] ?? "")) at++;
  return { flags: args.slice(0, at).join(""), rest: args.slice(at) };
}

function unescaped(text: string): string {
  const known: Readonly<Record<string, string>> = {
    n: "\n",
    t: "\t",
    r: "\r",
    "\\": "\\",
    a: "\x07",
    b: "\b",
    "0": "\0",
  };
  return text.replace(/\\(.)/g, (whole, letter: string) => known[letter] ?? whole);
}

function format(pattern: string, args: readonly string[]): string {
  let used = 0;
  const once = () =>
    unescaped(pattern).replace(/%(-?\d*)(?:\.\d+)?([sdif%])/g, (_whole, width: string, kind: string) => {
      if (kind === "%") return "%";
      const value = args[used++] ?? (kind === "s" ? "" : "0");
      const text =
        kind === "s" ? value : String(kind === "f" ? Number(value).toFixed(6) : Math.trunc(Number(value)));
      const size = Math.min(1_000, Math.abs(Number(width || 0)));
      return width.startsWith("-") ? text.padEnd(size) : text.padStart(size);
    });
  let text = once();
  while (used > 0 && used < args.length) text += once();
  return text;
}

function formatDate(pattern: string, now: Date): string {
  const iso = now.toISOString();
  const parts: Readonly<Record<string, string>> = {
    Y: iso.slice(0, 4),
    m: iso.slice(5, 7),
    d: iso.slice(8, 10),
    H: iso.slice(11, 13),
    M: iso.slice(14, 16),
    S: iso.slice(17, 19),
    F: iso.slice(0, 10),
    T: iso.slice(11, 19),
    s: String(Math.floor(now.getTime() / 1_000)),
    N: `${iso.slice(20, 23)}000000`,
    Z: "UTC",
    z: "+0000",
    "%": "%",
  };
  return pattern.replace(/%(.)/g, (whole, letter: string) => parts[letter] ?? whole);
}
