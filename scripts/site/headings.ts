/** Yields the parts of a Markdown document outside fenced code blocks, with their offsets. */
export function* prose(text: string): Generator<{ readonly part: string; readonly at: number }> {
  let fence: string | undefined;
  let from = 0;
  let at = 0;
  for (const line of text.split(/(?<=\n)/)) {
    const [, mark] = /^\s*(`{3,}|~{3,})/.exec(line) ?? [];
    if (mark && fence === undefined) {
      yield { part: text.slice(from, at), at: from };
      fence = mark;
    } else if (mark && fence !== undefined && mark.startsWith(fence)) {
      fence = undefined;
      from = at + line.length;
    }
    at += line.length;
  }
  if (fence === undefined) yield { part: text.slice(from), at: from };
}

/** Returns the anchor of a heading, in the format of code hosting sites. */
export function anchorOf(heading: string): string {
  return heading
    .replace(/\[([^\]]*)\]\([^)]*\)/g, "$1")
    .trim()
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\s_-]/gu, "")
    .replace(/\s/g, "-");
}

/** Returns the anchors of a page. Repeated headings get a number as suffix. */
export function anchorsOf(text: string): ReadonlySet<string> {
  const anchors = new Set<string>();
  for (const { part } of prose(text))
    for (const [, heading = ""] of part.matchAll(/^#{1,6}\s+(.+?)\s*#*$/gm)) {
      const base = anchorOf(heading);
      let anchor = base;
      for (let again = 1; anchors.has(anchor); again++) anchor = `${base}-${again}`;
      anchors.add(anchor);
    }
  return anchors;
}
