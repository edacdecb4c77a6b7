type Key = Pick<KeyboardEvent, "key" | "ctrlKey" | "metaKey" | "altKey">;

/** True for the shortcuts of the quick search: Ctrl+K everywhere, and `/` outside of input fields. */
export function opensSearch({ key, ctrlKey, metaKey, altKey }: Key, isTyping: boolean): boolean {
  if (altKey) return false;
  if (ctrlKey !== metaKey) return key.toLowerCase() === "k";
  return key === "/" && !ctrlKey && !isTyping;
}
