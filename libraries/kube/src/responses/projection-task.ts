import {
  JsonFault,
  type Projection,
  ProjectionExceeded,
  type ProjectionRequest,
  projectJson,
} from "./json-projection.ts";

export interface ProjectionTask {
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly request: ProjectionRequest;
}

export type ProjectionResponse =
  | { readonly kind: "done"; readonly projection: Projection }
  | { readonly kind: "invalid"; readonly reason: string }
  | { readonly kind: "exceeded"; readonly limit: ProjectionExceeded["limit"] };

/** Reply of the projection thread. */
export interface ThreadReply {
  readonly response: ProjectionResponse;
  /** CPU time that the thread has used since its start, in ms. */
  readonly usedMs: number;
}

export function responseOf({ bytes, request }: ProjectionTask): ProjectionResponse {
  try {
    return { kind: "done", projection: projectJson(bytes, request) };
  } catch (error) {
    if (error instanceof ProjectionExceeded) return { kind: "exceeded", limit: error.limit };
    if (error instanceof JsonFault) return { kind: "invalid", reason: error.message };
    throw error;
  }
}
