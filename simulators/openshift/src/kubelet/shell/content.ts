import { createReadStream } from "node:fs";
import { type CommandIo, readAll } from "../containers/command.ts";

/** Reads the named files. Without names, reads standard input. */
export async function contentOf(io: CommandIo, names: readonly string[]): Promise<Buffer> {
  if (names.length === 0 || names[0] === "-") return readAll(io.stdin);
  const contents: Buffer[] = [];
  for (const name of names) {
    contents.push(
      await readAll(createReadStream(await io.files.resolve(io.files.absolute(name, io.directory)))),
    );
  }
  return Buffer.concat(contents);
}
