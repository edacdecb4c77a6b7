import { templateValue } from "./prose-strings.ts";

/** Replaces each character of code. It belongs to a word, but no rule matches it. */
export const mask = "\uE000";

/** Text of the same length with masked code spans, URLs and template values. */
export function maskCode(text: string): string {
  return maskSpans(text)
    .replaceAll(/\bhttps?:\/\/[^\s)>\]"'\uE000]+/g, (url) => mask.repeat(url.length))
    .replaceAll(templateValue, mask.repeat(templateValue.length));
}

/** Masks what two runs of backticks of the same length enclose. */
function maskSpans(text: string): string {
  const runs = [...text.matchAll(/`+/g)];
  /** Index of the next run of the same length. */
  const nextOf = new Map<number, number>();
  const latest = new Map<number, number>();
  for (let at = runs.length - 1; at >= 0; at--) {
    const length = runs[at]?.[0].length ?? 0;
    const next = latest.get(length);
    if (next !== undefined) nextOf.set(at, next);
    latest.set(length, at);
  }
  let masked = "";
  let from = 0;
  for (let at = 0; at < runs.length; at++) {
    const next = nextOf.get(at);
    const opening = runs[at];
    const closing = next === undefined ? undefined : runs[next];
    if (next === undefined || !opening || !closing) continue;
    const end = closing.index + closing[0].length;
    masked += text.slice(from, opening.index) + mask.repeat(end - opening.index);
    from = end;
    at = next;
  }
  return masked + text.slice(from);
}
