import { test } from "node:test";
import { issueCertificate, systemClock } from "@keelson/base";
import { assertKeepAlive } from "@keelson/http/testing";
import { PortalServer } from "./portal-server.ts";

test("idle connections of clients stay open for as long as every listener keeps them", async () => {
  const tls = await issueCertificate(undefined, { commonName: "localhost", usage: "server", validDays: 1 });
  await using server = new PortalServer(
    tls,
    { clock: systemClock },
    { request: (_, response) => void response.end(), upgrade: (_, socket) => socket.destroy() },
  );
  await server.listen("127.0.0.1", 0);
  await assertKeepAlive(`https://127.0.0.1:${server.port}/`);
});
