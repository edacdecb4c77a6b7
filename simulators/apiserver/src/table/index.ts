export { ageOf, humanDuration } from "./age.ts";
export { compileJsonPath } from "./json-path.ts";
export {
  type Table,
  type TableColumnDefinition,
  type TableRequest,
  type TableRow,
  tableInRows,
  toTable,
} from "./table.ts";
