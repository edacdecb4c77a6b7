import { copyJson, PatchError, requestBudget, requireDepth } from "@keelson/apimachinery";
import { isPlainObject, WorkBudget, WorkBudgetExceeded } from "@keelson/base";
import { JsonPatchDocument } from "./json-patch-document.ts";
import { parsePointer } from "./json-pointer.ts";

/** Maximum number of operations in one JSON patch, as in kube-apiserver. */
export const maxOperations = 10_000;
/**
 * Maximum JSON bytes that copy operations create, as in kube-apiserver. Without this limit, a few operations could create
 * gigabytes.
 */
const maxCopiedBytes = 3 * 1024 * 1024;

interface Copying {
  readonly op: "move" | "copy";
  readonly path: string;
  readonly from: string;
}

interface Setting {
  readonly op: "add" | "replace" | "test";
  readonly path: string;
  readonly value: unknown;
}

type Operation = Copying | Setting | { readonly op: "remove"; readonly path: string };

/**
 * Applies an RFC 6902 patch and returns the result. `object` is not changed.
 * @throws PatchError 400 for an invalid patch, 413 for too many operations or copied bytes.
 * @throws PatchError 422 for a failed `test`, a missing parent or a path through an inherited property.
 * @throws WorkBudgetExceeded
 */
export function applyJsonPatch(
  object: Readonly<Record<string, unknown>>,
  patch: unknown,
  budget: WorkBudget = requestBudget(),
): Record<string, unknown> {
  if (!Array.isArray(patch)) throw new PatchError(400, "a JSON patch must be an array of operations");
  if (patch.length > maxOperations) {
    throw new PatchError(
      413,
      `The allowed maximum operations in a JSON patch is ${maxOperations}, got ${patch.length}`,
    );
  }
  const operations = patch.map(parseOperation);
  const document = new JsonPatchDocument(object, budget);
  const copies = new WorkBudget({ ...budget.remaining, bytes: maxCopiedBytes });
  for (const [index, operation] of operations.entries()) {
    try {
      perform(document, operation, budget, copies);
    } catch (cause) {
      if (cause instanceof WorkBudgetExceeded) throw cause;
      throw cause instanceof PatchError ? cause : failed(operation, index, cause);
    }
  }
  return resultOf(document, budget);
}

function resultOf({ root }: JsonPatchDocument, budget: WorkBudget): Record<string, unknown> {
  if (!isPlainObject(root)) throw new PatchError(422, "the result of the JSON patch is not an object");
  try {
    requireDepth(root, budget);
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    throw new PatchError(422, `the result of the JSON patch is ${error.message}`);
  }
  return root;
}

/**
 * Performs one operation of the patch.
 * @throws Error if the operation fails
 */
function perform(
  document: JsonPatchDocument,
  operation: Operation,
  budget: WorkBudget,
  copies: WorkBudget,
): void {
  const path = pathOf(operation.path);
  switch (operation.op) {
    // Values are copied, because the patch must not change. After a conflict, the patch is applied again.
    case "add":
      document.add(path, copyJson(operation.value, budget));
      break;
    case "replace":
      document.replace(path, copyJson(operation.value, budget));
      break;
    case "test":
      document.test(path, operation.value);
      break;
    case "remove":
      document.remove(path);
      break;
    case "move":
      document.move(pathOf(operation.from), path);
      break;
    case "copy":
      document.add(path, copied(document.memberAt(pathOf(operation.from)), budget, copies));
  }
}

/**
 * Copies a value. The size is counted during the copy, so a copy stops at the limit.
 * @throws PatchError 413
 */
function copied(value: unknown, budget: WorkBudget, copies: WorkBudget): unknown {
  try {
    return copyJson(value, copies);
  } catch (error) {
    if (!(error instanceof WorkBudgetExceeded)) throw error;
    // `spend` and `checkTime` throw if a limit of the request is exceeded. If neither throws, only the limit for inline work is
    // exceeded, and the patch continues in a worker thread.
    if (error.limit !== "bytes") {
      budget.spend(copies.spent.nodes);
      budget.checkTime();
      throw error;
    }
    const message = `the copy operations of the JSON patch create more than ${maxCopiedBytes} bytes`;
    throw new PatchError(413, message);
  }
}

function pathOf(pointer: string): readonly string[] {
  const path = parsePointer(pointer);
  if (!path)
    throw new Error(
      `${JSON.stringify(pointer.slice(0, 100))} is not a JSON pointer: it must begin with a slash`,
    );
  return path;
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

function failed(operation: Operation, index: number, cause: unknown): PatchError {
  const reason = cause instanceof Error ? cause.message : String(cause);
  const message = `operation ${index} of the JSON patch (${operation.op} ${operation.path}) failed: ${reason}`;
  return new PatchError(422, message, { cause });
}
