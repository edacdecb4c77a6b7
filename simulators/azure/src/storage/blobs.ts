import type { FastifyReply, FastifyRequest } from "fastify";
import { ArmError } from "../arm/arm-error.ts";
import type { Principal } from "../arm/principal.ts";
import type { Tokens } from "../entra/tokens.ts";
import type { RequestBody } from "../requests/request-body.ts";
import { authorizeBlob, type Needed } from "./blob-authorization.ts";
import * as blobs from "./blob-operations.ts";
import { type BlobRequest, nameOf, readBlobRequest } from "./blob-request.ts";
import { type BlobResponse, sendBlobResponse } from "./blob-response.ts";
import * as containers from "./container-operations.ts";
import * as service from "./service-operations.ts";
import { StorageError } from "./storage-error.ts";
import type { StorageSubscription } from "./storage-subscription.ts";
import { userDelegationKey } from "./user-delegation.ts";

/** Maximum size of an XML body in bytes. The limit is sufficient for a block list with the maximum number of blocks. */
const xmlLimit = 8 * 1024 * 1024;

interface Operation {
  readonly needed: Needed;
  /** Type of the request body. Default: no body. */
  readonly body?: "xml" | "content";
  /** Maximum content size in bytes. */
  readonly limit?: number;
  /** Checks the request before its content is received. @throws StorageError */
  check?(subscription: StorageSubscription, request: BlobRequest): void;
  /** Runs the operation. `principal` is the token's principal, if any. */
  run(
    subscription: StorageSubscription,
    request: BlobRequest,
    principal: Principal | undefined,
  ): BlobResponse;
}

const read = { permission: "r", kind: "resource" } as const;
const write = { permission: "cw", kind: "resource" } as const;
const blobRead = { permission: "r", level: "o", action: "containers/blobs/read", kind: "data" } as const;
const blobWrite = { permission: "cw", level: "o", action: "containers/blobs/write", kind: "data" } as const;
const ofService = { level: "s" } as const;
const ofContainer = { level: "c" } as const;

/** Operations by method, level and query. */
const operations: Readonly<Record<string, Operation>> = {
  "GET service list": {
    needed: { permission: "l", kind: "resource", ...ofService, action: "containers/read" },
    run: service.listContainers,
  },
  "GET service account": {
    needed: { ...read, ...ofService, action: "read" },
    run: service.accountInformation,
  },
  "GET service properties": {
    needed: { ...read, ...ofService, action: "read" },
    run: service.serviceProperties,
  },
  "PUT service properties": {
    needed: { ...write, ...ofService, action: "write" },
    body: "xml",
    run: service.setServiceProperties,
  },
  "POST service userdelegationkey": {
    needed: {
      ...{ permission: "r", kind: "resource", ...ofService },
      action: "generateUserDelegationKey/action",
    },
    body: "xml",
    run: userDelegationKey,
  },
  "PUT container ": {
    needed: { ...write, ...ofContainer, action: "containers/write" },
    run: containers.createContainer,
  },
  "GET container ": {
    needed: { ...read, ...ofContainer, action: "containers/read" },
    run: containers.containerProperties,
  },
  "DELETE container ": {
    needed: { permission: "d", kind: "resource", ...ofContainer, action: "containers/delete" },
    run: containers.deleteContainer,
  },
  "GET container list": {
    needed: { permission: "l", kind: "data", ...ofContainer, action: "containers/blobs/read" },
    run: containers.listBlobs,
  },
  "PUT container metadata": {
    needed: { ...write, ...ofContainer, action: "containers/write" },
    run: containers.setContainerMetadata,
  },
  "GET container acl": {
    needed: { ...read, ...ofContainer, action: "containers/read" },
    run: containers.containerAccess,
  },
  "PUT container acl": {
    needed: { ...write, ...ofContainer, action: "containers/write" },
    body: "xml",
    run: containers.setContainerAccess,
  },
  "PUT blob ": {
    needed: blobWrite,
    body: "content",
    limit: 5_000 * 1024 * 1024,
    check: blobs.checkBlobWrite,
    run: blobs.putBlob,
  },
  "PUT blob block": {
    needed: blobWrite,
    body: "content",
    limit: 4_000 * 1024 * 1024,
    check: blobs.checkBlock,
    run: blobs.putBlock,
  },
  "PUT blob blocklist": { needed: blobWrite, body: "xml", run: blobs.putBlockList },
  "GET blob blocklist": { needed: blobRead, run: blobs.getBlockList },
  "GET blob ": { needed: blobRead, run: blobs.getBlob },
  "PUT blob metadata": { needed: blobWrite, run: blobs.setBlobMetadata },
  "PUT blob properties": { needed: blobWrite, run: blobs.setBlobProperties },
  "DELETE blob ": {
    needed: { permission: "d", level: "o", action: "containers/blobs/delete", kind: "data" },
    run: blobs.deleteBlob,
  },
};

/**
 * Handles the blob service of storage accounts. `segments` contains the account and the blob path. An account that is not an ARM
 * resource of this subscription is served as if every container existed. Such an account accepts only tokens.
 */
export async function handleBlobs(
  subscription: StorageSubscription,
  tokens: Tokens,
  segments: readonly string[],
  query: URLSearchParams,
  body: RequestBody,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<undefined> {
  const asked = readBlobRequest(subscription, segments, query, request);
  reply.header("x-ms-version", asked.headers["x-ms-version"] ?? query.get("sv") ?? "2021-08-06");
  reply.header("x-ms-request-id", request.id);
  try {
    const operation = operationOf(asked);
    const principal = await authorizeBlob(subscription, tokens, asked, operation?.needed ?? blobRead);
    if (!operation) throw noOperation(asked);
    const run = (whole: BlobRequest) => runOperation(subscription, operation, whole, principal);
    sendBlobResponse(
      reply,
      subscription.blobs.files,
      await withBody(subscription, operation, asked, body, run),
    );
  } catch (error) {
    if (error instanceof StorageError) error.response(reply);
    else if (error instanceof ArmError) {
      new StorageError(error.status, error.code, error.message).response(reply);
    } else throw error;
  }
}

async function runOperation(
  subscription: StorageSubscription,
  operation: Operation,
  request: BlobRequest,
  principal: Principal | undefined,
): Promise<BlobResponse> {
  const response = subscription.store.transaction(() => operation.run(subscription, request, principal));
  await subscription.store.durable();
  return response;
}

/** Runs an operation after its body has been received. Content is streamed to disk. */
async function withBody(
  subscription: StorageSubscription,
  { body: kind, limit = 0, check }: Operation,
  request: BlobRequest,
  body: RequestBody,
  run: (whole: BlobRequest) => Promise<BlobResponse>,
): Promise<BlobResponse> {
  if (kind === undefined) return run(request);
  if (kind === "xml") return run({ ...request, body: (await body.bytes(xmlLimit)).toString() });
  check?.(subscription, request);
  const content = await subscription.blobs.files.receive(body.stream(limit));
  try {
    return await run({ ...request, content });
  } catch (error) {
    subscription.blobs.abandon(content);
    throw error;
  }
}

function operationOf(request: BlobRequest): Operation | undefined {
  const { method, container, blob, query } = request;
  const level = container === "" ? "service" : blob === "" ? "container" : "blob";
  const restype = query.get("restype")?.toLowerCase();
  const comp = restype === "account" ? "account" : (query.get("comp")?.toLowerCase() ?? "");
  if (level === "container" && restype !== "container") return undefined;
  return operations[`${method === "HEAD" ? "GET" : method} ${level} ${comp}`];
}

function noOperation({ method, rawPath, query }: BlobRequest): StorageError {
  return new StorageError(
    400,
    "InvalidUri",
    `The simulated Blob service has no ${method} of '${rawPath}' with the query '${query}'.`,
  );
}

/** Serves the static website of an account at `/web/{account}/{name}`, without authentication. */
export function handleWebsite(
  subscription: StorageSubscription,
  [account = "", ...name]: readonly string[],
  query: URLSearchParams,
  request: FastifyRequest,
  reply: FastifyReply,
): undefined {
  try {
    if (request.method !== "GET" && request.method !== "HEAD") {
      throw new StorageError(405, "UnsupportedHttpVerb", "A static website is only read.");
    }
    const asked = readBlobRequest(subscription, [account, "$web", ...name], query, request);
    const blob = subscription.blobs.find(nameOf(asked));
    if (!blob) throw new StorageError(404, "WebContentNotFound", "The requested content does not exist.");
    sendBlobResponse(reply, subscription.blobs.files, blobs.respondWithBlob(blob));
  } catch (error) {
    if (!(error instanceof StorageError)) throw error;
    error.response(reply);
  }
}
