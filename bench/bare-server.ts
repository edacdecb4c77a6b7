/**
 * Server for comparison with the service: a fastify server with the same TLS settings that returns fixed bytes. Prints its URL.
 */
import { readFileSync } from "node:fs";
import process from "node:process";
import { fastify } from "fastify";
import { readServer } from "./support/server-settings.ts";

const { tls, directory } = readServer();
const server = fastify({
  http2: true,
  https: { allowHTTP1: true, cert: tls.certificatePem, key: tls.privateKeyPem },
});
for (const name of ["get", "list", "put"]) {
  const bytes = readFileSync(`${directory}/${name}.json`, "utf8");
  server.route({
    method: name === "put" ? "PUT" : "GET",
    url: `/${name}`,
    handler: (_request, reply) => reply.type("application/json").send(bytes),
  });
}
await server.listen({ host: "127.0.0.1", port: 0 });
const address = server.server.address();
process.stdout.write(`https://127.0.0.1:${typeof address === "object" && address ? address.port : 0}\n`);
