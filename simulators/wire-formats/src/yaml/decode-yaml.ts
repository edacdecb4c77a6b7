import { duplicateMembers, failures, parseJson } from "@keelson/apimachinery";
import { exactJson, type WorkBudget } from "@keelson/base";
import { isMap, LineCounter, parseDocument, visit } from "yaml";

/** Aliases may multiply a text's size; more than these no honest document needs. */
const maxAliases = 100;

/** A body, and what a strict reader would refuse in it. */
export interface DecodedBody {
  readonly value: unknown;
  /** Fields that are there twice, in the words of kube-apiserver. */
  readonly strictErrors: readonly string[];
}

/** JSON that was sent as YAML; `undefined` when it is not JSON. */
export function decodeJsonAsYaml(text: string): DecodedBody | undefined {
  if (!/^\s*\{/.test(text)) return undefined;
  try {
    const value = parseJson(text);
    return { value, strictErrors: yamlErrors(duplicateMembers(text, value)) };
  } catch {
    // The flow style of YAML begins like JSON.
    return undefined;
  }
}

/** Takes as long as the text wants: long texts are for a thread. @throws StatusError 400 */
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
      // Slower, and exact.
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
  // Through JSON, so that the same limits and types hold.
  return { value: parseJson(json ?? "null"), strictErrors: yamlErrors(duplicates) };
}

function yamlErrors(
  duplicates: readonly { readonly name: string; readonly line: number }[],
): readonly string[] {
  if (duplicates.length === 0) return [];
  const list = duplicates.map(({ name, line }) => `  line ${line}: key "${name}" already set in map`);
  return [["yaml: unmarshal errors:", ...list].join("\n")];
}
