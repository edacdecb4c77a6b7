import type { AcceptConnection, Client, ClientChannel, PseudoTtyInfo, ServerChannel, Session } from "ssh2";

/** Observer of one open channel of a session. */
export interface ChannelObserver {
  output(bytes: Buffer): void;
  resized(width: number, height: number): void;
  closed(): void;
}

export interface SessionStart {
  readonly kind: "shell" | "exec" | "subsystem";
  readonly command?: string;
  readonly width: number;
  readonly height: number;
  readonly terminal: boolean;
}

export interface BridgeDeps {
  /** Resolves to the connection with the master when it is established. */
  readonly master: Promise<Client>;
  /** Called when a channel opens. `printLine` prints a line on the person's terminal. Without a terminal, `printLine` does nothing. */
  opened(start: SessionStart, printLine: (line: string) => void): ChannelObserver;
  /** Called for each chunk of input or output on the channel. */
  active(): void;
}

const usualSize = { cols: 80, rows: 24 };
const maxEnvironment = 64;

/**
 * Connects a client's session with a session on the master. Forwards the shell, command or subsystem, the terminal settings,
 * signals and the exit status.
 */
export function bridgeSession(session: Session, deps: BridgeDeps): void {
  let pty: PseudoTtyInfo | undefined;
  const env: Record<string, string> = {};
  let back: ClientChannel | undefined;
  let observer: ChannelObserver | undefined;
  session.on("pty", (accept, _reject, info) => {
    pty = info;
    accept?.();
  });
  session.on("env", (accept, reject, { key, val }) => {
    if (Object.keys(env).length >= maxEnvironment) reject?.();
    else {
      env[key] = val;
      accept?.();
    }
  });
  session.on("window-change", (accept, _reject, { rows, cols, height, width }) => {
    back?.setWindow(rows, cols, height, width);
    observer?.resized(cols, rows);
    accept?.();
  });
  session.on("signal", (accept, _reject, { name }) => {
    back?.signal(name);
    accept?.();
  });
  const begin = (
    kind: SessionStart["kind"],
    accept: AcceptConnection<ServerChannel>,
    command: string | undefined,
    open: (master: Client, done: (error: Error | undefined, channel: ClientChannel) => void) => void,
  ) => {
    const front = accept();
    front.on("error", () => undefined);
    const { cols, rows } = pty ?? usualSize;
    const start = { kind, width: cols, height: rows, terminal: pty !== undefined };
    const printLine = (line: string) => {
      if (pty === undefined || front.destroyed) return;
      const text = `\r\n${line}\r\n`;
      front.write(text);
      noted.output(Buffer.from(text));
    };
    const noted = deps.opened(command === undefined ? start : { ...start, command }, printLine);
    observer = noted;
    // A channel with unread data does not emit `close`. The observer is therefore also notified when the session emits `close`.
    const closed = () => noted.closed();
    front.once("close", closed);
    session.once("close", closed);
    deps.master.then(
      (master) =>
        open(master, (error, channel) => {
          if (error) fail(front, error);
          else {
            back = channel;
            channel.once("close", closed);
            front.on("data", deps.active);
            channel.on("data", deps.active);
            join(front, channel, noted);
          }
        }),
      (error: unknown) => fail(front, error),
    );
  };
  session.on("shell", (accept) =>
    begin("shell", accept, undefined, (master, done) => {
      const window = pty ? terminalOf(pty) : false;
      master.shell(window, { env }, done);
    }),
  );
  session.on("exec", (accept, _reject, { command }) =>
    begin("exec", accept, command, (master, done) => {
      const terminal = pty ? { pty: terminalOf(pty) } : {};
      master.exec(command, { env, ...terminal }, done);
    }),
  );
  session.on("subsystem", (accept, _reject, { name }) =>
    begin("subsystem", accept, name, (master, done) => master.subsys(name, done)),
  );
  session.on("close", () => back?.close());
}

function terminalOf({ cols, rows, width, height, modes, term }: PseudoTtyInfo & { readonly term?: string }) {
  return { cols, rows, width, height, modes, term: term ?? "xterm" };
}

function join(front: ServerChannel, back: ClientChannel, observer: ChannelObserver): void {
  back.on("error", () => undefined);
  back.on("data", (bytes: Buffer) => observer.output(bytes));
  back.stderr.on("data", (bytes: Buffer) => observer.output(bytes));
  front.pipe(back);
  back.pipe(front);
  back.stderr.pipe(front.stderr);
  back.on("exit", (code: number | null, signal?: string, coreDumped?: boolean, description?: string) => {
    if (code !== null) front.exit(code);
    else if (signal !== undefined)
      front.exit(signal.replace(/^SIG/, ""), coreDumped ?? false, description ?? "");
  });
  back.once("close", () => front.close());
  front.once("close", () => back.close());
}

/** Ends the client's channel after an error. The client receives the error's message on stderr, and exit status 255. */
function fail(front: ServerChannel, error: unknown): void {
  const text = error instanceof Error ? error.message : "the connection failed";
  front.stderr.write(`${text}\r\n`);
  front.exit(255);
  front.close();
}
