import type { KubeObject, ResourceType } from "@keelson/apimachinery";
import {
  ageColumn,
  type Cell,
  type Column,
  customColumn,
  kindOf,
  nameColumn,
  plainColumns,
} from "@keelson/kinds";

export interface TableRequest {
  readonly type: ResourceType;
  readonly objects: readonly KubeObject[];
  /** API version of the Table in meta.k8s.io. */
  readonly apiVersion: string;
  /** Metadata of the list. For a single object, the metadata contains only its resourceVersion. */
  readonly metadata: Table["metadata"];
  /** Content of `object` in each row (`?includeObject=`). Requests use `Metadata` by default. */
  readonly includeObject: "None" | "Metadata" | "Object";
  /** Reference time for ages. */
  readonly now: Date;
}

interface TableColumnDefinition {
  readonly name: string;
  readonly type: string;
  readonly format: string;
  readonly description: string;
  readonly priority: number;
}

export interface TableRow {
  readonly cells: readonly Cell[];
  readonly conditions?: readonly Readonly<Record<string, string>>[];
  readonly object?: unknown;
}

/** Table object of meta.k8s.io. */
export interface Table {
  readonly kind: "Table";
  readonly apiVersion: string;
  readonly metadata: {
    readonly resourceVersion: string;
    readonly continue?: string;
    readonly remainingItemCount?: number;
  };
  readonly columnDefinitions: readonly TableColumnDefinition[];
  readonly rows: readonly TableRow[];
}

/**
 * Creates the table for `kubectl get`, like a real server. Custom resources have the column Name and the columns of their
 * definition. If the definition has no columns, custom resources have the columns Name and Age.
 */
export function toTable(request: TableRequest): Table {
  const { head, row } = tableInRows(request);
  return { ...head, rows: request.objects.map(row) };
}

/**
 * Returns the table without rows, and a function that creates one row. Callers can create the rows of a long table step by step.
 */
export function tableInRows(request: Omit<TableRequest, "objects">): {
  readonly head: Omit<Table, "rows">;
  readonly row: (object: KubeObject) => TableRow;
} {
  const { type, apiVersion, metadata, includeObject, now } = request;
  const columns = columnsOf(type);
  return {
    head: {
      kind: "Table",
      apiVersion,
      metadata,
      columnDefinitions: columns.map(({ name, type, format = "", description = "", priority }) => ({
        name,
        type,
        format,
        description,
        priority,
      })),
    },
    row: (object) => ({
      cells: columns.map((column) => column.cell(object, now)),
      ...completion(type, object),
      ...carried(object, includeObject, apiVersion),
    }),
  };
}

const customColumns = new WeakMap<ResourceType, readonly Column[]>();

function columnsOf(type: ResourceType): readonly Column[] {
  if (type.origin === "builtin") return kindOf(`${type.group}/${type.plural}`)?.columns ?? plainColumns;
  let columns = customColumns.get(type);
  if (!columns) {
    columns = [nameColumn, ...(type.columns.length > 0 ? type.columns.map(customColumn) : [ageColumn])];
    customColumns.set(type, columns);
  }
  return columns;
}

/** Returns the row condition of a completed pod. kubectl shows such rows in grey. */
function completion(type: ResourceType, object: KubeObject): Pick<TableRow, "conditions"> {
  if (type.kind !== "Pod" || type.origin !== "builtin") return {};
  const { status } = object;
  const phase = typeof status === "object" && status !== null && "phase" in status ? status.phase : undefined;
  if (phase !== "Succeeded" && phase !== "Failed") return {};
  const message = phase === "Succeeded" ? "The pod has completed successfully." : "The pod failed.";
  return { conditions: [{ type: "Completed", status: "True", reason: phase, message }] };
}

function carried(
  object: KubeObject,
  includeObject: TableRequest["includeObject"],
  apiVersion: string,
): Pick<TableRow, "object"> {
  switch (includeObject) {
    case "None":
      return {};
    case "Object":
      return { object };
    case "Metadata":
      return {
        object: { kind: "PartialObjectMetadata", apiVersion, metadata: object.metadata },
      };
  }
}
