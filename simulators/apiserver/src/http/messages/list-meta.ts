import type { KubeObject } from "@keelson/apimachinery";
import type { ListPage } from "../../registry/list.ts";

/** meta/v1 ListMeta. */
export interface ListMeta {
  readonly resourceVersion: string;
  readonly continue?: string;
  readonly remainingItemCount?: number;
}

export function listMeta({ revision, continueToken, remaining }: ListPage): ListMeta {
  return {
    resourceVersion: String(revision),
    ...(continueToken ? { continue: continueToken } : {}),
    ...(remaining === undefined ? {} : { remainingItemCount: remaining }),
  };
}

/** Returns the object of a bookmark event. The object has only a resource version and annotations. */
export function bookmarkOf(
  apiVersion: string,
  kind: string,
  revision: number,
  annotations: Readonly<Record<string, string>> | undefined,
): Omit<KubeObject, "metadata"> & { readonly metadata: object } {
  const metadata = { resourceVersion: String(revision), ...(annotations ? { annotations } : {}) };
  return { kind, apiVersion, metadata };
}
