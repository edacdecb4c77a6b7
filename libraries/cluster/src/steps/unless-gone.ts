import { isNotFound } from "@keelson/azure";

/** Runs a read or a deletion. Resolves to undefined if the resource is missing. */
export async function unlessGone<T>(action: () => PromiseLike<T>): Promise<T | undefined> {
  try {
    return await action();
  } catch (error) {
    if (isNotFound(error)) return undefined;
    throw error;
  }
}
