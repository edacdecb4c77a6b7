import { duplicateMembers, failures, parseJson } from "@keelson/apimachinery";
import { exactJson, type WorkBudget } from "@keelson/base";
import { isMap, LineCounter, parseDocument, visit } from "yaml";

/** Maximum number of aliases, because aliases can multiply the size of a document. Legitimate documents have fewer. */
const maxAliases = 100;

/** Decoded body, and the errors of strict decoding. */
export interface DecodedBody {
  readonly value: unknown;
  /** Duplicate fields with kube-apiserver's messages. */
  readonly strictErrors: readonly string[];
}

/** Decodes a YAML body that is also a JSON object. Returns undefined for all other bodies. */
export function decodeJsonAsYaml(text: string): DecodedBody | undefined {
  if (!/^\s*\{/.test(text)) return undefined;
  try {
    const value = parseJson(text);
    return { value, strictErrors: yamlErrors(duplicateMembers(text, value)) };
  } catch {
    // A YAML flow mapping also begins with a brace, so the body may still be valid YAML.
    return undefined;
  }
}

/**
 * Decodes YAML. The call blocks the event loop, so decode long documents in a worker thread.
 * @throws StatusError 400
 */
export function decodeYaml(text: string, budget: WorkBudget): DecodedBody {
  budget.spend(1, text.length);
  const lines = new LineCounter();
  const duplicates: { readonly name: string; readonly line: number }[] = [];
  let json: string | undefined;
  try {
    const document = parseDocument(text, {
      schema: "core",
      merge: false,
      uniqueKeys: false,
      lineCounter: lines,
      // Bigints represent large integers exactly, but are slower to parse.
      intAsBigInt: /\d{16}/.test(text),
    });
    const [error] = document.errors;
    if (error) throw error;
    visit(document, (_key, node) => {
      if (!isMap(node)) return;
      const names = new Set<string>();
      for (const { key } of node.items) {
        const name = String(key);
        const range = typeof key === "object" && key !== null && "range" in key ? key.range : undefined;
        const start = Array.isArray(range) ? Number(range[0]) : 0;
        if (names.has(name)) duplicates.push({ name, line: lines.linePos(start).line });
        names.add(name);
      }
    });
    json = exactJson(document.toJS({ maxAliasCount: maxAliases }));
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    throw failures.badRequest(`error parsing YAML: ${why.slice(0, 200)}`);
  }
  // Parsing the JSON applies the limits and types of JSON bodies.
  return { value: parseJson(json ?? "null"), strictErrors: yamlErrors(duplicates) };
}

function yamlErrors(
  duplicates: readonly { readonly name: string; readonly line: number }[],
): readonly string[] {
  if (duplicates.length === 0) return [];
  const list = duplicates.map(({ name, line }) => `  line ${line}: key "${name}" already set in map`);
  return [["yaml: unmarshal errors:", ...list].join("\n")];
}
