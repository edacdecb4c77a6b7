import { type KubeObject, numberOrZeroAt, type PrinterColumn, scalarStringAt } from "@keelson/apimachinery";
import { exactJson, valueAt, WorkBudget, WorkBudgetExceeded, type WorkLimits } from "@keelson/base";
import { ageOf } from "./age.ts";
import { compileJsonPath } from "./json-path.ts";
import { countAt } from "./read.ts";

export type Cell = string | number | bigint | boolean | null;

/** Table column with cells computed from the object. Columns with `priority` 1 are shown only with `-o wide`. */
export interface Column {
  readonly name: string;
  readonly type: PrinterColumn["type"];
  readonly format?: string;
  readonly description?: string;
  readonly priority: number;
  readonly cell: (object: KubeObject, now: Date) => Cell;
}

export const nameColumn: Column = {
  name: "Name",
  type: "string",
  format: "name",
  priority: 0,
  cell: (object) => object.metadata.name,
};

export const ageColumn: Column = {
  name: "Age",
  type: "string",
  priority: 0,
  cell: (object, now) => ageOf(object.metadata.creationTimestamp, now),
};

/**
 * Column with the creation time. Kinds for which kube-apiserver defines no columns have this column instead of the column Age.
 */
const createdAtColumn: Column = {
  name: "Created At",
  type: "date",
  priority: 0,
  cell: (object) => object.metadata.creationTimestamp ?? null,
};

/** Default columns of kinds such as roles, CRDs and limit ranges. */
export const plainColumns: readonly Column[] = [nameColumn, createdAtColumn];

export function text(name: string, cell: Column["cell"]): Column {
  return { name, type: "string", priority: 0, cell };
}

/** Returns a column with the string at a dotted path. Default: `otherwise`. */
export function textOf(name: string, path: string, otherwise = ""): Column {
  const members = path.split(".");
  return text(name, (object) => scalarStringAt(object, ...members) || otherwise);
}

/** Returns a column with the number at a dotted path. Default: 0. */
export function count(name: string, path: string): Column {
  const members = path.split(".");
  return { name, type: "integer", priority: 0, cell: (object) => numberOrZeroAt(object, ...members) };
}

/** Returns a column with the number of items or fields at dotted paths. */
export function size(name: string, ...paths: readonly string[]): Column {
  const members = paths.map((path) => path.split("."));
  return {
    name,
    type: "integer",
    priority: 0,
    cell: (object) => members.reduce((sum, path) => sum + countAt(object, ...path), 0),
  };
}

/** Returns a column with the boolean at a dotted path. Default: `otherwise`. */
export function flag(name: string, path: string, otherwise = false): Column {
  const members = path.split(".");
  return {
    name,
    type: "boolean",
    priority: 0,
    cell: (object) => {
      const value = valueAt(object, ...members);
      return typeof value === "boolean" ? value : otherwise;
    },
  };
}

/**
 * Replaces the declared type of a column. In some columns of kube-apiserver, the declared type differs from the type of the
 * cells.
 */
export function declared(type: Column["type"], column: Column): Column {
  return { ...column, type };
}

export function wide(column: Column): Column {
  return { ...column, priority: 1 };
}

/** Returns a column of a custom resource or aggregated resource. An invalid path produces empty cells. */
export function customColumn(column: PrinterColumn): Column {
  const { name, type, format, description, priority, jsonPath } = column;
  const find = compileOrNothing(jsonPath);
  const { cell = (object, now) => toCell(type, firstFound(find, object), now) } = column;
  return {
    name,
    type,
    priority,
    ...(format === undefined ? {} : { format }),
    ...(description === undefined ? {} : { description }),
    cell,
  };
}

/** Cost limits of one cell. Realistic columns need less. */
const cellLimits: WorkLimits = { nodes: 10_000, bytes: 1, timeMs: 1_000 };

/** Returns the first match, or undefined if the path is too expensive. */
function firstFound(find: ReturnType<typeof compileJsonPath>, object: unknown): unknown {
  try {
    return find(object, new WorkBudget(cellLimits))[0];
  } catch (error) {
    if (error instanceof WorkBudgetExceeded) return undefined;
    throw error;
  }
}

function compileOrNothing(path: string): ReturnType<typeof compileJsonPath> {
  try {
    return compileJsonPath(path);
  } catch (error) {
    if (error instanceof SyntaxError) return () => [];
    throw error;
  }
}

function toCell(type: PrinterColumn["type"], value: unknown, now: Date): Cell {
  if (value === undefined || value === null) return null;
  switch (type) {
    case "string":
      return typeof value === "object" ? exactJson(value) : String(value);
    case "integer":
      if (typeof value === "bigint") return value;
      return typeof value === "number" ? Math.trunc(value) : null;
    case "number":
      return typeof value === "number" || typeof value === "bigint" ? Number(value) : null;
    case "boolean":
      return typeof value === "boolean" ? value : null;
    case "date":
      return typeof value === "string" ? ageOf(value, now) : null;
  }
}
