import { copyJson, equalJson } from "@keelson/apimachinery";
import { isPlainObject, type WorkBudget } from "@keelson/base";
import { isIndex, valueAtPath } from "./json-pointer.ts";

type Path = readonly string[];

/** Number of moved list items that cost one node of the work budget. An insertion moves all following items. */
const itemsMovedPerNode = 128;

/**
 * JSON document to which RFC 6902 operations are applied one by one. A failed operation throws an `Error` without a status code.
 */
export class JsonPatchDocument {
  readonly #budget: WorkBudget;
  #root: unknown;

  constructor(root: unknown, budget: WorkBudget) {
    this.#budget = budget;
    this.#root = copyJson(root, budget);
  }

  get root(): unknown {
    return this.#root;
  }

  /**
   * Returns the value at a path.
   * @throws Error if the path does not exist
   */
  at(path: Path): unknown {
    this.#budget.spend(path.length);
    const value = valueAtPath(this.#root, path);
    if (value === undefined) throw new Error("the path does not exist");
    return value;
  }

  /**
   * Returns the value at a path. As in kube-apiserver, a missing property of an object is null.
   * @throws Error if the parent is not an object
   */
  memberAt(path: Path): unknown {
    this.#budget.spend(path.length);
    const value = valueAtPath(this.#root, path);
    if (value !== undefined) return value;
    if (!isPlainObject(valueAtPath(this.#root, path.slice(0, -1))))
      throw new Error("the path does not exist");
    return null;
  }

  add(path: Path, value: unknown): void {
    const last = path.at(-1);
    if (last === undefined) {
      this.#root = value;
      return;
    }
    const parent = this.at(path.slice(0, -1));
    if (Array.isArray(parent)) this.#insert(parent, last, value);
    else if (isPlainObject(parent)) define(parent, last, value);
    else throw new Error("the path passes through a value without properties");
  }

  remove(path: Path): unknown {
    const removed = this.at(path);
    const last = path.at(-1);
    const parent = valueAtPath(this.#root, path.slice(0, -1));
    if (last === undefined) this.#root = null;
    else if (Array.isArray(parent)) {
      this.#budget.spend(parent.length / itemsMovedPerNode);
      parent.splice(Number(last), 1);
    } else if (isPlainObject(parent)) delete parent[last];
    return removed;
  }

  replace(path: Path, value: unknown): void {
    this.memberAt(path);
    const last = path.at(-1);
    const parent = valueAtPath(this.#root, path.slice(0, -1));
    if (last === undefined) this.#root = value;
    else if (Array.isArray(parent)) parent[Number(last)] = value;
    else if (isPlainObject(parent)) define(parent, last, value);
  }

  move(from: Path, path: Path): void {
    if (from.length < path.length && from.every((each, at) => path[at] === each)) {
      throw new Error("a value cannot be moved into itself");
    }
    this.add(path, this.remove(from));
  }

  test(path: Path, value: unknown): void {
    if (!equalJson(value, this.memberAt(path), this.#budget, new WeakMap())) {
      throw new Error("the value differs");
    }
  }

  #insert(list: unknown[], key: string, value: unknown): void {
    if (key === "-") {
      list.push(value);
      return;
    }
    if (!isIndex(key) || Number(key) > list.length) throw new Error("the path is not an index of the list");
    this.#budget.spend(list.length / itemsMovedPerNode);
    list.splice(Number(key), 0, value);
  }
}

/** Defines a property. A normal assignment to `__proto__` would set the prototype. */
function define(object: Record<string, unknown>, name: string, value: unknown): void {
  Object.defineProperty(object, name, { value, writable: true, enumerable: true, configurable: true });
}
