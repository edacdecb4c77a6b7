import type { Duplex } from "node:stream";
import ssh2, {
  type IdentityCallback,
  type ParsedKey,
  type SignCallback,
  type SigningRequestOptions,
} from "ssh2";

/** Maximum number of concurrent channels to the agent per connection. */
const mostStreams = 32;

/**
 * SSH agent in memory that contains only the cluster's key. With this agent, a person can connect from a master to workers. The
 * key never leaves this process. The agent extends a class of the library, because the library recognizes agents by this class.
 */
export class ClusterAgent extends ssh2.BaseAgent<ParsedKey> {
  readonly #key: ParsedKey;
  #streams = 0;

  /**
   * Loads the cluster's private key.
   * @throws Error for an invalid key
   */
  constructor(privateKeyPem: string) {
    super();
    const key = ssh2.utils.parseKey(privateKeyPem);
    if (key instanceof Error) throw new Error("the cluster's SSH key cannot be read");
    this.#key = key;
  }

  override getIdentities(done: IdentityCallback<ParsedKey>): void {
    done(undefined, [this.#key]);
  }

  override sign(
    _key: ParsedKey | Buffer | string,
    data: Buffer,
    options: SigningRequestOptions | SignCallback,
    done?: SignCallback,
  ): void {
    const response = typeof options === "function" ? options : done;
    const hash = typeof options === "function" ? undefined : options.hash;
    const signature = this.#key.sign(data, hash);
    if (signature instanceof Error) response?.(signature);
    else response?.(undefined, signature);
  }

  /** Returns a stream to the agent for an agent channel. */
  override getStream(done: (error: Error | undefined, stream?: Duplex) => void): void {
    if (this.#streams >= mostStreams) {
      done(new Error("too many channels ask the agent"));
      return;
    }
    this.#streams++;
    const protocol = new ssh2.AgentProtocol(false);
    protocol.on("error", () => protocol.destroy());
    protocol.once("close", () => this.#streams--);
    protocol.on("identities", (request) => protocol.getIdentitiesReply(request, [this.#key]));
    protocol.on("sign", (request, key, data, options) => {
      if (!key.getPublicSSH().equals(this.#key.getPublicSSH())) {
        protocol.failureReply(request);
        return;
      }
      this.sign(key, data, options, (error, signature) => {
        if (error || !signature) protocol.failureReply(request);
        else protocol.signReply(request, signature);
      });
    });
    done(undefined, protocol);
  }
}
