import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { freePort } from "@keelson/base/testing";
import { request } from "undici";
import { eventually } from "../e2e/support/eventually.ts";
import { Program } from "../e2e/support/program.ts";

export interface PrometheusOptions {
  /** Empty directory for the configuration, the rules and the samples. */
  readonly directory: string;
  /** Content of each rule file, by its name. */
  readonly rules: Readonly<Record<string, string>>;
  /** URL of a metrics endpoint. */
  readonly target: string;
  readonly scrapeSeconds: number;
}

/** Series in the response of a query: labels and the value at the time of the query. */
export interface Sample {
  readonly labels: Readonly<Record<string, string>>;
  readonly value: number;
}

/** Server of Debian's package prometheus. */
export class PrometheusServer implements AsyncDisposable {
  readonly #program: Program;
  readonly #url: string;

  private constructor(program: Program, url: string) {
    this.#program = program;
    this.#url = url;
  }

  /** Starts a server that scrapes one target and evaluates the rules. */
  static async start({
    directory,
    rules,
    target,
    scrapeSeconds,
  }: PrometheusOptions): Promise<PrometheusServer> {
    mkdirSync(directory, { recursive: true });
    for (const [name, text] of Object.entries(rules)) writeFileSync(join(directory, name), text);
    const { host, pathname, protocol } = new URL(target);
    const interval = `${scrapeSeconds}s`;
    // YAML contains JSON.
    const config = {
      global: { scrape_interval: interval, scrape_timeout: interval, evaluation_interval: interval },
      rule_files: Object.keys(rules),
      scrape_configs: [
        {
          job_name: "keelson",
          metrics_path: pathname,
          scheme: protocol.slice(0, -1),
          static_configs: [{ targets: [host] }],
        },
      ],
    };
    const file = join(directory, "prometheus.yaml");
    writeFileSync(file, JSON.stringify(config));
    const address = `127.0.0.1:${await freePort()}`;
    const program = Program.startCommand(
      "prometheus",
      ...["--config.file", file, "--storage.tsdb.path", join(directory, "data")],
      ...["--web.listen-address", address],
    );
    const server = new PrometheusServer(program, `http://${address}`);
    try {
      await eventually(() => server.query("vector(1)"));
      return server;
    } catch (error) {
      await program[Symbol.asyncDispose]();
      throw new Error(`Prometheus did not start: ${program.stderr}`, { cause: error });
    }
  }

  async query(expression: string): Promise<readonly Sample[]> {
    const response = await request(`${this.#url}/api/v1/query`, { query: { query: expression } });
    const body = await response.body.text();
    if (response.statusCode !== 200) throw new Error(`query ${expression}: ${response.statusCode} ${body}`);
    const { data }: { readonly data: { readonly result: readonly RawSample[] } } = JSON.parse(body);
    return data.result.map(({ metric, value }) => ({ labels: metric, value: Number(value[1]) }));
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.#program[Symbol.asyncDispose]();
  }
}

interface RawSample {
  readonly metric: Readonly<Record<string, string>>;
  readonly value: readonly [time: number, value: string];
}
