import { execFile } from "node:child_process";
import { readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { promisify } from "node:util";
import { brotliCompress, brotliDecompress, constants } from "node:zlib";
import { FileLock, reservePort } from "@keelson/base";

const directory = join(import.meta.dirname, "fixtures");
const locks = join(import.meta.dirname, "../../.tools");

/** Facts about a fixture: the commit of the program, and the clusters in the state directory when the program was killed. */
export interface FixtureFacts {
  readonly commit: string;
  /** Completed cluster, as returned by a GET request, and its credentials. */
  readonly demo: { readonly cluster: unknown; readonly credentials: unknown };
  /** Name of the cluster with an interrupted creation. */
  readonly creating: string;
  /** Name of the cluster with an interrupted deletion. */
  readonly deleting: string;
}

/** File with the Cosmos DB documents of a fixture. The simulated account itself is only in memory. */
export const cosmosFile = "cosmos.json";

/** Files of running processes. A fixture does not contain them. */
const unneeded = ["*.log", "*.lock", "./pid", "./lock"];

export async function writeFixture(name: string, state: string, facts: FixtureFacts): Promise<void> {
  const args = ["-c", ...unneeded.map((each) => `--exclude=${each}`), "-C", state, "."];
  const { stdout: content } = await promisify(execFile)("tar", args, {
    encoding: "buffer",
    maxBuffer: 256 << 20,
  });
  const params = {
    [constants.BROTLI_PARAM_LGWIN]: constants.BROTLI_MAX_WINDOW_BITS,
    [constants.BROTLI_PARAM_SIZE_HINT]: content.length,
  };
  await writeFile(join(directory, `${name}.tar.br`), await promisify(brotliCompress)(content, { params }));
  await writeFile(join(directory, `${name}.json`), `${JSON.stringify(facts, undefined, 2)}\n`);
}

/** Unpacked fixture. Until disposal, no other test uses the ports of the fixture. */
export interface UnpackedFixture extends Disposable {
  readonly facts: FixtureFacts;
}

const pollMs = 200;

/**
 * Unpacks an earlier version's state directory into the empty directory `state`. The clusters in it have fixed ports. Therefore
 * waits until no other test uses the fixture and the ports are free.
 */
export async function unpackFixture(name: string, state: string): Promise<UnpackedFixture> {
  const lock = await lockFixture(name);
  try {
    const facts = await unpack(name, state);
    const ports: Readonly<Record<string, number>> = JSON.parse(
      await readFile(join(state, "ports.json"), "utf8"),
    );
    for (const port of Object.values(ports)) await untilFree(port);
    return { facts, [Symbol.dispose]: () => lock[Symbol.dispose]() };
  } catch (error) {
    lock[Symbol.dispose]();
    throw error;
  }
}

async function lockFixture(name: string): Promise<FileLock> {
  for (;;) {
    const lock = FileLock.acquire(join(locks, `fixture-${name}.lock`));
    if (lock) return lock;
    await delay(pollMs);
  }
}

async function untilFree(port: number): Promise<void> {
  for (;;) {
    const reservation = await reservePort(port);
    if (reservation) return reservation[Symbol.asyncDispose]();
    await delay(pollMs);
  }
}

async function unpack(name: string, state: string): Promise<FixtureFacts> {
  const archive = join(state, "fixture.tar");
  const packed = await readFile(join(directory, `${name}.tar.br`));
  await writeFile(archive, await promisify(brotliDecompress)(packed));
  await promisify(execFile)("tar", ["-x", "-f", archive, "-C", state]);
  await rm(archive);
  return JSON.parse(await readFile(join(directory, `${name}.json`), "utf8"));
}
