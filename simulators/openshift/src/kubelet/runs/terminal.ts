import { PassThrough, type Readable } from "node:stream";
import type { Output } from "../containers/command.ts";

/** Interface of a terminal to the program that runs in it. */
export interface Terminal {
  readonly stdin: Readable;
  readonly output: Output;
}

const control = { c: 3, d: 4, backspace: 8, newline: 10, return: 13, u: 21, delete: 127 } as const;
const maxLineBytes = 4_096;

/**
 * Simulates the line discipline of the kernel's terminal. Users edit lines, which are echoed before the program receives them.
 * Ctrl-C interrupts the program, Ctrl-D ends the input. Line feeds are sent as CR LF.
 */
export function terminal(input: Readable | undefined, write: Output, interrupt: () => void): Terminal {
  const stdin = new PassThrough();
  if (!input) stdin.end();
  else void editLines(input, stdin, write, interrupt);
  return {
    stdin,
    output: (chunk) => write(Buffer.from(Buffer.from(chunk).toString().replace(/\r?\n/g, "\r\n"))),
  };
}

async function editLines(
  input: Readable,
  stdin: PassThrough,
  echo: Output,
  interrupt: () => void,
): Promise<void> {
  let line: number[] = [];
  try {
    for await (const chunk of input) {
      for (const byte of Buffer.from(chunk)) {
        if (byte === control.return || byte === control.newline) {
          await echo("\r\n");
          stdin.write(Buffer.from([...line, control.newline]));
          line = [];
        } else if (byte === control.c) {
          await echo("^C\r\n");
          line = [];
          interrupt();
        } else if (byte === control.d) {
          if (line.length === 0) {
            stdin.end();
            return;
          }
        } else if (byte === control.delete || byte === control.backspace) {
          if (line.pop() !== undefined) await echo("\b \b");
        } else if (byte === control.u) {
          await echo("\b \b".repeat(line.length));
          line = [];
        } else if (line.length < maxLineBytes) {
          line.push(byte);
          await echo(Buffer.of(byte));
        }
      }
    }
  } catch {
    // The client has disconnected.
  }
  if (line.length > 0) stdin.write(Buffer.from(line));
  stdin.end();
}
