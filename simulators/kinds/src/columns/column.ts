import { type KubeObject, type PrinterColumn, textAt, valueAt } from "@keelson/apimachinery";
import { exactJson, WorkBudget, WorkBudgetExceeded, type WorkLimits } from "@keelson/base";
import { ageOf } from "./age.ts";
import { compileJsonPath } from "./json-path.ts";
import { countAt, numberAt } from "./read.ts";

export type Cell = string | number | bigint | boolean | null;

/** A column whose cells are computed from the object. `priority` 0 is shown by default, 1 with `-o wide`. */
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

/** What kinds without columns of their own show instead of an age: the time itself. */
const createdAtColumn: Column = {
  name: "Created At",
  type: "date",
  priority: 0,
  cell: (object) => object.metadata.creationTimestamp ?? null,
};

/** Of kinds that have no columns of their own (roles, CRDs, limit ranges). */
export const plainColumns: readonly Column[] = [nameColumn, createdAtColumn];

export function text(name: string, cell: Column["cell"]): Column {
  return { name, type: "string", priority: 0, cell };
}

/** The text at a dotted path, or `otherwise` when it is empty. */
export function textOf(name: string, path: string, otherwise = ""): Column {
  const members = path.split(".");
  return text(name, (object) => textAt(object, ...members) || otherwise);
}

/** The number at a dotted path, 0 when absent. */
export function count(name: string, path: string): Column {
  const members = path.split(".");
  return { name, type: "integer", priority: 0, cell: (object) => numberAt(object, ...members) };
}

/** How many items or members there are at a dotted path. */
export function size(name: string, ...paths: readonly string[]): Column {
  const members = paths.map((path) => path.split("."));
  return {
    name,
    type: "integer",
    priority: 0,
    cell: (object) => members.reduce((sum, path) => sum + countAt(object, ...path), 0),
  };
}

/** The boolean at a dotted path, or `otherwise` when absent. */
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

/** kube-apiserver declares another type than that of the cells: numbers as strings, a text as a name. */
export function declared(type: Column["type"], column: Column): Column {
  return { ...column, type };
}

export function wide(column: Column): Column {
  return { ...column, priority: 1 };
}

/** The column of a custom resource definition, or of a kind that code adds. A path that cannot be compiled gives empty cells. */
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

/** More than any column needs that people read. */
const cellLimits: WorkLimits = { nodes: 10_000, bytes: 1, timeMs: 1_000 };

/** Nothing is shown of a path that takes too long. */
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
