import { isNotFound } from "./azure-error.ts";

/** Returns the result of a read or a deletion, or undefined if the resource is missing. */
export async function unlessGone<T>(action: () => PromiseLike<T>): Promise<T | undefined> {
  try {
    return await action();
  } catch (error) {
    if (isNotFound(error)) return undefined;
    throw error;
  }
}
