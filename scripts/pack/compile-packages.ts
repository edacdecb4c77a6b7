import { execFileSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { WorkspacePackage } from "../workspace/packages.ts";

/**
 * Files that are not compiled here: browser code, tests and generators. Vite compiles the browser code into the directory `dist`
 * of the package.
 */
const excluded = [
  "**/*.test.ts",
  "**/*.client-test.ts",
  "**/*.long-test.ts",
  "**/testing",
  "**/generate.ts",
  "simulators/console/src/pages",
];

/** Compiles all packages together, so that shared types are compiled once. Each package keeps its path below `outDir`. */
export function compilePackages(root: string, packages: readonly WorkspacePackage[], outDir: string): void {
  const config = join(outDir, "tsconfig.json");
  mkdirSync(outDir, { recursive: true });
  const options = {
    extends: join(root, "tsconfig.json"),
    compilerOptions: {
      noEmit: false,
      declaration: true,
      // Node.js 24 supports the complete syntax of this target.
      target: "esnext",
      rootDir: root,
      outDir,
      typeRoots: [join(root, "node_modules/@types")],
    },
    include: packages.map(({ directory }) => join(root, sourceOf(directory))),
    exclude: excluded.map((each) => join(root, each)),
  };
  writeFileSync(config, JSON.stringify(options));
  execFileSync(join(root, "node_modules/.bin/tsc"), ["-p", config], { stdio: "inherit" });
}

function sourceOf(directory: string): string {
  return directory === "services/portal-web" ? join(directory, "src/index.ts") : join(directory, "src");
}
