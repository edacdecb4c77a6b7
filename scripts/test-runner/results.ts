import { relative } from "node:path";
import type { EventData } from "node:test";

/** Title of the suite in which `batch.ts` loads each file. */
export const fileSuite = "tests of the file";

/** Failure of a test, a file or a process. */
export interface TestFailure {
  /** Titles of the enclosing suites and tests, outermost first. The last title is the title of the failed test. */
  readonly titles: readonly string[];
  /** Path from the root with a line number, for example `libraries/base/src/abort.test.ts:12`. */
  readonly place: string;
  /** Files that may contain the cause: the test's file, or all files of a crashed process. */
  readonly files: readonly string[];
  /** Value of `--name` that selects the test. Undefined if a complete file or process failed. */
  readonly selector: string | undefined;
  readonly error: unknown;
}

interface Enclosing {
  readonly title: string;
  readonly isSuite: boolean;
}

/** Test identifier. Node's events contain it, but Node's types do not. */
interface Identified {
  readonly testId?: number;
}

/**
 * Processes the events of one test process. Counts tests and collects failures. Node reports the tests in the order of their
 * definition.
 */
export class TestResults {
  passed = 0;
  readonly failures: TestFailure[] = [];
  /** Duration of each file in seconds, by path from the root. */
  readonly seconds = new Map<string, number>();
  readonly #root: string;
  readonly #files: readonly string[];
  /** Identifiers of the suites in the process. */
  readonly #suites = new Set<number>();
  /** Enclosing tests of the next event, by nesting level. */
  readonly #path: Enclosing[] = [];

  /** @param files Paths relative to `root`. */
  constructor(root: string, files: readonly string[]) {
    this.#root = root;
    this.#files = files;
  }

  enqueued({ testId, type }: EventData.TestEnqueue & Identified): void {
    if (testId !== undefined && type === "suite") this.#suites.add(testId);
  }

  started({ nesting, name, testId }: EventData.TestStart & Identified): void {
    this.#path.length = nesting;
    this.#path.push({ title: name, isSuite: testId !== undefined && this.#suites.has(testId) });
  }

  succeeded(event: EventData.TestPass): void {
    const isFile = this.#recordFile(event);
    if (!isFile && event.details.type !== "suite" && event.skip === undefined) this.passed++;
  }

  /** Records a failed test. Returns the failure. Undefined if the event only repeats failures of subtests. */
  failed(event: EventData.TestFail): TestFailure | undefined {
    this.#recordFile(event);
    const { error } = event.details;
    if (/^\d+ subtests? failed/.test(error.message)) return undefined;
    const enclosing = this.#path.slice(0, event.nesting);
    const own: Enclosing = { title: event.name, isSuite: event.details.type === "suite" };
    const path = [...enclosing, own].filter(
      ({ title }) => title !== fileSuite && this.#fileOf(title) === undefined,
    );
    const file = [...enclosing, own]
      .map(({ title }) => this.#fileOf(title))
      .find((each) => each !== undefined);
    const place = `${relative(this.#root, event.file ?? event.name)}:${event.line ?? 0}`;
    const cause = error.cause ?? error;
    const failure = this.#failureOf(path, file, place, cause);
    this.failures.push(failure);
    return failure;
  }

  #failureOf(
    path: readonly Enclosing[],
    file: string | undefined,
    place: string,
    error: unknown,
  ): TestFailure {
    const titles = path.map(({ title }) => title);
    if (file !== undefined && path.length > 0)
      return { titles, place, files: [file], selector: selectorOf(path), error };
    if (file !== undefined) return { titles: [file], place, files: [file], selector: undefined, error };
    // Events without a file come from the process itself. The process crashed or timed out while it ran one of its files.
    const files = this.#files;
    return {
      titles: [`process of ${files.join(", ")}`],
      place: files.join(", "),
      files,
      selector: undefined,
      error,
    };
  }

  /** Records the duration of a file. False if the event is not about a complete file. */
  #recordFile({ name, details }: EventData.TestPass | EventData.TestFail): boolean {
    const file = this.#fileOf(name);
    if (file !== undefined) this.seconds.set(file, details.duration_ms / 1_000);
    return file !== undefined;
  }

  /** Returns the file for the title of a file test. Undefined for other titles. */
  #fileOf(title: string): string | undefined {
    return this.#files.find((file) => title === `${this.#root}${file}`);
  }
}

/** Returns the `--name` value for a test. Subtests run only with their outermost test, so the value selects that test. */
function selectorOf(path: readonly Enclosing[]): string {
  const outermost = path.findIndex(({ isSuite }) => !isSuite);
  return path
    .slice(0, outermost < 0 ? path.length : outermost + 1)
    .map(({ title }) => title)
    .join(" ");
}
