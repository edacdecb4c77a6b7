export {
  tableInRows,
  toTable,
} from "./table.ts";
