import { scalarStringAt } from "@keelson/apimachinery";
import { listAt } from "@keelson/base";
import { textMapAt } from "./read.ts";

/** Formats labels as `a=b,c=d`. Returns `<none>` if there are no labels. */
export function labelText(labels: unknown): string {
  return (
    textMapAt(labels)
      .map(([name, value]) => `${name}=${value}`)
      .join(",") || "<none>"
  );
}

/** Formats a LabelSelector like kubectl: `a=b,c in (d,e),!f`. Returns `<none>` if there are no requirements. */
export function selectorText(selector: unknown): string {
  const labels = textMapAt(selector, "matchLabels").map(([name, value]) => ({
    name,
    text: `${name}=${value}`,
  }));
  const expressions = listAt(selector, "matchExpressions").map((expression) => {
    const name = scalarStringAt(expression, "key");
    return { name, text: expressionText(name, expression) };
  });
  const terms = [...labels, ...expressions].sort((left, right) => (left.name < right.name ? -1 : 1));
  return terms.map((term) => term.text).join(",") || "<none>";
}

function expressionText(name: string, expression: unknown): string {
  const values = listAt(expression, "values").map(String).sort().join(",");
  switch (scalarStringAt(expression, "operator")) {
    case "In":
      return `${name} in (${values})`;
    case "NotIn":
      return `${name} notin (${values})`;
    case "Exists":
      return name;
    case "DoesNotExist":
      return `!${name}`;
    default:
      return "<error>";
  }
}
