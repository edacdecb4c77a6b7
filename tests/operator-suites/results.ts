/** Result of one Go test or subtest. `seconds` is undefined if the test did not finish. */
export interface TestResult {
  readonly name: string;
  readonly verdict: "PASS" | "FAIL" | "SKIP" | "INCOMPLETE";
  readonly seconds: number | undefined;
}

const verdictLine = /^\s*--- (PASS|FAIL|SKIP): (\S+) \(([\d.]+)s\)/;
const startLine = /^=== RUN\s+(\S+)/;

/** Collects the results from lines of `go test -v`, in the order in which the tests started. */
export class TestResults {
  readonly #results = new Map<string, TestResult>();

  add(line: string): void {
    const [, started] = startLine.exec(line) ?? [];
    if (started && !this.#results.has(started))
      this.#results.set(started, { name: started, verdict: "INCOMPLETE", seconds: undefined });
    const [, verdict, name, seconds] = verdictLine.exec(line) ?? [];
    if (name && (verdict === "PASS" || verdict === "FAIL" || verdict === "SKIP"))
      this.#results.set(name, { name, verdict, seconds: Number(seconds) });
  }

  get all(): readonly TestResult[] {
    return [...this.#results.values()];
  }

  count(verdict: TestResult["verdict"]): number {
    return this.all.filter((each) => each.verdict === verdict).length;
  }
}

/** Returns the table of a suite's tests. */
export function tableOf(suite: string, results: readonly TestResult[]): readonly (readonly string[])[] {
  return [
    ["suite", "test", "result", "seconds"],
    ...results.map(({ name, verdict, seconds }) => [suite, name, verdict, seconds?.toFixed(1) ?? "-"]),
  ];
}
