import { once } from "node:events";
import { Duplex, PassThrough } from "node:stream";
import { setTimeout as delay } from "node:timers/promises";
import { StatusError } from "@keelson/apimachinery";
import type { Kubelet } from "../cluster/kubelet.ts";

/** Kubelet for tests. Container commands: `exit N`, `cat`, `echo WORDS`, `size`, `wait`, `flood BYTES`. */
export class TestKubelet implements Kubelet {
  readonly aborted: string[] = [];

  async *logs(
    _pod: unknown,
    { follow, tailLines = 3 }: Parameters<Kubelet["logs"]>[1],
    signal: AbortSignal,
  ): AsyncGenerator<Uint8Array> {
    for (const line of ["one", "two", "three"].slice(3 - Math.min(3, tailLines)))
      yield Buffer.from(`${line}\n`);
    if (!follow) return;
    await delay(20, undefined, { signal });
    yield Buffer.from("last\n");
  }

  async exec(...[, { command }, streams, signal]: Parameters<Kubelet["exec"]>): Promise<number> {
    const { stdin, stdout, stderr } = streams;
    const [name = "", ...words] = command;
    switch (name) {
      case "exit":
        return Number(words[0]);
      case "echo":
        stdout?.write(`${words.join(" ")}\n`);
        stderr?.write("done\n");
        return 0;
      case "cat":
        for await (const chunk of stdin ?? [])
          if (stdout && !stdout.write(chunk)) await once(stdout, "drain", { signal });
        return 0;
      case "flood": {
        for (let left = Number(words[0]); left > 0; left -= 65_536) {
          const piece = Buffer.alloc(Math.min(left, 65_536), "x");
          if (stdout && !stdout.write(piece)) await once(stdout, "drain", { signal });
        }
        return 0;
      }
      case "size": {
        const { promise, resolve } = Promise.withResolvers<number>();
        streams.onResize(({ width, height }) => {
          stdout?.write(`${width}x${height}\n`);
          resolve(0);
        });
        return promise;
      }
      case "wait":
        await once(signal, "abort");
        this.aborted.push(name);
        return 137;
      default:
        throw new StatusError(404, "NotFound", `no such command: ${name}`);
    }
  }

  async attach(...[, , { stdout }]: Parameters<Kubelet["attach"]>): Promise<number> {
    stdout?.write("attached\n");
    return 0;
  }

  /** Port 7 echoes its input, port 80 serves HTTP. All other ports are closed. */
  async connect(_pod: unknown, port: number): Promise<Duplex> {
    if (port === 7) {
      const echo = new PassThrough();
      return Duplex.from({ readable: echo, writable: echo });
    }
    if (port !== 80) throw new Error("connect: connection refused");
    const response = new PassThrough();
    return Duplex.from({
      readable: response,
      writable: async (source: AsyncIterable<Buffer>) => {
        let text = "";
        for await (const chunk of source) {
          text += chunk.toString();
          if (!text.includes("\r\n\r\n")) continue;
          const body = `${text.split("\r\n")[0]} authorization=${/authorization/i.test(text)}`;
          response.end(
            `HTTP/1.1 200 OK\r\nX-From: pod\r\nContent-Length: ${body.length}\r\nConnection: close\r\n\r\n${body}`,
          );
          return;
        }
      },
    });
  }

  async askNode(_node: unknown, { method, path }: Parameters<Kubelet["askNode"]>[1]) {
    return {
      status: 200,
      headers: { "content-type": "text/plain" },
      body: (async function* () {
        yield Buffer.from(`${method} ${path}`);
      })(),
    };
  }
}
