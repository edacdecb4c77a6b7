/**
 * Replacement for the etcd that envtest starts. The program only reports that it is healthy, because Keelson's API server has its
 * own storage.
 */
import { createServer } from "node:http";
import process from "node:process";
import { parseArgs } from "node:util";

const { values } = parseArgs({
  strict: false,
  options: { help: { type: "boolean" }, "listen-client-urls": { type: "string" } },
});
if (values.help) {
  process.stdout.write("  --listen-client-urls\n  --unsafe-no-fsync\n");
  process.exit();
}
const { hostname, port } = new URL(String(values["listen-client-urls"] ?? "http://127.0.0.1:2379"));
const server = createServer((_, response) => response.end('{"health":"true"}')).listen(
  Number(port),
  hostname,
);
process.once("SIGTERM", () => {
  server.close();
  server.closeAllConnections();
});
