/**
 * Servers of the test of late handshakes, in a separate process, because a failure aborts the process. Sends the ports to the
 * parent process, and a message when the time limit of a handshake has expired.
 */
import process from "node:process";
import { createCertificateAuthority, systemClock } from "@keelson/base";
import { HttpsListener } from "@keelson/http";
import { serverCertificate, startCluster } from "../../libraries/kube/src/testing/cluster.ts";
import { createWebServer } from "../../services/frontend/src/http/messages/web-server.ts";
import { limitHandshakes } from "./handshake-limit.ts";

const tls = await serverCertificate(await createCertificateAuthority("test", 1));
const limits = { clock: systemClock };
const { logical } = await startCluster();
const listener = new HttpsListener({ tls, limits, headersMs: 10_000, requestMs: 10_000 }, (_, response) =>
  response.end(),
);
await listener.listen("127.0.0.1", 0);
const web = createWebServer({ tls, limits });
web.app.get("/healthz", () => "ok");
await web.app.ready();
await web.listener.listen("127.0.0.1", 0);

process.on("disconnect", () => process.exit());
process.once("message", () => limitHandshakes(100, () => process.send?.("expired")));
process.send?.([Number(new URL(logical.url).port), listener.port, web.listener.port]);
