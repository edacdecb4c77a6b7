import { once } from "node:events";
import type { IncomingMessage } from "node:http";
import { request } from "node:https";

export interface SentEvent {
  readonly id: string;
  readonly name: string;
  // biome-ignore lint/suspicious/noExplicitAny: tests read members of answers
  readonly data: any;
}

/** Client for the portal's server-sent events. It reads events one at a time. */
export class EventStream {
  readonly #response: IncomingMessage;
  readonly #frames: AsyncGenerator<SentEvent>;

  private constructor(response: IncomingMessage) {
    this.#response = response;
    this.#frames = framesOf(response);
  }

  static async open(
    origin: string,
    headers: Readonly<Record<string, string>>,
    ca: string,
    path = "/api/events",
  ): Promise<EventStream> {
    const sent = request(origin + path, {
      ca,
      agent: false,
      headers: { ...headers, accept: "text/event-stream" },
    });
    sent.on("error", () => undefined);
    sent.end();
    const [response] = await once(sent, "response");
    if (response.statusCode !== 200) throw new Error(`the events returned status ${response.statusCode}`);
    return new EventStream(response);
  }

  async next(): Promise<SentEvent> {
    const { value, done } = await this.#frames.next();
    if (done) throw new Error("the events ended");
    return value;
  }

  /** Waits for the next event with this name and returns it. */
  async until(name: string): Promise<SentEvent> {
    for (;;) {
      const event = await this.next();
      if (event.name === name) return event;
    }
  }

  end(): void {
    this.#response.destroy();
  }
}

async function* framesOf(response: IncomingMessage): AsyncGenerator<SentEvent> {
  let text = "";
  for await (const chunk of response) {
    text += chunk;
    const frames = text.split("\n\n");
    text = frames.pop() ?? "";
    for (const frame of frames) {
      const [, id = "", name, data] = /^(?:id: (.*)\n)?event: (.*)\ndata: (.*)$/.exec(frame) ?? [];
      if (name !== undefined && data !== undefined) yield { id, name, data: JSON.parse(data) };
    }
  }
}
