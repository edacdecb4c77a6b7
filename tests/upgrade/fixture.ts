import { execFile } from "node:child_process";
import { readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { brotliCompress, brotliDecompress, constants } from "node:zlib";

const folder = join(import.meta.dirname, "fixtures");

/** What an earlier version said of the clusters in its state directory, and what it was doing when it was killed. */
export interface FixtureFacts {
  readonly commit: string;
  /** A finished cluster as its GET showed it, and its credentials. */
  readonly demo: { readonly cluster: unknown; readonly credentials: unknown };
  /** Names of clusters whose creation and deletion were cut off. */
  readonly creating: string;
  readonly deleting: string;
}

/** What of a fixture is in Cosmos DB, whose simulated account lives in memory, as a file of its state directory. */
export const cosmosFile = "cosmos.json";

/** Programs leave these behind for those that run; no part of the state. */
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
  await writeFile(join(folder, `${name}.tar.br`), await promisify(brotliCompress)(content, { params }));
  await writeFile(join(folder, `${name}.json`), `${JSON.stringify(facts, undefined, 2)}\n`);
}

/** Unpacks the state directory of an earlier version into an empty one. */
export async function unpackFixture(name: string, state: string): Promise<FixtureFacts> {
  const archive = join(state, "fixture.tar");
  const packed = await readFile(join(folder, `${name}.tar.br`));
  await writeFile(archive, await promisify(brotliDecompress)(packed));
  await promisify(execFile)("tar", ["-x", "-f", archive, "-C", state]);
  await rm(archive);
  return JSON.parse(await readFile(join(folder, `${name}.json`), "utf8"));
}
