import { type ChildProcess, execFileSync } from "node:child_process";
import { chmodSync, chownSync, globSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";
import { spawnBound } from "@keelson/base";
import { eventually } from "../../e2e/support/eventually.ts";

/** Programs of the newest PostgreSQL server from Debian. Undefined if none is installed. */
export const postgresPrograms = globSync("/usr/lib/postgresql/*/bin/postgres")
  .map((path) => path.replace(/\/postgres$/, ""))
  .toSorted((a, b) => Number(a.split("/")[4]) - Number(b.split("/")[4]))
  .at(-1);

/** Reason why servers cannot start here, or `undefined`. */
export function noPostgres(): string | undefined {
  if (postgresPrograms === undefined) return "no PostgreSQL server from Debian: apt-get install postgresql";
  if (process.getuid?.() !== 0) return "only root may start servers as the user postgres";
  return undefined;
}

const idOf = (flag: string) => Number(execFileSync("id", [flag, "postgres"], { encoding: "utf8" }));

/** Changes the owner of a path to the server's user and sets the path's mode. */
export function giveToServer(path: string, mode: number): void {
  chownSync(path, idOf("-u"), idOf("-g"));
  chmodSync(path, mode);
}

/** Creates the data directory of a server. */
export function initialize(data: string, superuserPassword: string, scratch: string): void {
  const passwordFile = join(scratch, "superuser-password");
  writeFileSync(passwordFile, superuserPassword);
  giveToServer(passwordFile, 0o600);
  const args = [
    "--pgdata",
    data,
    "--auth",
    "scram-sha-256",
    "--username",
    "postgres",
    "--pwfile",
    passwordFile,
  ];
  execFileSync(join(postgresPrograms ?? "", "initdb"), [...args, "--no-sync"], {
    uid: idOf("-u"),
    gid: idOf("-g"),
    cwd: scratch,
    stdio: "ignore",
  });
}

/** Server process with TLS. */
export class DebianPostgres implements AsyncDisposable {
  readonly #child: ChildProcess;
  readonly port: number;

  private constructor(child: ChildProcess, port: number) {
    this.#child = child;
    this.port = port;
  }

  /** Starts a server with the files `server.pem` and `server-key.pem` of `certificates`. */
  static async start(data: string, port: number, certificates: string): Promise<DebianPostgres> {
    const settings = {
      port,
      listen_addresses: "127.0.0.1",
      unix_socket_directories: "",
      ssl: "on",
      ssl_cert_file: join(certificates, "server.pem"),
      ssl_key_file: join(certificates, "server-key.pem"),
      fsync: "off",
    };
    const flags = Object.entries(settings).flatMap(([name, value]) => ["-c", `${name}=${value}`]);
    const child = spawnBound(join(postgresPrograms ?? "", "postgres"), ["-D", data, ...flags], {
      uid: idOf("-u"),
      gid: idOf("-g"),
      cwd: data,
      // The standby reads client certificates from its home directory.
      env: { PATH: "/usr/bin:/bin", HOME: data },
      stdio: "ignore",
    });
    const server = new DebianPostgres(child, port);
    await eventually(async () =>
      execFileSync(join(postgresPrograms ?? "", "pg_isready"), ["-h", "127.0.0.1", "-p", `${port}`], {
        stdio: "ignore",
      }),
    );
    return server;
  }

  /** Stops the server immediately without a regular shutdown, to simulate a failure. */
  async [Symbol.asyncDispose](): Promise<void> {
    if (this.#child.exitCode !== null) return;
    const ended = new Promise((resolve) => this.#child.once("exit", resolve));
    this.#child.kill("SIGQUIT");
    await ended;
  }
}
