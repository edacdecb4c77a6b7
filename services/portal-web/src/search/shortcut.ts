type Key = Pick<KeyboardEvent, "key" | "ctrlKey" | "metaKey" | "altKey">;

/** True for the keys of the quick search: Ctrl+K everywhere, `/` outside of input fields. */
export function opensSearch({ key, ctrlKey, metaKey, altKey }: Key, isTyping: boolean): boolean {
  if (altKey) return false;
  if (ctrlKey !== metaKey) return key.toLowerCase() === "k";
  return key === "/" && !ctrlKey && !isTyping;
}
