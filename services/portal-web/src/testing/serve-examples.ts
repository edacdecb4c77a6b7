/**
 * Serves the pages with example responses for frontend development.
 *
 *     node services/portal-web/src/testing/serve-examples.ts
 */
import { ExampleServer } from "./example-server.ts";

const server = new ExampleServer();
await server.listen();
console.log(server.url);
