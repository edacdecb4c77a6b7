import { type Dispatcher, request } from "undici";

export interface HostileCall {
  readonly method?: "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
  readonly path: string;
  readonly type?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Buffer;
}

export interface Response {
  readonly code: number;
  readonly text: string;
}

/** Client of one cluster. It returns every response, including errors. */
export class HostileClient {
  readonly #url: string;
  readonly #dispatcher: Dispatcher;

  constructor(url: string, dispatcher: Dispatcher) {
    this.#url = url;
    this.#dispatcher = dispatcher;
  }

  async call({
    method = "GET",
    path,
    type = "application/json",
    headers,
    body,
  }: HostileCall): Promise<Response> {
    const response = await request(`${this.#url}${path}`, {
      method,
      dispatcher: this.#dispatcher,
      headers: { ...(body === undefined ? {} : { "content-type": type }), ...headers },
      ...(body === undefined ? {} : { body }),
    });
    return { code: response.statusCode, text: await response.body.text() };
  }

  /** Creates an object. @throws Error if the request is rejected */
  async create(path: string, object: object): Promise<void> {
    const { code, text } = await this.call({ method: "POST", path, body: JSON.stringify(object) });
    if (code !== 201) throw new Error(`${code} for ${path}: ${text.slice(0, 500)}`);
  }

  /** Repeats a request until its response has the status code. A new definition is served only after a short delay. */
  async until(code: number, call: HostileCall): Promise<Response> {
    for (let attempt = 1; ; attempt++) {
      const response = await this.call(call);
      if (response.code === code) return response;
      if (attempt === 200)
        throw new Error(`${response.code} for ${call.path}: ${response.text.slice(0, 500)}`);
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
  }
}
