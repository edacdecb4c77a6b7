import { join, parse } from "node:path";
import { openSqliteJournal } from "@keelson/sim-store";
import { BlobFiles } from "./storage/blob-files.ts";
import { Store } from "./store/store.ts";

/** Open files of a simulated Azure. Disposal closes them. */
export interface OpenedState extends AsyncDisposable {
  readonly store: Store;
  /** Files with the content of blobs. */
  readonly files: BlobFiles;
}

/**
 * Loads the state of a simulated Azure from a SQLite file. For the file `azure.sqlite`, the content of blobs is in the directory
 * `azure-blobs`. No operation is started, so a caller can load the state some time before it starts the simulated Azure.
 * @throws CodedError StorageUnusable
 */
export async function openState(path: string): Promise<OpenedState> {
  const { dir, name } = parse(path);
  const store = await Store.open(await openSqliteJournal(path));
  return openedState(store, new BlobFiles(join(dir, `${name}-blobs`)));
}

export function openedState(store: Store, files: BlobFiles): OpenedState {
  let closing: Promise<void> | undefined;
  const close = async () => {
    await files[Symbol.asyncDispose]();
    await store.close();
  };
  return {
    store,
    files,
    [Symbol.asyncDispose]() {
      closing ??= close();
      return closing;
    },
  };
}
