import type { IncomingHttpHeaders, ServerHttp2Stream } from "node:http2";
import { messageOf } from "@keelson/base";

/** gRPC status codes (grpc.io, `codes.Code`). */
const codes = {
  invalidArgument: 3,
  resourceExhausted: 8,
  failedPrecondition: 9,
  outOfRange: 11,
  unimplemented: 12,
  internal: 13,
} as const;

/** Status of a failed call. */
export class RpcError extends Error {
  readonly code: number;

  constructor(code: number, message: string) {
    super(message);
    this.code = code;
  }
}

export function rpcError(code: keyof typeof codes, message: string): RpcError {
  return new RpcError(codes[code], message);
}

/** Method of a service: receives and returns one encoded message. @throws RpcError */
export type UnaryMethod = (message: Buffer) => Promise<Buffer>;

const maxRequestBytes = 65_536;
const frameBytes = 5;

/** Responds to a gRPC call with one request message and one response message. */
export async function respondToCall(
  stream: ServerHttp2Stream,
  headers: IncomingHttpHeaders,
  methods: Readonly<Record<string, UnaryMethod>>,
): Promise<void> {
  stream.on("error", () => undefined);
  try {
    const path = String(headers[":path"]);
    const method = Object.hasOwn(methods, path) ? methods[path] : undefined;
    if (!method) throw rpcError("unimplemented", `unknown method ${path}`);
    const response = await method(await readMessage(stream));
    if (stream.destroyed) return;
    const frame = Buffer.alloc(frameBytes);
    frame.writeUInt32BE(response.length, 1);
    stream.respond({ ":status": 200, "content-type": "application/grpc" }, { waitForTrailers: true });
    stream.once("wantTrailers", () => stream.sendTrailers({ "grpc-status": "0" }));
    stream.write(frame);
    stream.end(response);
  } catch (error) {
    if (stream.destroyed) return;
    const { code } = error instanceof RpcError ? error : rpcError("internal", "");
    const status = { "grpc-status": String(code), "grpc-message": encodeURIComponent(messageOf(error)) };
    stream.respond({ ":status": 200, "content-type": "application/grpc", ...status }, { endStream: true });
  }
}

/** Reads the request's only message. @throws RpcError */
async function readMessage(stream: ServerHttp2Stream): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of stream) {
    size += chunk.length;
    if (size > maxRequestBytes)
      throw rpcError("resourceExhausted", `the request exceeds ${maxRequestBytes} bytes`);
    chunks.push(chunk);
  }
  const body = Buffer.concat(chunks);
  if (body.length < frameBytes || body.length !== frameBytes + body.readUInt32BE(1))
    throw rpcError("invalidArgument", "the request is not a single message");
  if (body[0] !== 0) throw rpcError("unimplemented", "compressed messages are not supported");
  return body.subarray(frameBytes);
}
