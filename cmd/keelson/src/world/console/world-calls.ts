import { messageOf, tryParseJson, withTimeout } from "@keelson/base";
import type { CallWorld, WorldCall, WorldResponse } from "@keelson/sim-console";
import { type Dispatcher, request } from "undici";
import { cliErrors } from "../../output/cli-errors.ts";
import { consoleUserAgent } from "./console-facts.ts";

/**
 * Timeout of service requests. A request for a virtual machine action gets its response only after the action is complete. An
 * action takes minutes if the simulated Azure uses the durations that were recorded in Azure.
 */
const timeoutMs = 600_000;
const maxBytes = 32 * 1_024 * 1_024;
/** Remaining validity in ms below which a token is renewed. */
const renewMs = 120_000;

/** Returns a function that calls an API without credentials. */
export function callsOf(url: string, dispatcher: Dispatcher): CallWorld {
  return (call, signal) => send(url, call, {}, { dispatcher, signal });
}

export interface ApplicationCallOptions {
  readonly url: string;
  /** Audience of the access token. */
  readonly resource: string;
  readonly tenantId: string;
  readonly clientId: string;
  readonly clientSecret: string;
  readonly dispatcher: Dispatcher;
}

/** Returns a function that calls an API with access tokens of an application. The simulated Azure issues the tokens. */
export function applicationCalls(options: ApplicationCallOptions): CallWorld {
  const { url, dispatcher } = options;
  let token: { readonly text: string; readonly untilMs: number } | undefined;
  const attempt = async (call: WorldCall, signal: AbortSignal): Promise<WorldResponse> => {
    if (token === undefined || performance.now() > token.untilMs) token = await newToken(options, signal);
    return send(url, call, { authorization: `Bearer ${token.text}` }, { dispatcher, signal });
  };
  return async (call, signal) => {
    const response = await attempt(call, signal);
    if (response.status !== 401) return response;
    // The token may be invalid because the simulated clock was moved. Requests a new token.
    token = undefined;
    return attempt(call, signal);
  };
}

async function newToken(
  { url, resource, tenantId, clientId, clientSecret, dispatcher }: ApplicationCallOptions,
  signal: AbortSignal,
) {
  const form = new URLSearchParams({
    grant_type: "client_credentials",
    client_id: clientId,
    client_secret: clientSecret,
    scope: `${resource}/.default`,
  });
  const headers = { "content-type": "application/x-www-form-urlencoded", "user-agent": consoleUserAgent };
  const path = `/${tenantId}/oauth2/v2.0/token`;
  const { status, body } = await receive(
    url,
    { method: "POST", path, headers, body: form.toString() },
    { dispatcher, signal },
  );
  const { access_token: text, expires_in: seconds } = Object(body);
  if (typeof text !== "string")
    throw cliErrors.RequestFailed(`sign-in of the console failed with status ${status}`);
  return { text, untilMs: performance.now() + Number(seconds) * 1_000 - renewMs };
}

function send(
  url: string,
  { method, path, body }: WorldCall,
  headers: Readonly<Record<string, string>>,
  how: Sending,
): Promise<WorldResponse> {
  const type = body === undefined ? {} : { "content-type": "application/json" };
  const all = { ...headers, ...type, "user-agent": consoleUserAgent };
  return receive(url, { method, path, headers: all, ...(body ? { body: JSON.stringify(body) } : {}) }, how);
}

interface Sending {
  readonly dispatcher: Dispatcher;
  readonly signal: AbortSignal;
}

async function receive(
  url: string,
  options: {
    readonly method: WorldCall["method"];
    readonly path: string;
    readonly headers: Readonly<Record<string, string>>;
    readonly body?: string;
  },
  { dispatcher, signal }: Sending,
): Promise<WorldResponse> {
  const { path, ...rest } = options;
  try {
    const response = await request(`${url}${path}`, {
      ...rest,
      dispatcher,
      signal: withTimeout(signal, timeoutMs),
    });
    const chunks: Buffer[] = [];
    let length = 0;
    for await (const chunk of response.body) {
      length += chunk.length;
      if (length > maxBytes) throw new Error(`the response exceeds ${maxBytes} bytes`);
      chunks.push(chunk);
    }
    return { status: response.statusCode, body: tryParseJson(Buffer.concat(chunks).toString("utf8")) };
  } catch (cause) {
    signal.throwIfAborted();
    throw cliErrors.NotRunning(`${url} does not respond: ${messageOf(cause)}`, { cause });
  }
}
