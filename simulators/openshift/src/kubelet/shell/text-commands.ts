import { createHash } from "node:crypto";
import { createReadStream, createWriteStream } from "node:fs";
import { finished } from "node:stream/promises";
import { type CommandIo, flagsOf, type ShellCommand } from "../containers/command.ts";
import { contentOf } from "./content.ts";
import { cut } from "./cut.ts";
import { egrep, fgrep, grep } from "./grep.ts";
import { tr } from "./tr.ts";

/** Text commands. They read files or standard input and write to standard output. */
export const textCommands: Readonly<Record<string, ShellCommand>> = {
  cat: async (io) => {
    let status = 0;
    for (const name of io.args.length > 0 ? io.args : ["-"]) {
      if (!(await copyOut(io, name))) status = 1;
    }
    return status;
  },
  head: async (io) => {
    const { count, names } = countOf(io.args);
    const lines = (await linesOf(io, names)).slice(0, count);
    await io.stdout(lines.map((line) => `${line}\n`).join(""));
    return 0;
  },
  tail: async (io) => {
    const { count, names } = countOf(io.args);
    if (io.args.includes("-f")) {
      const lines = names.length > 0 ? await linesOf(io, names) : [];
      await io.stdout(
        lines
          .slice(-count)
          .map((line) => `${line}\n`)
          .join(""),
      );
      // `tail -f` only waits for the stop signal, because the files of simulated containers do not change while it waits.
      io.started?.();
      await new Promise((resolve) => io.signal.addEventListener("abort", resolve, { once: true }));
      return 143;
    }
    const lines = (await linesOf(io, names)).slice(-count);
    await io.stdout(lines.map((line) => `${line}\n`).join(""));
    return 0;
  },
  wc: async (io) => {
    const { flags, rest } = flagsOf(io.args);
    const text = (await contentOf(io, rest)).toString();
    const counts = {
      l: text.split("\n").length - 1,
      w: text.split(/\s+/).filter((each) => each !== "").length,
      c: Buffer.byteLength(text),
    };
    const wanted = [...(flags || "lwc")].map((flag) =>
      flag === "l" || flag === "w" || flag === "c" ? counts[flag] : 0,
    );
    await io.stdout(`${wanted.join(" ")}${rest.length > 0 ? ` ${rest[0]}` : ""}\n`);
    return 0;
  },
  cut,
  egrep,
  fgrep,
  grep,
  tr,
  sort: async (io) => {
    const { flags, rest } = flagsOf(io.args);
    const lines = (await linesOf(io, rest)).toSorted((a, b) =>
      flags.includes("n") ? Number.parseFloat(a) - Number.parseFloat(b) : a < b ? -1 : a > b ? 1 : 0,
    );
    const shown = flags.includes("u") ? [...new Set(lines)] : lines;
    await io.stdout((flags.includes("r") ? shown.toReversed() : shown).map((line) => `${line}\n`).join(""));
    return 0;
  },
  uniq: async (io) => {
    const lines = await linesOf(io, io.args);
    await io.stdout(
      lines
        .filter((line, index) => line !== lines[index - 1])
        .map((line) => `${line}\n`)
        .join(""),
    );
    return 0;
  },
  tee: async (io) => {
    const { flags, rest } = flagsOf(io.args);
    const files = await Promise.all(
      rest.map(async (name) =>
        createWriteStream(await io.files.resolveForWriting(io.files.absolute(name, io.directory)), {
          flags: flags.includes("a") ? "a" : "w",
        }),
      ),
    );
    for await (const chunk of io.stdin) {
      for (const file of files) file.write(chunk);
      await io.stdout(chunk);
    }
    await Promise.all(files.map((file) => finished(file.end())));
    return 0;
  },
  base64: async (io) => {
    const { flags, rest } = flagsOf(io.args);
    const bytes = await contentOf(io, rest);
    const out = flags.includes("d")
      ? Buffer.from(bytes.toString(), "base64")
      : `${bytes.toString("base64").replace(/.{76}(?=.)/g, "$&\n")}\n`;
    await io.stdout(out);
    return 0;
  },
  md5sum: (io) => digest(io, "md5"),
  sha256sum: (io) => digest(io, "sha256"),
};

async function linesOf(io: CommandIo, names: readonly string[]): Promise<readonly string[]> {
  const text = (await contentOf(io, names)).toString();
  const lines = text.split("\n");
  if (lines.at(-1) === "") lines.pop();
  return lines;
}

/**
 * Writes a file to the output and waits while the reader is slow. If the file does not exist, prints the error and returns false.
 */
async function copyOut(io: CommandIo, name: string): Promise<boolean> {
  try {
    const source =
      name === "-"
        ? io.stdin
        : createReadStream(await io.files.resolve(io.files.absolute(name, io.directory)));
    for await (const chunk of source) {
      if (io.signal.aborted) return false;
      await io.stdout(chunk);
    }
    return true;
  } catch (error) {
    const code = error instanceof Error && "code" in error ? error.code : "";
    const why = code === "EISDIR" ? "read error: Is a directory" : "No such file or directory";
    await io.stderr(`cat: ${code === "EISDIR" ? "" : "can't open "}'${name}': ${why}\n`);
    return false;
  }
}

function countOf(args: readonly string[]): { readonly count: number; readonly names: readonly string[] } {
  const names: string[] = [];
  let count = 10;
  for (let at = 0; at < args.length; at++) {
    const arg = args[at] ?? "";
    if (arg === "-n") count = Math.abs(Number(args[++at] ?? 10));
    else if (/^-n?\d+$/.test(arg)) count = Number(arg.replace(/^-n?/, ""));
    else if (arg !== "-f") names.push(arg);
  }
  return { count, names };
}

async function digest(io: CommandIo, algorithm: string): Promise<number> {
  for (const name of io.args.length > 0 ? io.args : ["-"]) {
    const hash = createHash(algorithm)
      .update(await contentOf(io, [name]))
      .digest("hex");
    await io.stdout(`${hash}  ${name}\n`);
  }
  return 0;
}
