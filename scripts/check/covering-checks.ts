/** Row of the coverage table: files that no test imports, and the checks that cover these files instead of a test. */
interface Coverage {
  readonly pattern: RegExp;
  readonly checks: readonly string[];
}

/** Rows of the coverage table. The first row with a matching pattern applies. */
const coverage: readonly Coverage[] = [
  { pattern: /\.client-test\.ts$/, checks: ["types", "lint", "language", "`make test-clients`"] },
  { pattern: /\.long-test\.ts$/, checks: ["types", "lint", "language", "`make test-all`"] },
  {
    pattern: /^services\/portal-web\//,
    checks: ["types", "lint", "language", "the portal's browser tests of `make test-clients`"],
  },
  {
    pattern: /^simulators\/console\/src\/pages\//,
    checks: ["types", "lint", "language", "the console's browser tests of `make test-clients`"],
  },
  { pattern: /\/index\.ts$/, checks: ["types", "lint", "import rules"] },
  { pattern: /^bench\/.*\.ts$/, checks: ["types", "lint", "language", "`make bench`"] },
  { pattern: /\.tsx?$/, checks: ["types", "lint", "import rules", "language"] },
  { pattern: /^\.ci\//, checks: ["shell syntax", "the next CI run"] },
  { pattern: /^scripts\/install-.*\.sh$/, checks: ["shell syntax", "language", "`make test-clients`"] },
  { pattern: /\.sh$/, checks: ["shell syntax", "language"] },
  { pattern: /\.py$/, checks: ["language", "the Python tests of `make test-clients`"] },
  { pattern: /\.go$|(^|\/)go\.(mod|sum)$/, checks: ["the Go tests of `make test-clients`"] },
  { pattern: /\.md$/, checks: ["language", "tests/documentation in `make test`"] },
  {
    pattern: /^(swagger|api|deploy)\/|^clients\/[^/]+\/src\/versions\//,
    checks: ["the generator tests of `make test`"],
  },
  { pattern: /^(package|package-lock)\.json$/, checks: ["`npm ci` of the next make", "`make test`"] },
  { pattern: /\.json$/, checks: ["lint"] },
  { pattern: /^Makefile$/, checks: ["tests/documentation in `make test`"] },
];

/** Returns the checks that cover a file without a test. Empty if there are none. */
export function coveringChecks(file: string): readonly string[] {
  return coverage.find(({ pattern }) => pattern.test(file))?.checks ?? [];
}
