import type { Duplex } from "node:stream";
import ssh2, {
  type AgentProtocol,
  type Connection,
  type IdentityCallback,
  type ParsedKey,
  type SignCallback,
  type SigningRequestOptions,
} from "ssh2";

/**
 * SSH agent that a client forwards to a simulated node. The class extends ssh2's `BaseAgent` because ssh2 accepts only instances
 * of `BaseAgent`.
 */
export class ForwardedAgent extends ssh2.BaseAgent<ParsedKey> {
  readonly #connection: Connection;

  constructor(connection: Connection) {
    super();
    this.#connection = connection;
  }

  /** Returns the agent's keys. */
  identities(): Promise<readonly ParsedKey[]> {
    const { promise, resolve, reject } = Promise.withResolvers<readonly ParsedKey[]>();
    this.getIdentities((error, keys) => {
      if (error) reject(error);
      else resolve((keys ?? []).filter((key) => typeof key === "object" && "type" in key));
    });
    return promise;
  }

  override getIdentities(done: IdentityCallback<ParsedKey>): void {
    this.#ask(
      (protocol, close) =>
        protocol.getIdentities((error, keys) => {
          close();
          done(error, keys);
        }),
      (error) => done(error),
    );
  }

  override sign(
    key: ParsedKey | Buffer | string,
    data: Buffer,
    options: SigningRequestOptions | SignCallback,
    done?: SignCallback,
  ): void {
    const response = typeof options === "function" ? options : done;
    const asked = typeof options === "function" ? {} : options;
    this.#ask(
      (protocol, close) =>
        protocol.sign(key, data, asked, (error, signature) => {
          close();
          response?.(error, signature);
        }),
      (error) => response?.(error),
    );
  }

  #ask(use: (protocol: AgentProtocol, close: () => void) => void, failed: (error: Error) => void): void {
    openAgentChannel(this.#connection, (error, channel) => {
      if (error || !channel) {
        failed(error ?? new Error("the agent has disconnected"));
        return;
      }
      const protocol = new ssh2.AgentProtocol(true);
      protocol.on("error", () => channel.destroy());
      channel.on("error", () => protocol.destroy());
      channel.pipe(protocol).pipe(channel);
      use(protocol, () => channel.end());
    });
  }
}

/**
 * Opens a channel to the client's agent. ssh2's server has no function for agent channels. Therefore, this function calls
 * `openssh_forwardOutStreamLocal`. During the call, ssh2's protocol object sends an agent channel request instead of a stream
 * request.
 */
function openAgentChannel(
  connection: Connection,
  done: (error: Error | undefined, channel: Duplex | undefined) => void,
): void {
  const protocol: unknown = Reflect.get(connection, "_protocol");
  if (typeof protocol !== "object" || protocol === null) {
    done(new Error("the connection is closed"), undefined);
    return;
  }
  const open: unknown = Reflect.get(protocol, "openssh_authAgent");
  if (typeof open !== "function") throw new Error("this version of ssh2 opens no channels to agents");
  const name = "openssh_forwardedStreamLocal";
  Reflect.set(protocol, name, (...args: readonly unknown[]) =>
    Reflect.apply(open, protocol, args.slice(0, 3)),
  );
  try {
    connection.openssh_forwardOutStreamLocal("agent", (error, channel) => done(error, channel));
  } finally {
    Reflect.deleteProperty(protocol, name);
  }
}
