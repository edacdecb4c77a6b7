import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { extname, join } from "node:path";
import process from "node:process";
import { fileURLToPath } from "node:url";

/**
 * Creates a directory for `KUBEBUILDER_ASSETS`. Its programs `kube-apiserver` and `etcd` run Keelson's API server. Disposal
 * removes the directory.
 */
export function envtestAssets(): Disposable & { readonly directory: string } {
  const directory = mkdtempSync(join(tmpdir(), "keelson-assets-"));
  for (const name of ["kube-apiserver", "etcd"]) {
    const program = fileURLToPath(new URL(`./bin/${name}${extname(import.meta.url)}`, import.meta.url));
    const command = [process.execPath, "--disable-warning=ExperimentalWarning", program]
      .map(quoted)
      .join(" ");
    writeFileSync(join(directory, name), `#!/bin/sh\nexec ${command} "$@"\n`, { mode: 0o755 });
  }
  return { directory, [Symbol.dispose]: () => rmSync(directory, { recursive: true, force: true }) };
}

function quoted(word: string): string {
  return `'${word.replaceAll("'", "'\\''")}'`;
}
