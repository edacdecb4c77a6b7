import { stringAt } from "@keelson/base";
import { type Content, type ContentList, isList } from "./cluster-content.ts";

/** Number of watches after which an object has changed. A kubelet writes its node every five minutes, even without a change. */
const nodeChangesEvery = 5;
const changesEvery = 50;

/** Last line of a watch. */
export const bookmark = `${JSON.stringify({
  type: "BOOKMARK",
  object: { kind: "Any", apiVersion: "v1", metadata: { resourceVersion: "1" } },
})}\n`;

/** Returns the items that the field selector of a request selects. */
export function selectedItems({ items }: ContentList, { searchParams }: URL): readonly object[] {
  return searchParams.get("fieldSelector") === "status.phase!=Succeeded"
    ? items.filter((each) => stringAt(each, "status", "phase") !== "Succeeded")
    : items;
}

/** Simulates changes of the objects. In each watch, a different part of the objects has changed. */
export class WatchedChanges {
  readonly #content: Content;
  readonly #watches = new Map<string, number>();

  constructor(content: Content) {
    this.#content = content;
  }

  /** Returns the lines of a watch. Returns undefined if the path is not a watch of a list. */
  of(path: string): string | undefined {
    const url = new URL(path, "https://cluster");
    const list = this.#content.get(url.pathname);
    if (!url.searchParams.has("watch") || !list || !isList(list)) return undefined;
    const watches = (this.#watches.get(url.pathname) ?? 0) + 1;
    this.#watches.set(url.pathname, watches);
    const every = list.kind === "NodeList" ? nodeChangesEvery : changesEvery;
    return selectedItems(list, url)
      .filter((_, at) => (at + watches) % every === 0)
      .map((object) => `${JSON.stringify({ type: "MODIFIED", object })}\n`)
      .join("");
  }
}
