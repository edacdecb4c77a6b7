import { existsSync } from "node:fs";
import { join } from "node:path";
import {
  BodySchemas,
  type OpenApiDocument,
  operationsOf,
  readApiDocument,
  readDocument,
} from "@keelson/openapi";
import type { Served } from "./arm-caller.ts";

/** Known errors of the published documents. These documents omit properties that the service must return. */
const known: readonly { readonly fault: RegExp; readonly why: string }[] = [
  {
    fault: /vmSize: must be equal to one of the allowed values/,
    why: "old versions list the sizes of their time, and say that there will be others (modelAsString)",
  },
  {
    fault: /^the published document of 2021-09-01-preview .* \(systemData\)$/,
    why: "the version introduced systemData, and its document forgot it",
  },
];

interface Documented {
  readonly name: string;
  readonly schemas: BodySchemas;
  readonly operations: readonly {
    readonly method: string;
    readonly path: RegExp;
    readonly operationId: string;
  }[];
}

/**
 * Validates the service's responses against two API documents of each version. One is the project's document. The other is the
 * published document, if `publishedDirectory` contains it as `{stable|preview}/{version}/redhatopenshift.json`.
 */
export class DocumentCheck {
  readonly #publishedDirectory: string | undefined;
  readonly #documents = new Map<string, readonly Documented[]>();
  readonly #findings = new Map<string, string>();
  checked = 0;

  constructor(publishedDirectory: string | undefined) {
    this.#publishedDirectory = publishedDirectory;
  }

  /** Validation errors, one line for each operation, status and error. */
  get findings(): readonly string[] {
    return [...this.#findings.values()];
  }

  look({ method, path, response }: Served): void {
    const { pathname, searchParams } = new URL(path, "https://localhost");
    const version = searchParams.get("api-version") ?? "";
    for (const { name, schemas, operations } of this.#documentsOf(version)) {
      const operation = operations.find(
        (each) => each.method === method.toLowerCase() && each.path.test(pathname),
      );
      if (!operation) continue;
      this.checked++;
      const { operationId } = operation;
      for (const fault of schemas.response(operationId, response.status)(response.body)) {
        const line = `${name} ${operationId} ${response.status}: ${fault}`;
        if (known.some((each) => each.fault.test(line))) continue;
        this.#findings.set(line.replace(/\d+(?=\/)/g, "*"), line);
      }
    }
  }

  #documentsOf(version: string): readonly Documented[] {
    const read = this.#documents.get(version);
    if (read) return read;
    const documents = this.#read(version);
    this.#documents.set(version, documents);
    return documents;
  }

  #read(version: string): readonly Documented[] {
    if (!/^\d{4}-\d{2}-\d{2}(-preview)?$/.test(version)) return [];
    const own = readable(() => readApiDocument(version));
    const stage = version.endsWith("-preview") ? "preview" : "stable";
    const file =
      this.#publishedDirectory && join(this.#publishedDirectory, stage, version, "redhatopenshift.json");
    return [
      ...(own ? [documented(`our document of ${version}`, own)] : []),
      ...(file && existsSync(file)
        ? [documented(`the published document of ${version}`, readDocument(file))]
        : []),
    ];
  }
}

function readable(read: () => OpenApiDocument): OpenApiDocument | undefined {
  try {
    return read();
  } catch {
    return undefined;
  }
}

function documented(name: string, document: OpenApiDocument): Documented {
  const operations = operationsOf(document).map(({ path, method, operation }) => ({
    method,
    path: new RegExp(`^${path.replace(/\{[^}]+\}/g, "[^/]+")}$`, "i"),
    operationId: operation.operationId,
  }));
  return { name, schemas: new BodySchemas(document), operations };
}
