import type { ServerResponse } from "node:http";

export type Response =
  | { readonly status: number; readonly text: string }
  | { readonly status: number; readonly json: unknown };

export function send(response: ServerResponse, answer: Response): void {
  const isJson = "json" in answer;
  const body = isJson ? JSON.stringify(answer.json) : answer.text;
  response.writeHead(answer.status, {
    "content-type": isJson ? "application/json" : "text/plain; charset=utf-8",
    "content-length": Buffer.byteLength(body),
  });
  response.end(body);
}
