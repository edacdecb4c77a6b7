import { once } from "node:events";
import { type IncomingMessage, request } from "node:http";
import { request as secureRequest } from "node:https";
import type { Socket } from "node:net";
import { connect } from "node:tls";

/** Sends a GET request through a proxy tunnel and returns the body. Rejects with the status if the proxy rejects the tunnel. */
export async function getThroughProxy(proxy: string, url: URL, ca: string): Promise<string> {
  const { hostname, port } = new URL(proxy);
  const asked = request({ host: hostname, port, method: "CONNECT", path: url.host });
  asked.end();
  const [{ statusCode }, socket] = (await once(asked, "connect")) as [IncomingMessage, Socket];
  if (statusCode !== 200) throw new Error(`the proxy responded with ${statusCode}`);
  const secure = connect({ socket, ca, servername: url.hostname });
  const outgoing = secureRequest({ createConnection: () => secure, path: url.pathname, host: url.hostname });
  outgoing.end();
  const [response] = (await once(outgoing, "response")) as [IncomingMessage];
  let body = "";
  for await (const chunk of response.setEncoding("utf8")) body += chunk;
  secure.destroy();
  return body;
}
