import { templateValue } from "./prose-strings.ts";

/** Placeholder for each character of code. It counts as a word character but matches no rule. */
export const mask = "\uE000";

/** Masks code spans, URLs and template values. The length does not change. */
export function maskCode(text: string): string {
  return maskSpans(text)
    .replaceAll(/\bhttps?:\/\/[^\s)>\]"'\uE000]+/g, (url) => mask.repeat(url.length))
    .replaceAll(templateValue, mask.repeat(templateValue.length));
}

/** Masks code spans, which are enclosed by two runs of backticks of the same length. */
function maskSpans(text: string): string {
  const runs = [...text.matchAll(/`+/g)];
  /** Index of the next backtick run of the same length. */
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
