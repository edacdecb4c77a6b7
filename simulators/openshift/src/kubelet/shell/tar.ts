import { createReadStream, createWriteStream } from "node:fs";
import { chmod, lstat, mkdir, readdir, rm, utimes } from "node:fs/promises";
import { dirname, join } from "node:path";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { createGunzip, createGzip } from "node:zlib";
import { extract, type Header, pack } from "tar-stream";
import type { CommandIo } from "../containers/command.ts";
import { makeInertLink, readInertLink } from "../containers/inert-link.ts";

type Entry = ReturnType<typeof extract> extends AsyncIterable<infer E> ? E : never;

interface TarOptions {
  readonly mode: "c" | "x" | "t";
  readonly file: string;
  readonly gzip: boolean;
  readonly verbose: boolean;
  readonly directory: string;
  readonly names: readonly string[];
}

/**
 * `tar` command for `kubectl cp` (`tar cf - PATH`, `tar xmf - -C PATH`) and interactive use. Names and links in an archive cannot
 * escape the container's files.
 */
export async function tar(io: CommandIo): Promise<number> {
  const options = parseOptions(io);
  const status = { code: 0 };
  if (options.mode === "c") await create(io, options, status);
  else await read(io, options);
  return status.code;
}

function parseOptions(io: CommandIo): TarOptions {
  const [first = "", ...others] = io.args;
  const args = [first.startsWith("-") ? first : `-${first}`, ...others];
  const names: string[] = [];
  let flags = "";
  let file = "-";
  let { directory } = io;
  for (let at = 0; at < args.length; at++) {
    const arg = args[at] ?? "";
    if (arg === "-C") directory = io.files.absolute(args[++at] ?? "", io.directory);
    else if (arg.startsWith("--")) continue;
    else if (arg.startsWith("-") && arg.length > 1) {
      flags += arg.slice(1);
      if (arg.endsWith("f")) file = args[++at] ?? "-";
    } else names.push(arg);
  }
  const mode = /[cxt]/.exec(flags)?.[0];
  if (mode !== "c" && mode !== "x" && mode !== "t") throw new Error("tar: must specify one of -c, -x, -t");
  return { mode, file, gzip: flags.includes("z"), verbose: flags.includes("v"), directory, names };
}

async function create(io: CommandIo, options: TarOptions, status: { code: number }): Promise<void> {
  const { files, directory } = io;
  const archive = pack();
  const filling = (async () => {
    for (const name of options.names) {
      const path = files.absolute(name, options.directory);
      try {
        await add(archive, io, path, name.replace(/^\/+/, "").replace(/\/+$/, "") || ".");
      } catch {
        status.code = 1;
        await io.stderr(`tar: ${name}: Cannot stat: No such file or directory\n`);
      }
    }
    archive.finalize();
  })();
  const bytes = Readable.from(archive);
  const source = options.gzip ? bytes.pipe(createGzip()) : bytes;
  if (options.file === "-") for await (const chunk of source) await io.stdout(chunk);
  else
    await pipeline(
      source,
      createWriteStream(await files.resolveForWriting(files.absolute(options.file, directory))),
    );
  await filling;
  if (status.code !== 0) await io.stderr("tar: Exiting with failure status due to previous errors\n");
}

async function add(
  archive: ReturnType<typeof pack>,
  io: CommandIo,
  path: string,
  name: string,
): Promise<void> {
  if (io.signal.aborted) throw new Error("stopped");
  const place = await io.files.resolve(path, true);
  const found = await lstat(place);
  const head = { name, mode: found.mode & 0o7777, mtime: found.mtime };
  if (found.isSymbolicLink()) {
    archive.entry({ ...head, type: "symlink", linkname: (await readInertLink(place)) ?? "" });
  } else if (found.isDirectory()) {
    archive.entry({ ...head, name: `${name}/`, type: "directory" });
    for (const entry of (await readdir(place)).toSorted())
      await add(archive, io, `${path}/${entry}`, `${name}/${entry}`);
  } else if (found.isFile()) {
    const entry = archive.entry({ ...head, type: "file", size: found.size });
    await pipeline(createReadStream(place, { end: Math.max(0, found.size - 1) }), entry);
  }
}

async function read(io: CommandIo, options: TarOptions): Promise<void> {
  const { files } = io;
  const raw =
    options.file === "-"
      ? io.stdin
      : createReadStream(await files.resolve(files.absolute(options.file, io.directory)));
  const archive = extract();
  const source = options.gzip ? raw.pipe(createGunzip()) : raw;
  const feeding = pipeline(source, archive);
  // The loop below handles the error of a damaged archive.
  feeding.catch(() => undefined);
  for await (const entry of archive) {
    const { header } = entry;
    const wanted =
      options.names.length === 0 ||
      options.names.some(
        (name) => header.name === name || header.name.startsWith(`${name.replace(/\/$/, "")}/`),
      );
    if (options.mode === "t" || options.verbose) await io.stdout(`${header.name}\n`);
    if (options.mode === "x" && wanted)
      await unpack(io, files.absolute(relative(header.name), options.directory), header, entry);
    else entry.resume();
  }
  await feeding;
}

/** Converts an archive name to a path below the target directory. Removes `..` and leading slashes. */
function relative(name: string): string {
  return name
    .split("/")
    .filter((part) => part !== "" && part !== "." && part !== "..")
    .join("/");
}

async function unpack({ files }: CommandIo, path: string, header: Header, entry: Entry): Promise<void> {
  if (header.type === "directory") {
    await skip(entry);
    await mkdir(await files.resolveForWriting(path), { recursive: true });
    return;
  }
  await mkdir(await files.resolveForWriting(dirname(path)), { recursive: true });
  const place = await files.resolveForWriting(path, true);
  if (header.type === "symlink" && header.linkname) {
    await skip(entry);
    await rm(place, { force: true });
    await makeInertLink(header.linkname, place);
    return;
  }
  if (header.type !== "file" && header.type !== "contiguous-file") {
    await skip(entry);
    return;
  }
  // Replaces an existing link instead of following it.
  const old = await lstat(place).catch(() => undefined);
  if (old?.isSymbolicLink()) await rm(place);
  await pipeline(entry, createWriteStream(place));
  if (header.mode !== undefined) await chmod(place, (header.mode & 0o777) | 0o600);
  if (header.mtime) await utimes(join(place), header.mtime, header.mtime);
}

async function skip(entry: Entry): Promise<void> {
  for await (const _ of entry);
}
