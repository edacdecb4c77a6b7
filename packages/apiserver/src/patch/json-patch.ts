import { isPlainObject } from "@keelson/base";
import jsonPatch, { type Operation } from "fast-json-patch";
import { PatchError } from "./patch-error.ts";

/** The most operations one JSON patch may hold, as in kube-apiserver. */
export const maxOperations = 10_000;
/** The most bytes of JSON that its copy operations may make together, as in kube-apiserver: a few can make gigabytes. */
export const maxCopiedBytes = 3 * 1024 * 1024;

/**
 * Applies an RFC 6902 patch and returns the result; `object` stays as it is.
 * @throws PatchError 400 for a body that is no patch, 413 for too many operations or too much copied, 422 for an operation that fails
 * (a failed `test`, a missing parent, a path that leads through something inherited).
 */
export function applyJsonPatch(
  object: Readonly<Record<string, unknown>>,
  patch: unknown,
): Record<string, unknown> {
  if (!Array.isArray(patch)) throw new PatchError(400, "a JSON patch must be an array of operations");
  if (patch.length > maxOperations) {
    throw new PatchError(
      413,
      `The allowed maximum operations in a JSON patch is ${maxOperations}, got ${patch.length}`,
    );
  }
  const operations = patch.map(parseOperation);
  let document: unknown = structuredClone(object);
  let copiedBytes = 0;
  for (const [index, operation] of operations.entries()) {
    requireOwnPath(document, operation, index);
    if (operation.op === "copy") {
      copiedBytes += JSON.stringify(valueAt(document, segments(operation.from))).length;
      if (copiedBytes > maxCopiedBytes) {
        throw new PatchError(
          413,
          `the copy operations of the JSON patch make more than ${maxCopiedBytes} bytes`,
        );
      }
    }
    try {
      document = jsonPatch.applyOperation(document, structuredClone(operation), true, true, true).newDocument;
    } catch (cause) {
      throw failed(operation, index, cause);
    }
  }
  if (!isPlainObject(document)) throw new PatchError(422, "the JSON patch leaves no object");
  return document;
}

function parseOperation(value: unknown, index: number): Operation {
  if (!isPlainObject(value))
    throw new PatchError(400, `operation ${index} of the JSON patch is not an object`);
  const { op, path, from } = value;
  if (typeof path !== "string") throw new PatchError(400, `operation ${index} of the JSON patch has no path`);
  switch (op) {
    case "add":
    case "replace":
    case "test":
      if (!Object.hasOwn(value, "value")) {
        throw new PatchError(400, `operation ${index} of the JSON patch (${op} ${path}) has no value`);
      }
      return { op, path, value: value.value };
    case "remove":
      return { op, path };
    case "move":
    case "copy":
      if (typeof from !== "string") {
        throw new PatchError(400, `operation ${index} of the JSON patch (${op} ${path}) has no from`);
      }
      return { op, path, from };
    default:
      throw new PatchError(
        400,
        `operation ${index} of the JSON patch has an unknown op: ${JSON.stringify(op)}`,
      );
  }
}

/** The library follows inherited members (`/constructor/...`) and reads past missing ones; a document only has its own. */
function requireOwnPath(document: unknown, operation: Operation, index: number): void {
  const pointers = operation.op === "move" || operation.op === "copy" ? [operation.from] : [];
  const mustExist = operation.op === "remove" || operation.op === "replace" || operation.op === "test";
  if (mustExist) pointers.push(operation.path);
  const missing =
    pointers.some((pointer) => !ownPathExists(document, segments(pointer))) ||
    (!mustExist && !ownPathExists(document, segments(operation.path).slice(0, -1)));
  if (missing) throw failed(operation, index, new Error("the path does not exist"));
}

function segments(pointer: string): string[] {
  if (pointer === "") return [];
  return pointer
    .split("/")
    .slice(1)
    .map((part) => part.replaceAll("~1", "/").replaceAll("~0", "~"));
}

function ownPathExists(document: unknown, path: readonly string[]): boolean {
  return path.length === 0 || valueAt(document, path) !== undefined;
}

/** The value at a path of own members and indexes. JSON has no undefined: that is what is not there. */
function valueAt(document: unknown, path: readonly string[]): unknown {
  return path.reduce<unknown>((value, key) => {
    if (Array.isArray(value)) return /^(?:0|[1-9]\d*)$/.test(key) ? value[Number(key)] : undefined;
    return isPlainObject(value) && Object.hasOwn(value, key) ? value[key] : undefined;
  }, document);
}

function failed(operation: Operation, index: number, cause: unknown): PatchError {
  const reason = cause instanceof Error ? cause.message.split("\n")[0] : String(cause);
  const message = `operation ${index} of the JSON patch (${operation.op} ${operation.path}) failed: ${reason}`;
  return new PatchError(422, message, { cause });
}
