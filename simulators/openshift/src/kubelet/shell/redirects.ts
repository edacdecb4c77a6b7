import { createReadStream, createWriteStream } from "node:fs";
import { Readable } from "node:stream";
import { finished } from "node:stream/promises";
import type { CommandIo, Output } from "../containers/command.ts";
import { reason } from "./command-errors.ts";
import type { Redirect, Word } from "./parse.ts";
import { discard, type Streams, writerTo } from "./streams.ts";

/** Parts of a shell that redirections use. */
interface RedirectingShell extends Pick<CommandIo, "files"> {
  readonly absolute: (path: string) => string;
  readonly expand: (word: Word) => Promise<string>;
  readonly setVariable: (name: string, value: string) => void;
}

interface OpenedRedirects {
  readonly streams: Streams;
  readonly close: () => Promise<void>;
}

/** Opens the redirections of a command. If a file cannot be opened, prints the error and returns `undefined`. */
export async function openRedirects(
  redirects: readonly Redirect[],
  streams: Streams,
  { files, absolute, expand, setVariable }: RedirectingShell,
): Promise<OpenedRedirects | undefined> {
  const closing: (() => Promise<unknown>)[] = [];
  const close = async () => {
    for (const each of closing) await each();
  };
  let current = streams;
  const set = (descriptor: number, output: Output) => {
    if (descriptor === 1 || descriptor === -1) current = { ...current, stdout: output };
    if (descriptor === 2 || descriptor === -1) current = { ...current, stderr: output };
  };
  for (const { descriptor, operator, target, variable } of redirects) {
    if (variable !== undefined) setVariable(variable, String(descriptor));
    const text = await expand(target);
    if (operator === ">&") {
      set(descriptor, text === "2" ? current.stderr : text === "1" ? current.stdout : discard);
    } else if (operator === "<<") {
      current = { ...current, stdin: Readable.from([Buffer.from(text)]) };
    } else if (text === "/dev/null") {
      if (operator === "<") current = { ...current, stdin: Readable.from([]) };
      else set(descriptor, discard);
    } else if (text === "/dev/stderr" || text === "/dev/stdout") {
      set(descriptor, text === "/dev/stderr" ? current.stderr : current.stdout);
    } else {
      try {
        const path = absolute(text);
        if (operator === "<") {
          const file = createReadStream(await files.resolve(path));
          await opened(file);
          closing.push(async () => file.destroy());
          current = { ...current, stdin: file };
        } else {
          const place = await files.resolveForWriting(path);
          const file = createWriteStream(place, { flags: operator === ">>" ? "a" : "w" });
          await opened(file);
          closing.push(() => finished(file.end()));
          set(descriptor, writerTo(file));
        }
      } catch (error) {
        await streams.stderr(`sh: can't open '${text}': ${reason(error)}\n`);
        await close();
        return undefined;
      }
    }
  }
  return { streams: current, close };
}

function opened(stream: NodeJS.EventEmitter): Promise<void> {
  return new Promise((resolve, reject) => stream.once("open", () => resolve()).once("error", reject));
}
