import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { isDeepStrictEqual } from "node:util";
import { Secret } from "@keelson/base";
import { openGraph } from "../../libraries/installers/src/install/sealed-graph.ts";
import { type OutputShape, shapeOf } from "../../libraries/installers/src/testing/output-shape.ts";

const goldenFile = new URL(
  "../../libraries/installers/src/testing/golden/aro-installer.json",
  import.meta.url,
);

/**
 * Creates a wrapper program that runs the installer. After `create manifests`, the program copies the installer's files and
 * blobs.
 */
export class RecordedInstaller {
  /** Absolute path of the wrapper program. */
  readonly program: string;
  readonly #copies: string;

  /** `state` is the state directory of the simulation. */
  constructor(directory: string, installer: string, state: string) {
    const programs = join(directory, "recorded");
    this.#copies = join(programs, "copies");
    this.program = join(programs, "installer");
    mkdirSync(this.#copies, { recursive: true });
    const lines = [
      "#!/bin/sh",
      // The golden file contains the file modes that result from this umask.
      "umask 022",
      `'${installer}' "$@"`,
      "code=$?",
      `if [ "$2" = manifests ] && [ ! -e '${this.#copies}/output' ]; then`,
      `  cp -a /output '${this.#copies}/output'`,
      `  cp -a '${state}/azure-blobs' '${this.#copies}/blobs'`,
      "fi",
      "exit $code",
      "",
    ];
    writeFileSync(this.program, lines.join("\n"), { mode: 0o755 });
  }

  /**
   * Compares the installer's output for the first cluster, which has a service principal, with the golden file. The golden file
   * was recorded from an earlier run of the real installer. Returns one sentence per difference.
   */
  differences(graphKey: string): readonly string[] {
    const directory = join(this.#copies, "output");
    if (!existsSync(directory)) return ["no files of create manifests were recorded"];
    const graph = { text: "{}" };
    const bootstrap = readFileSync(join(directory, "bootstrap.ign"));
    const blobs = readdirSync(join(this.#copies, "blobs")).map((file) => {
      const bytes = readFileSync(join(this.#copies, "blobs", file));
      if (bytes.equals(bootstrap)) return "ignition/bootstrap.ign";
      graph.text = openGraph(bytes, new Secret(graphKey));
      return "aro/graph";
    });
    const shape = shapeOf({ directory, graph: graph.text, blobs });
    const golden: OutputShape = JSON.parse(readFileSync(goldenFile, "utf8"));
    return Object.entries(shape)
      .filter(([part, value]) => !isDeepStrictEqual(value, golden[part as keyof OutputShape]))
      .map(([part, value]) => `${part} differ from golden/aro-installer.json: ${JSON.stringify(value)}`);
  }
}
