import type { Duplex } from "node:stream";
import type { KubeObject } from "@keelson/apiserver";
import { stringAt } from "@keelson/base";

const maxHeadBytes = 64 * 1_024;
const request = /^(GET|HEAD|POST|PUT|PATCH|DELETE|OPTIONS) (\S+) HTTP\/1\.[01]\r?\n/;

/** Default server for container ports. It responds to HTTP requests with status 200 and echoes other data. */
export function respondByDefault(connection: Duplex, pod: KubeObject): void {
  let head = "";
  let echoing = false;
  connection.on("data", (chunk: Buffer) => {
    if (echoing) {
      send(connection, chunk);
      return;
    }
    head += chunk.toString("latin1");
    const found = request.exec(head);
    if ((!found && !/^[A-Z]{0,7}( |$)/.test(head.slice(0, 8))) || head.length > maxHeadBytes) {
      echoing = true;
      send(connection, Buffer.from(head, "latin1"));
      return;
    }
    if (!found || !/\r?\n\r?\n/.test(head)) return;
    const [, method = "", path = ""] = found;
    const body = `${pod.metadata.name} answers ${method} ${path}\nimage: ${stringAt(pod, "spec", "containers", 0, "image") ?? ""}\n`;
    connection.end(
      `HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\nContent-Length: ${Buffer.byteLength(body)}\r\nConnection: close\r\n\r\n` +
        (method === "HEAD" ? "" : body),
    );
    head = "";
  });
  connection.on("end", () => {
    // Echoes data that was too short to identify as an HTTP request.
    if (!echoing && head) connection.end(Buffer.from(head, "latin1"));
    else if (connection.writable) connection.end();
  });
}

function send(connection: Duplex, bytes: Buffer): void {
  if (connection.write(bytes)) return;
  connection.pause();
  connection.once("drain", () => connection.resume());
}
