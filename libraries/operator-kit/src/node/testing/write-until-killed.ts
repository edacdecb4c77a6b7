import process from "node:process";
import { NodeDisk } from "../node-disk.ts";

// Replaces a directory and a file repeatedly until the process is killed.
const [path = "", manifest = ""] = process.argv.slice(2);
const disk = new NodeDisk();
for (let version = 1; ; version += 1) {
  process.send?.(version);
  await disk.replaceDirectory(path, {
    "tls.crt": { content: `${version} `.repeat(20_000), mode: 0o600 },
    "tls.key": { content: `${version}`, mode: 0o600 },
  });
  const content = JSON.stringify({ version, rest: "x".repeat(100_000) });
  await disk.writeFile(manifest, { content, mode: 0o600 });
}
